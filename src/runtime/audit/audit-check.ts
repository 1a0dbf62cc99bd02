/** Verifies the audit's hash chain, however long, without blocking other work (rule D8). */

import { setImmediate } from 'node:timers/promises';
import {
  type ChainedAudit,
  type ChainFault,
  type ChainLink,
  type Followed,
  followChain,
  NOTHING_FOLLOWED,
} from '../../accounts/audit-chain.ts';
import type { AuditKey } from '../../accounts/audit-key.ts';
import type { JournalStore } from '../../store/journal.ts';

/** Rows checked before other work gets a turn: a few milliseconds. */
const STEP = 500;

/** A chain's head as noted elsewhere. `hash` may be a prefix. */
export type SeenHead = ChainLink;

/**
 * Faults beyond a single row: the chain ends before an anchor; a row up to an anchor has changed since; no row is
 * keyed although all chains are.
 */
export type AuditFault = ChainFault | 'cut_off' | 'anchor_differs' | 'not_keyed';

/** Hex digits of a hash that are shown as a number, which a double holds exactly. */
const GAUGE_DIGITS = 12;

/** A hash as a metric shows it: one series, whose value changes with each row. */
export function gaugeOf(hash: string): number {
  return Number.parseInt(hash.slice(0, GAUGE_DIGITS), 16);
}

/** `<rows>:<hash>`, both as metrics show them. Null for all else. */
export function parseGauges(text: string): SeenHead | null {
  const [, rows, number] = /^(\d+):(\d+(?:\.\d+)?(?:e\+?\d+)?)$/.exec(text) ?? [];
  const [n, gauge] = [Number(rows), Number(number)];
  if (!Number.isSafeInteger(n) || n < 1 || !Number.isSafeInteger(gauge)) return null;
  const hash = gauge.toString(16).padStart(GAUGE_DIGITS, '0');
  return hash.length === GAUGE_DIGITS ? { n, hash } : null;
}

export interface Verified {
  readonly ok: boolean;
  /** Rows that are unchanged. */
  readonly rows: number;
  /** The first changed or missing row; after a differing anchor, the first row that may have changed. */
  readonly firstWrong: number | null;
  readonly fault: AuditFault | null;
  /** The first row from which MACs verify. Earlier rows are only chained. Null: no row is keyed. */
  readonly keyedFrom: number | null;
  /** The last row. Stored elsewhere, it reveals a chain that was cut off later. */
  readonly hash: string | null;
}

export interface AuditCheckDeps {
  readonly journal: Pick<JournalStore, 'readAudit'>;
  readonly keys: readonly AuditKey[];
  /** Is every chain keyed by now? Then an unkeyed one was stripped. */
  isKeyed(): boolean;
  /** This many rows of that chain are unchanged. */
  readonly onRows?: (tenant: string, rows: number) => void;
}

export type VerifyAudit = (tenant: string, seen?: readonly SeenHead[]) => Promise<Verified>;

/** By tenant. Callers that ask during a check share its result. */
export function makeAuditCheck(deps: AuditCheckDeps): VerifyAudit {
  const underWay = new Map<string, Promise<Verified>>();
  return (tenant, seen = []) => {
    const asked = JSON.stringify([tenant, seen]);
    const found = underWay.get(asked);
    if (found !== undefined) return found;
    const verifying = verify(deps, tenant, seen).finally(() => underWay.delete(asked));
    underWay.set(asked, verifying);
    return verifying;
  };
}

/** Follows the chain from its first row. */
async function verify(
  { journal, keys, isKeyed, onRows }: AuditCheckDeps,
  tenant: string,
  seen: readonly SeenHead[],
): Promise<Verified> {
  const anchors = [...seen].sort((a, b) => a.n - b.n);
  let link = NOTHING_FOLLOWED;
  let held = 0;
  for (;;) {
    const rows = await journal.readAudit(tenant, link.n, STEP);
    const followed = followChain(link, rows, keys);
    if (!followed.ok) return wrong(followed.n - 1, followed.n, followed.fault, link);
    for (const anchor of anchors.filter(({ n }) => n > link.n && n <= followed.link.n)) {
      if (!isRowOf(anchor, rows)) return wrong(held, held + 1, 'anchor_differs', followed.link);
      held = anchor.n;
    }
    link = followed.link;
    onRows?.(tenant, link.n);
    if (rows.length < STEP) break;
    // Reads of the store are synchronous: without this nothing else would run.
    await setImmediate();
  }
  const { n, hash, keyedFrom } = link;
  if ((anchors.at(-1)?.n ?? 0) > n) return wrong(n, n + 1, 'cut_off', link);
  if (n > 0 && keyedFrom === null && isKeyed()) return wrong(0, 1, 'not_keyed', link);
  return { ok: true, rows: n, firstWrong: null, fault: null, keyedFrom, hash };
}

function isRowOf({ n, hash }: SeenHead, rows: readonly ChainedAudit[]): boolean {
  return rows.find((row) => row.n === n)?.hash.startsWith(hash) ?? false;
}

function wrong(
  rows: number,
  firstWrong: number,
  fault: AuditFault,
  { keyedFrom }: Followed,
): Verified {
  return { ok: false, rows, firstWrong, fault, keyedFrom, hash: null };
}
