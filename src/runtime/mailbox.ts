/** The life of a piece of work: decide, commit, and only then tell. One at a time for a match. */

import { makeCheckEvents } from '../events/check-events.ts';
import { makeStepEvents } from '../events/session-events.ts';
import { addedChecks } from '../integrity/checks.ts';
import { rememberCommand } from '../match/commands.ts';
import { firstDeadline, warningTime } from '../match/deadline.ts';
import type { Step } from '../match/decide.ts';
import { decide } from '../match/decide.ts';
import type { Frame } from '../match/frames.ts';
import { makeLeft, makeStepFrame, showsState } from '../match/frames.ts';
import type { Roster } from '../match/session.ts';
import type { CommitOutcome, SessionChange, StoredSession } from '../store/store.ts';
import { arrivalOf, firstWork, isElsewhere } from './arrivals.ts';
import { dismissLeavers, textsForAll, wholeState } from './audience.ts';
import { INTERRUPTION_MS, noteCommit, stillMs } from './lost-time.ts';
import type { Erased, Match, MatchTable } from './match-table.ts';
import {
  admit,
  dismiss,
  forgetIn,
  lookFor,
  lostIn,
  noteUnread,
  tellSeats,
  timeOf,
  waitedMs,
  wantBack,
} from './match-table.ts';
import { BROKEN, BUSY, NOT_FOUND, UNAVAILABLE, UNDONE } from './refusals.ts';
import { changeOf, rowAfter } from './session-change.ts';
import { extendChain } from './signing/log-chain.ts';
import { GIVE_BACK, type Subscriber, type Work, type WorkResult } from './work.ts';

/** Work that may wait for one match. More is refused as `busy`. */
export const MAILBOX_MAX = 64;

/** Puts work into a session's mailbox; the session is read first if it is not in memory. */
export function run(table: MatchTable, id: string, work: Work): void {
  const match = table.matches.get(id);
  if (match !== undefined) {
    enqueue(table, match, work);
    return;
  }
  const waiting = table.loading.get(id);
  if (waiting === undefined) {
    const first = [work];
    table.loading.set(id, first);
    void load(table, id, first);
  } else if (waiting.length < MAILBOX_MAX || work.essential) waiting.push(work);
  else answer(work, BUSY);
}

/** Runs work to its end; its own `done` is not called. */
export function runToEnd(
  table: MatchTable,
  id: string,
  work: Omit<Work, 'done'>,
): Promise<WorkResult> {
  return new Promise((resolve) =>
    run(table, id, {
      ...work,
      done(result) {
        resolve(result);
        return undefined;
      },
    }),
  );
}

export function enqueue(table: MatchTable, match: Match, work: Work): void {
  if (match.mailbox.length >= MAILBOX_MAX && !work.essential) {
    answer(work, BUSY);
    return;
  }
  match.mailbox.push(work);
  if (!match.busy) next(table, match);
}

async function load(table: MatchTable, id: string, waiting: Work[]): Promise<void> {
  let match: Match | null = null;
  let failure = NOT_FOUND;
  let first: readonly Work[] = [];
  let isRead = false;
  const erased: Erased[] = [];
  const askedAt = table.deps.clock.now();
  table.reads.add(erased);
  try {
    const unsettled = table.unsettled.get(id);
    if (unsettled !== undefined) await new Promise<void>((resolve) => unsettled.push(resolve));
    const stored = await table.deps.store.loadSession(id);
    if (stored !== null && (await isElsewhere(table, stored))) failure = UNDONE;
    const arrival = stored === null ? null : await arrivalOf(table, stored);
    isRead = true;
    // Whoever made it may have taken it in meanwhile: there is one match of a session, ever.
    if (failure === NOT_FOUND) match = table.matches.get(id) ?? null;
    if (match === null && stored !== null && arrival !== null && failure === NOT_FOUND) {
      match = admitOrBreak(table, stored);
      first = firstWork(table, match, arrival, askedAt);
      if (stored.holder === table.deps.node) match.asleep = false;
    }
  } catch (error) {
    if (isRead) table.deps.onBroken(id, error);
    else noteUnread(table, id, error);
    failure = UNAVAILABLE;
  }
  table.loading.delete(id);
  table.reads.delete(erased);
  if (match === null) {
    if (isRead) table.taken.delete(id);
    for (const work of waiting) answer(work, failure);
    return;
  }
  for (const player of erased) forgetIn(match, player);
  match.mailbox.push(...first, ...waiting);
  next(table, match);
}

