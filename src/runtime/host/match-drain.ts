/** Shutdown of a process: work in progress is finished, and the matches are handed to the next owner. */

import { enqueue, recordLostTime } from './mailbox.ts';
import { releaseMatch } from './match-leave.ts';
import { run } from './match-load.ts';
import { handOver, SLEEP_STEP, wakeAt } from './match-sleep.ts';
import { heldMatches, isQuiet, type Match, type MatchTable } from './match-table.ts';
import { lostIn } from './match-time.ts';
import { ESSENTIAL_TICK, RECORD_LOST_TIME } from './work.ts';

/** Pause between two checks. Ms. */
const DRAIN_LOOK_MS = 5;

/** Waits for commits in flight, and hands over matches without connections. */
export async function drain(table: MatchTable): Promise<void> {
  const { clock, peers } = table.deps;
  // The stall may be reported only now.
  table.pulse.check(clock.now());
  table.alarms.stop();
  table.ticks.stop();
  // Only this process knows of it, however recently it was recorded before.
  for (const match of heldMatches(table)) {
    if (lostIn(table, match) > 0) enqueue(table, match, RECORD_LOST_TIME);
  }
  await (peers === undefined ? leaveToNext(table) : giveAway(table)).finally(table.pulse.stop);
}

/** Is no session being read, and no work in progress? */
function isAllQuiet({ sessions }: MatchTable): boolean {
  return [...sessions.values()].every(
    (each) => each.phase === 'leaving' || (each.phase !== 'loading' && isQuiet(each)),
  );
}

/** No process owns the matches until the next one starts. */
async function leaveToNext(table: MatchTable): Promise<void> {
  const { clock } = table.deps;
  const takeBack = makeTakeBack(table);
  for (;;) {
    takeBack();
    for (const match of heldMatches(table)) if (isQuiet(match)) recordLostTime(table, match);
    if (isAllQuiet(table)) break;
    await new Promise<void>((resolve) => clock.after(DRAIN_LOOK_MS, resolve));
  }
  // The others are left to `recoverAwake`: asleep, their clocks would go on.
  const left = [...heldMatches(table)].filter((match) => {
    const isOfUse = match.session.seats.some(({ connected, putAway }) => connected || putAway);
    return !isOfUse && lostIn(table, match) === 0;
  });
  // Sessions that the store does not accept now are found awake by the next process.
  await handOver(table, left).catch(() => undefined);
}

/**
 * Gives every match to the other nodes, each as soon as no work is in progress in it. Its subscribers attach again
 * and find it there.
 */
async function giveAway(table: MatchTable): Promise<void> {
  const { clock, store } = table.deps;
  const takeBack = makeTakeBack(table);
  for (;;) {
    for (const match of heldMatches(table)) if (isQuiet(match)) recordLostTime(table, match);
    const quiet = [...heldMatches(table)].filter(isQuiet).slice(0, SLEEP_STEP);
    for (const match of quiet) match.phase = 'asleep';
    const open = quiet.filter(({ session }) => session.status !== 'ended');
    const rows = open.map((match) => ({ id: match.row.id, wakeAt: giveAt(table, match) }));
    // Sessions that the store does not accept now are found by other nodes once this node's lease expires.
    if (rows.length > 0) await store.sleep(rows).catch(() => undefined);
    for (const match of quiet) {
      if (match.phase !== 'asleep' || !isQuiet(match)) continue;
      releaseMatch(table, match);
      // It must not return here.
      table.wanted.delete(match.row.id);
    }
    takeBack();
    if ([...table.sessions.values()].every(({ phase }) => phase === 'leaving')) return;
    if (quiet.length < SLEEP_STEP) {
      await new Promise<void>((resolve) => clock.after(DRAIN_LOOK_MS, resolve));
    }
  }
}

/**
 * Loads again those that had to leave memory, each once: no other node would look for them. It does not wait for a
 * commit in progress, because the store may be away.
 */
function makeTakeBack(table: MatchTable): () => void {
  const taken = new Set<string>();
  return () => {
    for (const id of table.wanted.keys()) {
      if (taken.has(id) || table.sessions.has(id)) continue;
      taken.add(id);
      run(table, id, ESSENTIAL_TICK);
    }
  };
}

/**
 * The next owner must load the session at once if it has to start the grace period of connected seats, or to give
 * back the time of the last commit: until then the session had service.
 */
function giveAt(table: MatchTable, match: Match): number | null {
  const lost = lostIn(table, match);
  const isToBeLoaded = lost > 0 || match.session.seats.some(({ connected }) => connected);
  return isToBeLoaded ? table.deps.clock.now() - lost : wakeAt(table, match);
}
