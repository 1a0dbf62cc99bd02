/** Matches that nobody is connected to: they leave memory, and come back when they are due. */

import { nextDeadline, warningTime } from '../match/deadline.ts';
import { makeWarning } from '../match/frames.ts';
import { serviceSeatToMove } from '../match/session.ts';
import { breakMatch, giveBack, letGo, next, owes, run } from './mailbox.ts';
import type { Match, MatchTable } from './match-table.ts';
import { dismiss, isQuiet, lostIn, noteUnread, timeOf, wantBack } from './match-table.ts';
import type { Cancel } from './ports.ts';
import type { WorkResult } from './work.ts';
import { HOLD, TICK } from './work.ts';

/** A session nobody is connected to leaves memory after so long. */
const IDLE_MS = 10_000;
/** Sleeping sessions are woken in steps of so many, and no more while so many are being reclaimed or woken. */
const WAKE_STEP = 200;
/** So many sessions are put to sleep in one transaction: players' moves wait behind it. */
const SLEEP_STEP = 250;
/** Matches whose lost time is written down in one round: players' moves wait behind them. */
const GIVE_BACK_STEP = 250;
/** So long a round of looking after waits for those that it has begun. Ms. */
const TEND_PATIENCE_MS = 1_000;
/** How long `drain` waits between two looks. */
const DRAIN_LOOK_MS = 5;

/** A match's alarm has rung: warn, end what has run out, or wait on. */
export function ring(table: MatchTable, match: Match): void {
  table.pulse.look(table.deps.clock.now());
  // After a commit that is under way everything is looked at again.
  if (table.matches.get(match.row.id) !== match || match.busy) return;
  try {
    const deadline = nextDeadline(match.session) ?? Infinity;
    // Time that was lost moves all deadlines on: that is recorded, and shown, before anybody is
    // warned of them.
    if (lostIn(table, match) > 0 || deadline <= timeOf(table, match)) match.mailbox.push(TICK);
    else warn(table, match);
  } catch (error) {
    breakMatch(table, match, error);
  }
  next(table, match);
}

function warn(table: MatchTable, match: Match): void {
  const { session } = match;
  if (session.status !== 'active' || match.warned === session.turnStartedAt) return;
  const at = warningTime(session);
  if (at === null || timeOf(table, match) < at) return;
  match.warned = session.turnStartedAt;
  const text = makeWarning(session, session.turnStartedAt + session.setup.turnTimeoutMs);
  for (const subscriber of match.subscribers) subscriber.send([text]);
}

/** One round of looking after: to be called about once a second. */
export async function tend(table: MatchTable): Promise<void> {
  const now = table.deps.clock.now();
  table.pulse.start();
  table.pulse.look(now);
  const idle = [...table.matches.values()].filter((match) => isIdle(match, now));
  const owing = [...table.matches.values()].filter((match) => isQuiet(match) && owes(table, match));
  for (const match of owing.slice(0, GIVE_BACK_STEP)) giveBack(table, match);
  // Whom the store does not take keeps nobody from being taken back or woken.
  const slept = await attempt(putToSleep(table, idle));
  await tendEach(table, [...table.wanted.keys()], (id) => fetchWanted(table, id));
  await wakeDue(table);
  if (slept !== null) throw slept.error;
}