/** A log that not even begins can be held by nobody: the store is not to offer it again. */
function admitOrBreak(table: MatchTable, stored: StoredSession): Match {
  try {
    return admit(table, stored, (match, error) => breakMatch(table, match, error));
  } catch (error) {
    table.deps.store.sleep([{ id: stored.row.id, wakeAt: null }]).catch(() => undefined);
    throw error;
  }
}

/** Does what waits, one after another, until a commit is under way or nothing waits. */
export function next(table: MatchTable, match: Match): void {
  while (!match.busy) {
    const work = match.mailbox.shift();
    if (work !== undefined) perform(table, match, work);
    else if (rearm(table, match)) return;
  }
}

function perform(table: MatchTable, match: Match, work: Work): void {
  table.pulse.look(table.deps.clock.now());
  if (work !== GIVE_BACK) match.touchedAt = table.deps.clock.now();
  try {
    const command = work.command(match);
    if ('repeatOf' in command) {
      answer(work, { kind: 'done', v: command.repeatOf, match });
    } else if ('code' in command) {
      rejected(table, work, { kind: 'rejected', ...command });
    } else {
      const { session } = match;
      const decision = decide(session, command, timeOf(table, match), lostIn(table, match));
      const { steps, rejection } = decision;
      const refusal: WorkResult | null =
        rejection === null ? null : { kind: 'rejected', ...rejection };
      if (steps.length > 0) commit(table, match, { work, steps, refusal });
      else if (refusal !== null) rejected(table, work, refusal);
      else answer(work, { kind: 'done', v: match.session.v, match });
    }
  } catch (error) {
    breakMatch(table, match, error, work);
  }
}

/** Is it nothing but time that was lost? */
function isPause(steps: readonly Step[]): boolean {
  return steps.every(({ entry }) => entry.record.k === 'paused');
}

function rejected(table: MatchTable, work: Work, refusal: WorkResult): void {
  table.stats.rejections += 1;
  answer(work, refusal);
}

/**
 * An engine threw: this match is ended as the next thing it does, and no other is touched. Whoever
 * asked for what it threw at is told when that is committed. `next` is the caller's to call.
 */
export function breakMatch(table: MatchTable, match: Match, error: unknown, work?: Work): void {
  table.stats.broken += 1;
  table.deps.onBroken(match.row.id, error);
  const abort: Work = {
    command: () => ({ kind: 'abort' }),
    done: (result) => {
      if (work !== undefined) answer(work, result.kind === 'done' ? BROKEN : UNAVAILABLE);
      return undefined;
    },
  };
  if (match.isBroken) {
    // Not even its end can be written: whoever comes next reads the log.
    leave(table, match, abort);
    return;
  }
  match.isBroken = true;
  match.mailbox.unshift(abort);
}

/** Work on its way into the log. `refusal` is set when only time that ran out is recorded. */
interface Pending {
  readonly work: Work;
  readonly steps: readonly Step[];
  readonly refusal: WorkResult | null;
  /** The head of the log's chain with the steps. */
  readonly head: string;
}

function commit(table: MatchTable, match: Match, asked: Omit<Pending, 'head'>): void {
  const { store, clock } = table.deps;
  const entries = asked.steps.map((step) => step.entry);
  const pending = { ...asked, head: extendChain(match.head, entries) };
  const change = changeWithSeal(table, match, pending);
  const { id: session, tenant, mode, world } = match.row;
  const sentAt = clock.now();
  const { makeEventId } = table.deps;
  const checks = addedChecks(match.row.integrity, change?.integrity);
  const events = [
    ...makeStepEvents(match.row, pending.steps, makeEventId),
    ...makeCheckEvents(match.row, session, checks, entries.at(-1)!, makeEventId),
  ];
  const { trace } = pending.work;
  store.commit({ session, tenant, mode, world, entries, change, events, trace }, (outcome) => {
    if (outcome === 'committed') committed(table, match, { ...pending, change, sentAt });
    else void recover(table, match, { ...pending, change, sentAt }, outcome);
  });
  // Only now: what cannot be written down has thrown.
  match.busy = true;
  match.asleep = false;
}

/** What the commit changes beside the log; what ends is sealed with it. */
function changeWithSeal(table: MatchTable, match: Match, pending: Pending): SessionChange | null {
  const { work, steps, refusal, head } = pending;
  const { after: session } = steps.at(-1)!;
  const change = changeOf(
    match,
    steps,
    refusal === null ? work.change?.(match, session) : undefined,
  );
  if (change?.status !== 'ended') return change;
  const row = rowAfter(match.row, change);
  const roster = rosterAfter(match, pending);
  return { ...change, seal: table.deps.seals.make({ row, roster, session, head }) };
}

