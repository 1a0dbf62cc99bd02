/** Sessions to be loaded again: dropped ones, those of unknown outcome, and those of a dead process. */

import { runToEnd } from './match-load.ts';
import { heldMatch, isHeld, type Match, type MatchTable } from './match-table.ts';
import { noteReadFailure, reloadLater } from './reloads.ts';
import { ESSENTIAL_TICK, TICK, type WorkResult } from './work.ts';

/** Sessions of dead processes are taken over this many at a time. */
const RECOVER_STEP = 200;

/** Does another node own the session by now? Null when the store cannot say. */
async function isOwnedElsewhere(table: MatchTable, id: string): Promise<boolean | null> {
  const { peers } = table.deps;
  if (peers === undefined || heldMatch(table, id) !== undefined) return false;
  return peers.isElsewhere(id).catch((error: unknown) => {
    // Treated as not read.
    if (heldMatch(table, id) === undefined) noteReadFailure(table, id, error);
    return null;
  });
}

/**
 * Loads a wanted session. Its sockets return by themselves; seats without a socket yet are away from now on. What
 * cannot be read or written now is retried in a second.
 */
export async function reloadWanted(table: MatchTable, id: string): Promise<void> {
  const found = await isOwnedElsewhere(table, id);
  if (found === true) {
    table.wanted.delete(id);
    table.seized.delete(id);
  }
  if (found !== false) return;
  for (;;) {
    const result = await putGhostAway(table, id);
    const want = table.wanted.get(id);
    if (result.kind === 'rejected' || want === undefined) return;
    if (result.kind === 'not_found') {
      const mayCome = (want.madeBefore ?? 0) >= table.deps.clock.now();
      if (!mayCome) table.wanted.delete(id);
      return;
    }
    const match = result.match as Match;
    // It was dropped since: it is wanted for that reason now.
    if (!isHeld(match)) return;
    if (findGhost(match) !== null) continue;
    table.wanted.delete(id);
    if (want.madeBefore !== null) for (const notify of table.listeners.found) notify(result.match);
    return;
  }
}

/** Loads the session, and marks one seat without a socket here as away. */
function putGhostAway(table: MatchTable, id: string): Promise<WorkResult> {
  return runToEnd(table, id, {
    ...ESSENTIAL_TICK,
    command(match) {
      const seat = findGhost(match as Match);
      if (seat === null) return { kind: 'tick' };
      const isPutAway = table.wanted.get(id)?.isPutAway !== false;
      return { kind: 'disconnect', seat, ...(isPutAway && { putAway: true }) };
    },
  });
}

/** A seat that is connected by the log but has no socket here; null when there is none. */
function findGhost({ session, subscribers }: Match): number | null {
  if (session.status === 'ended') return null;
  const seat = session.seats.findIndex(
    ({ connected }, index) => connected && !subscribers.some(({ viewer }) => viewer === index),
  );
  return seat === -1 ? null : seat;
}

/** Takes over the sessions of a previous process; returns how many. */
export async function recoverAwake(table: MatchTable): Promise<number> {
  table.pulse.start();
  let count = 0;
  let after = '';
  for (;;) {
    const awake = await table.deps.store.claimAwake(after, RECOVER_STEP);
    if (awake.length === 0) return count;
    const results = await Promise.all(awake.map((id) => runToEnd(table, id, TICK)));
    // No other process retries what could not be read or written now.
    for (const [at, { kind }] of results.entries()) {
      if (kind === 'rejected') reloadLater(table, awake[at]!);
    }
    count += awake.length;
    after = awake.at(-1)!;
  }
}