/** Whose commit takes long keeps no others waiting: it goes on, and is not begun anew meanwhile. */
async function tendEach(
  { tending, deps: { clock } }: MatchTable,
  ids: readonly string[],
  act: (id: string) => Promise<unknown>,
): Promise<void> {
  const begun = ids.filter((id) => !tending.has(id));
  if (begun.length === 0) return;
  const acts = begun.map((id) => {
    tending.add(id);
    return act(id).finally(() => tending.delete(id));
  });
  let cancel: Cancel = () => {};
  const late = new Promise<void>((resolve) => {
    cancel = clock.after(TEND_PATIENCE_MS, resolve);
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

/** Is another node's by now? Null where that cannot be said. */
async function isElsewhere(table: MatchTable, id: string): Promise<boolean | null> {
  const { fellows } = table.deps;
  if (fellows === undefined || table.matches.has(id)) return false;
  return fellows.isElsewhere(id).catch((error: unknown) => {
    // As good as not read.
    if (!table.matches.has(id)) noteUnread(table, id, error);
    return null;
  });
}

/**
 * Holds a session that is wanted. Its sockets come by themselves; seats whose sockets have not yet are away from
 * now on. What could not be read or written now is tried again in a second.
 */
async function fetchWanted(table: MatchTable, id: string): Promise<void> {
  const found = await isElsewhere(table, id);
  if (found === true) table.wanted.delete(id);
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
    if (findGhost(result.match as Match) !== null) continue;
    table.wanted.delete(id);
    if (want.madeBefore !== null) for (const tell of table.foundListeners) tell(result.match);
    return;
  }
}

/** Takes the session into memory, and one seat that has no socket here away. */
function putGhostAway(table: MatchTable, id: string): Promise<WorkResult> {
  return new Promise((resolve) =>
    run(table, id, {
      essential: true,
      command(match) {
        const seat = findGhost(match as Match);
        if (seat === null) return { kind: 'tick' };
        const isPutAway = table.wanted.get(id)?.isPutAway !== false;
        return { kind: 'disconnect', seat, ...(isPutAway && { putAway: true }) };
      },
      done(result) {
        resolve(result);
        return undefined;
      },
    }),
  );
}

/** A seat that is connected by the log and has no socket here; null when there is none. */
function findGhost({ session, subscribers }: Match): number | null {
  if (session.status === 'ended') return null;
  const seat = session.seats.findIndex(
    ({ connected }, index) => connected && ![...subscribers].some(({ viewer }) => viewer === index),
  );
  return seat === -1 ? null : seat;
}

/** Up to a second late: nobody is connected to a sleeping session. Who cannot be put back keeps nobody waiting. */
async function wakeDue(table: MatchTable): Promise<void> {
  const woken = new Set<string>();
  let failed: Failure | null = null;
  for (let isAll = false; !isAll && table.tending.size < WAKE_STEP; ) {
    const listed = await table.deps.store.listDue(table.deps.clock.now(), WAKE_STEP);
    // Those that cannot be woken are due for ever, and are left until the next round.
    const due = listed.filter((id) => !woken.has(id));
    if (due.length === 0) break;
    await tendEach(table, due, (id) => wake(table, id));
    for (const id of due) woken.add(id);
    // Who had nothing to do after all is due at another time.
    const matches = due.map((id) => table.matches.get(id)).filter((match) => match !== undefined);
    const idle = matches.filter((match) => match.asleep && isQuiet(match));
    failed = (await attempt(handOver(table, idle))) ?? failed;
    isAll = listed.length < WAKE_STEP;
  }
  if (failed !== null) throw failed.error;
}

function isIdle(match: Match, now: number): boolean {
  // A bot that is about to move needs nobody to be connected.
  if (serviceSeatToMove(match.session) !== null) return false;
  return isQuiet(match) && match.subscribers.size === 0 && now - match.touchedAt >= IDLE_MS;
}

/** The store is told first; what is still idle then leaves memory. */
async function putToSleep(table: MatchTable, idle: readonly Match[]): Promise<void> {
  for (const match of idle) giveBack(table, match);
  await handOver(table, idle);
  const now = table.deps.clock.now();
  for (const match of idle) {
    const isKept = match.asleep || match.session.status === 'ended';
    if (isKept && isIdle(match, now)) dismiss(table, match);
  }
}

/**
 * Gives the deadlines of these matches to the store. A commit that follows takes them back, also
 * when this fails: then nobody knows who holds them.
 */
async function handOver(table: MatchTable, matches: readonly Match[]): Promise<void> {
  const open = matches.filter(({ session }) => session.status !== 'ended');
  for (let i = 0; i < open.length; i += SLEEP_STEP) {
    // Of those that come later some may be in use by now, or gone.
    const step = open
      .slice(i, i + SLEEP_STEP)
      .filter((match) => isQuiet(match) && table.matches.get(match.row.id) === match);
    for (const match of step) match.asleep = true;
    await table.deps.store.sleep(
      step.map((match) => ({ id: match.row.id, wakeAt: wakeAt(table, match) })),
    );
  }
}

/** When a match has to be looked at although nobody comes, ms since 1970; null for never. */
export function wakeAt(
  { deps }: MatchTable,
  { session, aheadMs }: Pick<Match, 'session' | 'aheadMs'>,
): number | null {
  if (serviceSeatToMove(session) !== null) return deps.clock.now();
  const deadline = nextDeadline(session);
  return deadline === null ? null : deadline - aheadMs;
}

function wake(table: MatchTable, id: string): Promise<WorkResult> {
  return new Promise((resolve) =>
    run(table, id, {
      ...TICK,
      done: (result) => {
        resolve(result);
        return undefined;
      },
    }),
  );
}

/** Takes over what a process before this one held; answers how many sessions that were. */
export async function recoverAwake(table: MatchTable): Promise<number> {
  table.pulse.start();
  let count = 0;
  let after = '';
  for (;;) {
    const awake = await table.deps.store.listAwake(after, WAKE_STEP);
    if (awake.length === 0) return count;
    // Whoever is in memory, or about to be, has been asked for by somebody before.
    for (const { id, holder } of awake) {
      if (table.matches.has(id) || table.loading.has(id)) continue;
      if (holder !== null) table.taken.set(id, { from: 'holder', node: holder });
    }
    const results = await Promise.all(awake.map(({ id }) => wake(table, id)));
    // What could not be read or written now nobody else will take up.
    for (const [at, { kind }] of results.entries()) {
      if (kind === 'rejected') wantBack(table, awake[at]!.id);
    }
    count += awake.length;
    after = awake.at(-1)!.id;
  }
}

/** Waits for what is under way, and hands over what nobody is connected to. */
export async function drain(table: MatchTable): Promise<void> {
  const { clock, fellows } = table.deps;
  // It may have been told so while it stood still.
  table.pulse.look(clock.now());
  table.alarms.stop();
  table.ticks.stop();
  await (fellows === undefined ? finish(table) : giveAway(table)).finally(table.pulse.stop);
}

/** Nobody takes the matches over until the next process begins. */
async function finish(table: MatchTable): Promise<void> {
  const { clock } = table.deps;
  const takeBack = makeTakeBack(table);
  for (;;) {
    takeBack();
    for (const match of table.matches.values()) if (isQuiet(match)) giveBack(table, match);
    if (table.loading.size === 0 && [...table.matches.values()].every(isQuiet)) break;
    await new Promise<void>((resolve) => clock.after(DRAIN_LOOK_MS, resolve));
  }
  // Whoever is connected by the log has to have his grace after the restart: `recoverAwake`.
  const left = [...table.matches.values()].filter(
    (match) => !match.session.seats.some((seat) => seat.connected),
  );
  // Whom the store does not take now, the next process finds awake.
  await handOver(table, left).catch(() => undefined);
}

/**
 * Gives every match to whoever comes next, each as soon as nothing is under way in it; those who
 * are shown it look for it anew, and find it where they look.
 */
async function giveAway(table: MatchTable): Promise<void> {
  const { clock, store } = table.deps;
  const takeBack = makeTakeBack(table);
  for (;;) {
    for (const match of table.matches.values()) if (isQuiet(match)) giveBack(table, match);
    const quiet = [...table.matches.values()].filter(isQuiet).slice(0, SLEEP_STEP);
    for (const match of quiet) match.asleep = true;
    const open = quiet.filter(({ session }) => session.status !== 'ended');
    const rows = open.map((match) => ({ id: match.row.id, wakeAt: giveAt(table, match) }));
    // Whom the store does not take now, the others find when this node's lease is over.
    if (rows.length > 0) await store.sleep(rows).catch(() => undefined);
    for (const match of quiet) {
      if (!match.asleep || !isQuiet(match)) continue;
      letGo(table, match);
      // It is not to come back here.
      table.wanted.delete(match.row.id);
    }
    takeBack();
    if (table.matches.size === 0 && table.loading.size === 0) return;
    if (quiet.length < SLEEP_STEP) {
      await new Promise<void>((resolve) => clock.after(DRAIN_LOOK_MS, resolve));
    }
  }
}

/**
 * Has those in memory again that had to leave it, each once: nobody else would look for them. One whose commit is
 * under way is not waited for, as the store may be away.
 */
function makeTakeBack(table: MatchTable): () => void {
  const taken = new Set<string>();
  return () => {
    for (const id of table.wanted.keys()) {
      if (taken.has(id) || table.matches.has(id) || table.unsettled.has(id)) continue;
      taken.add(id);
      run(table, id, HOLD);
    }
  };
}

/** Who is connected by the log gets his grace from whoever wakes it: that is to be at once. */
function giveAt(table: MatchTable, match: Match): number | null {
  return match.session.seats.some(({ connected }) => connected)
    ? table.deps.clock.now()
    : wakeAt(table, match);
}
