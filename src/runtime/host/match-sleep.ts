/** Matches without connections: they leave memory, and return when they are due. */

import { nextDeadline } from '../../match/deadline.ts';
import { serviceSeatToMove } from '../../match/session.ts';
import type { Cancel } from '../ports.ts';
import { recordLostTime } from './mailbox.ts';
import { evict } from './match-leave.ts';
import { runToEnd } from './match-load.ts';
import { reloadWanted } from './match-recovery.ts';
import { heldMatch, heldMatches, isQuiet, type Match, type MatchTable } from './match-table.ts';
import { isLostTimeDue, lostIn } from './match-time.ts';
import { TICK } from './work.ts';

/** A session without connections leaves memory after this time. */
const IDLE_MS = 10_000;
/** Sleeping sessions are woken in steps of so many, and no more while so many are being reclaimed or woken. */
const WAKE_STEP = 200;
/** So many sessions are put to sleep in one transaction: players' moves wait behind it. */
export const SLEEP_STEP = 250;
/** Matches whose lost time is written down in one round: players' moves wait behind them. */
const LOST_TIME_STEP = 250;
/** How long a round waits for the work that it has started. Ms. */
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
    // It only saves making it again; many matches wait for days between two moves.
    if (now - match.touchedAt >= IDLE_MS) match.position = null;
    // Asleep a match goes by the clock: what it has lost is recorded before.
    if (lostIn(table, match) === 0) {
      if (isIdle(match, now)) idle.push(match);
    } else if (isLostTimeDue(table, match)) owing.push(match);
  }
  for (const match of owing.slice(0, LOST_TIME_STEP)) recordLostTime(table, match);
  // A match that the store does not take keeps no other from being taken back or woken.
  const slept = await attempt(putToSleep(table, idle));
  await forEachSession(table, [...table.wanted.keys()], (id) => reloadWanted(table, id));
  await wakeDue(table);
  if (slept !== null) throw slept.error;
}

/** A session with a slow commit delays no other. It continues, and is not started twice. */
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

/** What it failed with; null when it did not. */
function attempt(step: Promise<void>): Promise<Failure | null> {
  return step.then(
    () => null,
    (error: unknown) => ({ error }),
  );
}

/** Up to a second late: a sleeping session has no connections. One that cannot be put back delays no other. */
async function wakeDue(table: MatchTable): Promise<void> {
  const woken = new Set<string>();
  let failed: Failure | null = null;
  for (let isAll = false; !isAll && table.inMaintenance.size < WAKE_STEP; ) {
    const listed = await table.deps.store.listDue(table.deps.clock.now(), WAKE_STEP);
    // Those that cannot be woken are due forever, and are left until the next round.
    const due = listed.filter((id) => !woken.has(id));
    if (due.length === 0) break;
    await forEachSession(table, due, (id) => runToEnd(table, id, TICK));
    for (const id of due) woken.add(id);
    // A match that had nothing to do after all is due at another time.
    const matches = due.map((id) => heldMatch(table, id)).filter((match) => match !== undefined);
    const idle = matches.filter((match) => match.phase === 'asleep' && isQuiet(match));
    failed = (await attempt(handOver(table, idle))) ?? failed;
    isAll = listed.length < WAKE_STEP;
  }
  if (failed !== null) throw failed.error;
}

function isIdle(match: Match, now: number): boolean {
  if (match.subscribers.length > 0 || now - match.touchedAt < IDLE_MS || !isQuiet(match))
    return false;
  // How far its log is ahead only this process knows: a load would begin its turn again.
  if (match.aheadMs > 0 && match.session.status !== 'ended') return false;
  // A bot that is about to move needs no connected player.
  return serviceSeatToMove(match.session) === null;
}

/** Writes the deadlines first; matches that are still idle then leave memory. */
async function putToSleep(table: MatchTable, idle: readonly Match[]): Promise<void> {
  await handOver(table, idle);
  const now = table.deps.clock.now();
  for (const match of idle) {
    const isKept = match.phase === 'asleep' || match.session.status === 'ended';
    if (isKept && isIdle(match, now)) evict(table, match);
  }
}

/**
 * Gives the deadlines of these matches to the store. A commit that follows takes them back, also
 * when this fails: then nobody knows who holds them.
 */
export async function handOver(table: MatchTable, matches: readonly Match[]): Promise<void> {
  const open = matches.filter(({ session }) => session.status !== 'ended');
  for (let i = 0; i < open.length; i += SLEEP_STEP) {
    // Of those that come later some may be in use by now, or gone.
    const step = open.slice(i, i + SLEEP_STEP).filter(isQuiet);
    for (const match of step) match.phase = 'asleep';
    await table.deps.store.sleep(
      step.map((match) => ({ id: match.row.id, wakeAt: wakeAt(table, match) })),
    );
  }
}

/** When a match is due without any input, ms since 1970; null for never. */
export function wakeAt(
  { deps }: MatchTable,
  { session, aheadMs }: Pick<Match, 'session' | 'aheadMs'>,
): number | null {
  if (serviceSeatToMove(session) !== null) return deps.clock.now();
  const deadline = nextDeadline(session);
  return deadline === null ? null : deadline - aheadMs;
}
