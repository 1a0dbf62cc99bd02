/** Converts rows of the journal. */

import type { GameId } from '../../../game/src/game.ts';
import type { ChainedAudit } from '../../accounts/audit-chain.ts';
import { makeDay } from '../../match/frames/frames.ts';
import type { Mode } from '../../match/record.ts';
import type { KeyMode } from '../../tenancy/tenant.ts';
import type {
  KeyUsage,
  PeakKind,
  RequestRow,
  UsageCount,
  UsageKind,
  UsagePeak,
} from '../journal.ts';
import { type Row, textOrNull } from './row.ts';

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
    refusal: textOrNull(row['refusal']) as Exclude<RequestRow['refusal'], undefined>,
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
    mac: textOrNull(row['mac']),
  };
}

export function toUsage(row: Row): UsageCount {
  return {
    day: String(row['day']),
    kind: row['kind'] as UsageKind,
    count: Number(row['n']),
  };
}

/** A count in one mode of one tenant. */
export interface WorldUsage extends UsageCount {
  readonly tenant: string;
  readonly mode: KeyMode;
}

/** What requests add to the daily counts, each count once. */
export function countUsage(rows: readonly RequestRow[]): readonly WorldUsage[] {
  const counts = new Map<string, WorldUsage>();
  for (const row of rows) {
    const { tenant, mode } = row;
    const day = makeDay(row.at);
    for (const kind of kindsOf(row)) {
      const name = `${tenant} ${mode} ${day} ${kind}`;
      const count = (counts.get(name)?.count ?? 0) + 1;
      counts.set(name, { tenant, mode, day, kind, count });
    }
  }
  return [...counts.values()];
}

/** The same per key. `game` is empty except for sessions. */
export function countKeyUsage(rows: readonly RequestRow[]): readonly KeyCount[] {
  const counts = new Map<string, KeyCount>();
  for (const row of rows) {
    const { tenant, keyId } = row;
    const day = makeDay(row.at);
    for (const kind of kindsOf(row)) {
      const made = kind === 'sessions' ? row.made : undefined;
      const mode = made?.mode ?? row.mode;
      const game: KeyCount['game'] = made?.game ?? '';
      const name = `${tenant} ${day} ${keyId} ${mode} ${kind} ${game}`;
      const count = (counts.get(name)?.count ?? 0) + 1;
      counts.set(name, { tenant, day, keyId, mode, kind, game, count });
    }
  }
  return [...counts.values()];
}

export interface KeyCount extends Omit<KeyUsage, 'game'> {
  readonly tenant: string;
  readonly game: GameId | '';
}

export function toKeyUsage(row: Row): KeyUsage {
  const game = String(row['game']);
  return {
    day: String(row['day']),
    keyId: String(row['key']),
    mode: row['mode'] as Mode,
    kind: row['kind'] as UsageKind,
    game: game === '' ? null : (game as GameId),
    count: Number(row['n']),
  };
}

export function toPeak(row: Row): UsagePeak {
  return {
    day: String(row['day']),
    mode: row['mode'] as Mode,
    kind: row['kind'] as PeakKind,
    peak: Number(row['n']),
  };
}

function kindsOf({ status, made }: RequestRow): readonly UsageKind[] {
  if (status >= 500) return ['requests', 'failed'];
  if (status === 429) return ['requests', 'limited'];
  if (status >= 400) return ['requests', 'refused'];
  return made === undefined ? ['requests'] : ['requests', 'sessions'];
}