function rosterAfter(match: Match, { work, steps, refusal }: Pending): Roster {
  const { after } = steps.at(-1)!;
  return (refusal === null ? work.roster?.(match, after) : undefined) ?? match.roster;
}

/** A commit has been answered: whoever waits to read what it wrote may do so. */
function settle({ unsettled }: MatchTable, { row }: Match): void {
  const waiting = unsettled.get(row.id) ?? [];
  unsettled.delete(row.id);
  for (const go of waiting) go();
}

/** Work whose commit has been sent. */
interface Sent extends Pending {
  readonly change: SessionChange | null;
  /** When, ms since 1970. */
  readonly sentAt: number;
}

function committed(table: MatchTable, match: Match, sent: Sent): void {
  const { work, steps, refusal, change, sentAt } = sent;
  const after = steps.at(-1)!.after;
  noteCommit(table.service, match.lost, waitedMs(table, sentAt));
  match.isPaused = isPause(steps);
  table.stats.commits += 1;
  table.stats.records += steps.length;
  match.roster = rosterAfter(match, sent);
  const shownBefore = match.shown;
  const gone = dismissLeavers(match, change?.left ?? []);
  match.session = after;
  match.head = sent.head;
  // From here on its log says that it is this process's.
  table.taken.delete(match.row.id);
  if (change !== null) match.row = rowAfter(match.row, change);
  if (change?.status !== undefined) table.deps.onStatus?.(match.row);
  for (const step of steps) rememberCommand(match.commands, step.entry);
  const isHere = table.matches.get(match.row.id) === match;
  const frames = isHere ? framesOf(table, match, steps) : [];
  try {
    tell(table, match, work, refusal ?? { kind: 'done', v: after.v, match }, frames);
    tellSeats(table, match, change?.seats ?? []);
    for (const subscriber of gone) {
      subscriber.send([makeLeft(after, subscriber.viewer!, shownBefore)]);
      subscriber.lost();
    }
    if (change?.left !== undefined) for (const notify of table.leftListeners) notify(match);
    // At once, as nobody else knows of it; after those who wait, whose records may bring it along.
    if (isHere) giveBack(table, match);
  } finally {
    match.busy = false;
    settle(table, match);
    next(table, match);
  }
}

/**
 * Was time lost that has to be written down, though nothing else happens? What a pause's own commit took has not:
 * a slow store would have one pause after the other.
 */
export function owes(table: MatchTable, match: Match): boolean {
  if (lostIn(table, match) === 0) return false;
  return !match.isPaused || stillMs(table.service, match.lost) > 0;
}

/**
 * Has lost time written down, as whoever holds the match next may not know of it. A second time in a row only once the
 * service has recovered, or the process ends.
 */
export function giveBack(table: MatchTable, match: Match, isEnd = false): void {
  const isDue = !match.isPaused || isEnd || table.service.hasRecovered(table.deps.clock.now());
  if (isDue && owes(table, match)) enqueue(table, match, GIVE_BACK);
}

function framesOf(table: MatchTable, match: Match, steps: readonly Step[]): Frame[] {
  const frames: Frame[] = [];
  try {
    let isStateDue = table.ticks.follow(match);
    const ticksAt = steps.findLastIndex(({ entry }) => entry.record.k === 'ticks');
    for (const [index, step] of steps.entries()) {
      // Of a match whose ticks are ahead of its log one state is shown, and what was played since:
      // none once these ticks have ended it, as everybody was shown them before.
      if (showsState(step.entry.record) && (match.room !== null || index < ticksAt)) {
        isStateDue ||= match.room !== null;
        continue;
      }
      const frame = makeStepFrame(step, match.roster, match.shown, steps[index + 1]);
      if (frame === null) continue;
      frames.push(frame);
      match.shown = step.entry.v;
    }
    if (isStateDue) frames.push(...wholeState(match));
  } catch (error) {
    breakMatch(table, match, error);
  }
  return frames;
}

/** Play came to a stand, or goes on, and no record says so. */
export function announce(table: MatchTable, match: Match): void {
  showAll(table, match, wholeState(match));
}

function showAll(table: MatchTable, match: Match, frames: readonly Frame[]): void {
  for (const subscriber of match.subscribers) {
    const texts = textsFor(table, match, frames, subscriber);
    if (texts.length > 0) subscriber.send(texts);
  }
}

