/** A session that comes into memory: who had it until then, and what is done in it first. */

import type { StoredSession } from '../store/store.ts';
import {
  type Arrival,
  INTERRUPTION_MS,
  interruptedSince,
  noteInterruption,
  SEIZED,
} from './lost-time.ts';
import { lostIn, type Match, type MatchTable, waitedMs } from './match-table.ts';
import type { Cancel } from './ports.ts';
import { TICK, type Work } from './work.ts';

/** Has another node that lives taken it since it was looked for? Its row is as old as its log. */
export async function isElsewhere(
  { deps: { fellows, node }, taken }: MatchTable,
  { row, holder }: StoredSession,
): Promise<boolean> {
  if (fellows === undefined || taken.get(row.id) === SEIZED) return false;
  return (holder ?? node) !== node && fellows.isElsewhere(row.id);
}

/** How the session comes here: as it was noted when this node took it, else as its row says. */
export async function arrivalOf(table: MatchTable, stored: StoredSession): Promise<Arrival> {
  const { row, isAsleep, wakeAt, holder } = stored;
  const owner = lastOwner(stored);
  if (holder === table.deps.node) await claimed(table, row.id);
  const noted = table.taken.get(row.id);
  if (noted?.from === 'sleep') return noted;
  if (noted === undefined && isAsleep) return { from: 'sleep', wakeAt };
  const node = noted === undefined ? (holder ?? owner) : noted.node;
  // One that has not yet written that the session is its own may have served nobody.
  const servedUntil = node === owner ? await lastSignOf(table, node) : null;
  return { from: 'holder', servedUntil };
}

/** A claim of this node's may have been done and not yet answered. A store that takes a second interrupts anyway. */
async function claimed({ deps, taken, claims }: MatchTable, session: string): Promise<void> {
  const answer = taken.has(session) ? undefined : claims.get(session);
  if (answer === undefined) return;
  let cancel: Cancel = () => {};
  const late = new Promise<void>((resolve) => {
    cancel = deps.clock.after(INTERRUPTION_MS, resolve);
  });
  await Promise.race([answer, late]).finally(() => cancel());
}

/** When a node was last heard of that is gone, ms since 1970; null where nobody knows, and of this one. */
async function lastSignOf({ deps }: MatchTable, node: string | null): Promise<number | null> {
  const { fellows, aliveBefore = null } = deps;
  if (node === null || node === deps.node) return null;
  return fellows === undefined ? aliveBefore : fellows.heardAt(node);
}

/** Who held it by its log. */
function lastOwner({ entries }: StoredSession): string | null {
  let node: string | null = null;
  for (const { record } of entries) {
    if (record.k === 'created' || record.k === 'owned') ({ node } = record);
  }
  return node;
}

/** What is done first in a session that has just come into memory, and was asked for at `askedAt`. */
export function firstWork(
  table: MatchTable,
  match: Match,
  arrival: Arrival,
  askedAt: number,
): readonly Work[] {
  const { service, deps } = table;
  const { session, lost, isBroken, aheadMs } = match;
  const now = deps.clock.now();
  const isSlow = waitedMs(table, askedAt) >= INTERRUPTION_MS;
  if (isSlow) service.hadTrouble(now);
  const since = interruptedSince(service, arrival, session, now) ?? (isSlow ? askedAt : null);
  if (since !== null) noteInterruption(lost, session, since + aheadMs, now + aheadMs);
  const isForeign = session.status !== 'ended' && session.node !== deps.node && !isBroken;
  if (isForeign) return [{ ...TICK, command: () => ({ kind: 'own', node: deps.node }) }];
  return lostIn(table, match) > 0 ? [TICK] : [];
}
