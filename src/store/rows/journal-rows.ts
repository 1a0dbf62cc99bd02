/** Rows of the journal, and what they are to the rest of the house. */

import type { ChainedAudit } from '../../accounts/audit-chain.ts';
import type { KeyMode } from '../../tenancy/tenant.ts';
import type { RequestRow, UsageCount, UsageKind } from '../journal.ts';
import { type Row, textOrNull } from './row.ts';

/** Calls that make a session, when they are answered with 201. */
const MAKE_SESSIONS: ReadonlySet<string> = new Set(['createSession', 'startMatch']);

export function toRequest(row: Row): RequestRow {
  return {
    id: String(row['id']),
    tenant: String(row['tenant']),
    mode: row['mode'] as KeyMode,
    at: Number(row['at']),
    method: String(row['method']),
    route: String(row['route']),
    status: Number(row['status']),
    code: textOrNull(row['code']),
    tookMs: Number(row['took_ms']),
    keyId: String(row['key']),
    session: textOrNull(row['session']),
  };
}

export function toAudit(row: Row): ChainedAudit {
  return {
    tenant: String(row['tenant']),
    actor: String(row['actor']),
    act: String(row['act']),
    object: String(row['object']),
    at: Number(row['at']),
    n: Number(row['n']),
    hash: String(row['hash']),
  };
}

export function toUsage(row: Row): UsageCount {
  return {
    day: String(row['day']),
    kind: row['kind'] as UsageKind,
    count: Number(row['n']),
  };
}

/** A count of one tenant's world. */
export interface WorldUsage extends UsageCount {
  readonly tenant: string;
  readonly mode: KeyMode;
}

/** What requests add to the counts of their days, each count once. */
export function countUsage(rows: readonly RequestRow[]): readonly WorldUsage[] {
  const counts = new Map<string, WorldUsage>();
  for (const row of rows) {
    const { tenant, mode } = row;
    const day = dayOf(row.at);
    for (const kind of kindsOf(row)) {
      const name = `${tenant} ${mode} ${day} ${kind}`;
      const count = (counts.get(name)?.count ?? 0) + 1;
      counts.set(name, { tenant, mode, day, kind, count });
    }
  }
  return [...counts.values()];
}

function kindsOf({ status, route }: RequestRow): readonly UsageKind[] {
  if (status >= 500) return ['requests', 'failed'];
  if (status === 429) return ['requests', 'limited'];
  if (status >= 400) return ['requests', 'refused'];
  return status === 201 && MAKE_SESSIONS.has(route) ? ['requests', 'sessions'] : ['requests'];
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