/** Answers the work, and shows the frames to everybody; to its origin in one write. */
function tell(
  table: MatchTable,
  match: Match,
  work: Work,
  result: WorkResult,
  frames: readonly Frame[],
): void {
  // Fixed before `done`, which may add a subscriber: that one is sent a whole state.
  const audience = match.subscribers.size === 0 ? [] : [...match.subscribers];
  const first = work.done(result);
  let isOriginTold = first === undefined;
  const same = textsForAll(frames);
  for (const subscriber of audience) {
    const texts = same ?? textsFor(table, match, frames, subscriber);
    if (subscriber === work.origin && first !== undefined) {
      isOriginTold = true;
      subscriber.send([first, ...texts]);
    } else if (texts.length > 0) subscriber.send(texts);
  }
  if (!isOriginTold) work.origin?.send([first!]);
}

function textsFor(
  table: MatchTable,
  match: Match,
  frames: readonly Frame[],
  { viewer }: Subscriber,
): string[] {
  try {
    return frames.map((frame) => (frame.shared ? frame.text : frame.text(viewer)));
  } catch (error) {
    if (!match.isBroken) breakMatch(table, match, error);
    return [];
  }
}

function answer(work: Work, result: WorkResult): void {
  const first = work.done(result);
  if (first !== undefined) work.origin?.send([first]);
}

/** A commit failed or its fate is unknown: the log alone can say what became of it. */
async function recover(
  table: MatchTable,
  match: Match,
  sent: Sent,
  outcome: CommitOutcome,
): Promise<void> {
  const { steps, work, change, sentAt } = sent;
  if (outcome === 'conflict') table.stats.conflicts += 1;
  else table.stats.unknowns += 1;
  const { id } = match.row;
  const stored = await table.deps.store.loadSession(id).catch((error: unknown) => {
    noteUnread(table, id, error);
    return null;
  });
  if (stored !== null && steps.every((step) => holds(stored, step))) {
    committed(table, match, sent);
    return;
  }
  if (outcome === 'unknown' || waitedMs(table, sentAt) >= INTERRUPTION_MS) {
    table.service.hadTrouble(table.deps.clock.now());
  }
  const isUndone = stored !== null && outcome === 'conflict';
  // Who was to get a seat is told of it if he did.
  if (!isUndone && change?.seats !== undefined) lookFor(table, id);
  try {
    leave(table, match, work, isUndone ? UNDONE : UNAVAILABLE);
  } finally {
    settle(table, match);
  }
}

/** What is in memory may not be what is kept. Whoever comes next reads the log. */
function leave(table: MatchTable, match: Match, underWay: Work, result = UNAVAILABLE): void {
  wantBack(table, match.row.id);
  dismiss(table, match);
  answer(underWay, result);
  letGo(table, match);
}

/** Drops a match that may be another node's. What is under way is answered when that is known. */
export function letGo(table: MatchTable, match: Match): void {
  const { id } = match.row;
  const isBusy = match.busy && table.matches.get(id) === match;
  // Others may wait for it already.
  if (isBusy && !table.unsettled.has(id)) table.unsettled.set(id, []);
  wantBack(table, id);
  dismiss(table, match);
  for (const work of match.mailbox.splice(0)) answer(work, UNDONE);
  const shown = [...match.subscribers];
  match.subscribers.clear();
  for (const subscriber of shown) subscriber.lost();
}

function holds(stored: StoredSession, step: Step): boolean {
  const entry = stored.entries[step.entry.v];
  return entry !== undefined && JSON.stringify(entry) === JSON.stringify(step.entry);
}

/**
 * The match is at rest. Sets the alarm for what comes next: a warning, or the end of somebody's time. False when the
 * engine broke over it; then there is work in the mailbox.
 */
function rearm(table: MatchTable, match: Match): boolean {
  if (table.matches.get(match.row.id) !== match) return true;
  try {
    const at = nextLook(match);
    table.alarms.set(match, at === null ? null : at - match.aheadMs);
    if (table.ticks.follow(match)) announce(table, match);
    for (const tell of table.restListeners) tell(match);
    return true;
  } catch (error) {
    breakMatch(table, match, error);
    return false;
  }
}

/** When the match is to be looked at although nobody has sent anything; null for never. */
function nextLook({ session, warned }: Match): number | null {
  const deadline = firstDeadline(session);
  if (deadline === null) return null;
  if (session.status !== 'active' || warned === session.turnStartedAt) return deadline.at;
  return Math.min(warningTime(session) ?? Infinity, deadline.at);
}
