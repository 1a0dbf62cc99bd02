/**
 * What is done for matches about once a second: lost time is recorded, idle matches are put to sleep, dropped ones are
 * loaded again, and sleeping ones are woken when they are due.
 */

import type { Cancel } from '../ports.ts';
import { recordLostTime } from './mailbox.ts';
import { runToEnd } from './match-load.ts';
import { reloadWanted } from './match-recovery.ts';
import { handOver, IDLE_MS, isIdle, putToSleep } from './match-sleep.ts';
import { heldMatch, heldMatches, isQuiet, type Match, type MatchTable } from './match-table.ts';
import { isLostTimeDue, lostIn } from './match-time.ts';
import { TICK } from './work.ts';

/** Sleeping sessions are woken this many at a time, and no more while as many are being recovered or woken. */
const WAKE_STEP = 200;
/** Matches whose lost time is recorded in one round: players' moves wait behind them. */
const LOST_TIME_STEP = 250;
/** How long a round waits for the work it started. Ms. */
const MAINTENANCE_WAIT_MS = 1_000;

/** One round of maintenance, about once a second. */
export async function maintain(table: MatchTable): Promise<void> {
  const now = table.deps.clock.now();
  table.pulse.start();
  table.pulse.check(now);
  const owing: Match[] = [];
  const idle: Match[] = [];
  for (const match of heldMatches(table)) {
    if (!isQuiet(match)) continue;
    // Only a cache, and many matches wait for days between two moves.
    if (now - match.touchedAt >= IDLE_MS) match.position = null;
    // A sleeping match goes by the clock, so its lost time is recorded first.
    if (lostIn(table, match) === 0) {
      if (isIdle(match, now)) idle.push(match);
    } else if (isLostTimeDue(table, match)) owing.push(match);
  }
  for (const match of owing.slice(0, LOST_TIME_STEP)) recordLostTime(table, match);
  // A match that the store does not accept does not prevent others from being recovered or woken.
  const slept = await attempt(putToSleep(table, idle));
  await forEachSession(table, [...table.wanted.keys()], (id) => reloadWanted(table, id));
  await wakeDue(table);
  if (slept !== null) throw slept.error;
}

/** A slow commit of one session delays no other. It continues, and is not started twice. */
async function forEachSession(
  { inMaintenance, deps: { clock } }: MatchTable,
  ids: readonly string[],
  act: (id: string) => Promise<unknown>,
): Promise<void> {
  const begun = ids.filter((id) => !inMaintenance.has(id));
  if (begun.length === 0) return;
  const acts = begun.map((id) => {
    inMaintenance.add(id);
    return act(id).finally(() => inMaintenance.delete(id));
  });
  let cancel: Cancel = () => {};
  const late = new Promise<void>((resolve) => {
    cancel = clock.after(MAINTENANCE_WAIT_MS, resolve);
  });
  await Promise.race([Promise.all(acts), late]).finally(() => cancel());
}

interface Failure {
  readonly error: unknown;
}

/** The error; null when there was none. */
function attempt(step: Promise<void>): Promise<Failure | null> {
  return step.then(
    () => null,
    (error: unknown) => ({ error }),
  );
}

/** Up to a second late: a sleeping session has no connections. A failure for one delays no other. */
async function wakeDue(table: MatchTable): Promise<void> {
  const woken = new Set<string>();
  let failed: Failure | null = null;
  for (let isAll = false; !isAll && table.inMaintenance.size < WAKE_STEP; ) {
    const listed = await table.deps.store.claimDue(table.deps.clock.now(), WAKE_STEP);
    // Those that cannot be woken stay due, and are left until the next round.
    const due = listed.filter((id) => !woken.has(id));
    if (due.length === 0) break;
    await forEachSession(table, due, (id) => runToEnd(table, id, TICK));
    for (const id of due) woken.add(id);
    // A match that had nothing to do is due at another time.
    const matches = due.map((id) => heldMatch(table, id)).filter((match) => match !== undefined);
    const idle = matches.filter((match) => match.phase === 'asleep' && isQuiet(match));
    failed = (await attempt(handOver(table, idle))) ?? failed;
    isAll = listed.length < WAKE_STEP;
  }
  if (failed !== null) throw failed.error;
}
