/** The life of a piece of work: decide, commit, and only then tell. One at a time for a match. */

import { makeCheckEvents } from '../events/check-events.ts';
import { makeStepEvents } from '../events/session-events.ts';
import { addedChecks } from '../integrity/checks.ts';
import { rememberCommand } from '../match/commands.ts';
import { firstDeadline, warningTime } from '../match/deadline.ts';
import type { Command, Decision, Step } from '../match/decide.ts';
import { decide } from '../match/decide.ts';
import type { Frame } from '../match/frames.ts';
import { makeLeft, makeStepFrame, showsState } from '../match/frames.ts';
import type { Roster } from '../match/session.ts';
import type { CommitOutcome, SessionChange, StoredSession } from '../store/store.ts';
import { dismissLeavers, textsForAll, wholeState } from './audience.ts';
import { firstWork, isElsewhere, unheldFrom, unservedFrom } from './holders.ts';
import type { Erased, Match, MatchTable } from './match-table.ts';
import {
  admit,
  dismiss,
  forgetHow,
  forgetIn,
  lookFor,
  lostSince,
  noteRead,
  noteUnread,
  noteUnwritten,
  tellSeats,
} from './match-table.ts';
import { STALL_MS } from './pulse.ts';
import { BROKEN, BUSY, NOT_FOUND, UNAVAILABLE, UNDONE } from './refusals.ts';
import { changeOf, rowAfter } from './session-change.ts';
import { extendChain } from './signing/log-chain.ts';
import { EASE, type Subscriber, type Work, type WorkResult } from './work.ts';

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

export function enqueue(table: MatchTable, match: Match, work: Work): void {
  if (match.mailbox.length >= MAILBOX_MAX && !work.essential) {
    answer(work, BUSY);
    return;
  }
  const isHeld = match.isPausing && work !== EASE && work.essential !== true;
  match.mailbox.push(isHeld ? { ...work, heldFrom: table.deps.clock.now() } : work);
  if (!match.busy) next(table, match);
}

async function load(table: MatchTable, id: string, waiting: Work[]): Promise<void> {
  let match: Match | null = null;
  let failure = NOT_FOUND;
  let lostFrom: number | null = null;
  let unheld: number | null = null;
  let isRead = false;
  const erased: Erased[] = [];
  const askedAt = table.deps.clock.now();
  table.reads.add(erased);
  try {
    const unsettled = table.unsettled.get(id);
    if (unsettled !== undefined) await new Promise<void>((resolve) => unsettled.push(resolve));
    const stored = await table.deps.store.loadSession(id);
    if (stored !== null) lostFrom = await unservedFrom(table, stored);
    if (stored !== null && (await isElsewhere(table, stored))) failure = UNDONE;
    else match = table.matches.get(id) ?? null;
    isRead = true;
    // Whoever made it may have taken it in meanwhile: there is one match of a session, ever.
    if (match === null && stored !== null && failure === NOT_FOUND) {
      match = admitOrBreak(table, stored);
      unheld = unheldFrom(table, stored, match.session);
      noteRead(table, id, askedAt, match.session.at);
    }
  } catch (error) {
    if (isRead) table.deps.onBroken(id, error);
    else noteUnread(table, id, askedAt, error);
    failure = UNAVAILABLE;
  }
  if (isRead) table.unread.delete(id);
  table.loading.delete(id);
  table.reads.delete(erased);
  // Whom it was seized from may be heard of again by the next time.
  table.seized.delete(id);
  const isClaimed = table.claimed.has(id);
  if (match === null) {
    if (failure !== UNAVAILABLE) forgetHow(table, id);
    for (const work of waiting) answer(work, failure);
    return;
  }
  for (const player of erased) forgetIn(match, player);
  if (isClaimed) match.asleep = false;
  match.mailbox.push(...firstWork(table, match, { lostFrom, unheld }), ...waiting);
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
  const now = table.deps.clock.now();
  table.pulse.look(now);
  if (work !== EASE) {
    match.touchedAt = now;
    match.isEased = false;
  }
  try {
    const command = work.command(match);
    if ('repeatOf' in command) {
      answer(work, { kind: 'done', v: command.repeatOf, match });
    } else if ('code' in command) {
      rejected(table, work, { kind: 'rejected', ...command });
    } else {
      const { steps, rejection } = decideNow(table, match, work, command, now);
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

/** Who was kept waiting while lost time was written down is not charged for that, where he does anything. */
function decideNow(
  table: MatchTable,
  match: Match,
  work: Work,
  command: Command,
  now: number,
): Decision {
  const { lostFrom = now, heldFrom = now } = work;
  if (now - heldFrom >= STALL_MS) {
    const from = Math.min(lostFrom, heldFrom);
    const held = decide(match.session, command, now, lostSince(table, match, now, from));
    if (!isPause(held.steps)) return held;
  }
  return decide(match.session, command, now, lostSince(table, match, now, lostFrom));
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
  const from = clock.now();
  const { makeEventId } = table.deps;
  const checks = addedChecks(match.row.integrity, change?.integrity);
  const events = [
    ...makeStepEvents(match.row, pending.steps, makeEventId),
    ...makeCheckEvents(match.row, session, checks, { v: entries.at(-1)!.v, at: from }, makeEventId),
  ];
  const { trace } = pending.work;
  store.commit({ session, tenant, mode, world, entries, change, events, trace }, (outcome) => {
    // What only records lost time keeps nobody from playing: its own time is not lost.
    const askedAt = match.isPausing ? clock.now() : from;
    table.answers.answered(askedAt, clock.now(), outcome !== 'unknown');
    if (outcome === 'committed') committed(table, match, pending, change);
    else void recover(table, match, pending, change, outcome);
  });
  // Only now: what cannot be written down has thrown.
  match.busy = true;
  match.isPausing = isPause(pending.steps);
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

function committed(
  table: MatchTable,
  match: Match,
  pending: Pending,
  change: SessionChange | null,
): void {
  const { work, steps, refusal } = pending;
  const after = steps.at(-1)!.after;
  const isSlow = !isPause(steps) && noteWait(table, match, steps[0]!.entry.at);
  table.stats.commits += 1;
  table.stats.records += steps.length;
  match.roster = rosterAfter(match, pending);
  const shownBefore = match.shown;
  const gone = dismissLeavers(match, change?.left ?? []);
  match.session = after;
  match.head = pending.head;
  // What was before is in the log with it.
  table.unserved.drop(match.row.id, after.status === 'ended' ? Infinity : after.at);
  table.unwritten.delete(match.row.id);
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
    if (isSlow && table.matches.get(match.row.id) === match) ease(table, match);
  } finally {
    match.busy = false;
    match.isPausing = false;
    settle(table, match);
    next(table, match);
  }
}

/** Nobody in the match was told anything between `from` and now; was that long? It is charged to none of them. */
function noteWait(table: MatchTable, { row: { id } }: Match, from: number): boolean {
  const to = table.deps.clock.now();
  if (to - from < STALL_MS) return false;
  // One that is another's by now is no matter of this table any more.
  const isOurs = table.matches.has(id) || table.orphans.has(id) || table.loading.has(id);
  if (isOurs) table.unserved.add(id, { from, to });
  return isOurs;
}

/** Since when somebody waits for a commit that only records lost time; never where nobody does. */
function heldSince({ mailbox }: Match): number {
  return mailbox.reduce((least, { heldFrom = Infinity }) => Math.min(least, heldFrom), Infinity);
}

/**
 * Has the time recorded that was lost since the match's last record, as whoever holds it next may not
 * know of it. Once, until somebody has to do with it: a service that is slow for all loses time again and again.
 */
export function ease(table: MatchTable, match: Match): void {
  if (match.isEased || lostSince(table, match, table.deps.clock.now()) === 0) return;
  match.isEased = true;
  enqueue(table, match, EASE);
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
  pending: Pending,
  change: SessionChange | null,
  outcome: CommitOutcome,
): Promise<void> {
  if (outcome === 'conflict') table.stats.conflicts += 1;
  else table.stats.unknowns += 1;
  const { id } = match.row;
  let unreadFor: unknown = null;
  const stored = await table.deps.store.loadSession(id).catch((error: unknown) => {
    unreadFor = error;
    return null;
  });
  if (stored !== null && pending.steps.every((step) => holds(stored, step))) {
    committed(table, match, pending, change);
    return;
  }
  const isUndone = stored !== null && outcome === 'conflict';
  // Who was to get a seat is told of it if he did.
  if (!isUndone && change?.seats !== undefined) lookFor(table, id);
  try {
    const { steps } = pending;
    const from = isPause(steps) ? heldSince(match) : steps[0]!.entry.at;
    noteWait(table, match, from);
    const since = Math.min(from, table.deps.clock.now());
    if (unreadFor !== null) noteUnread(table, id, since, unreadFor);
    if (outcome === 'unknown') noteUnwritten(table, id, since);
    leave(table, match, pending.work, isUndone ? UNDONE : UNAVAILABLE);
  } finally {
    settle(table, match);
  }
}

/** What is in memory may not be what is kept. Whoever comes next reads the log. */
function leave(table: MatchTable, match: Match, underWay: Work, result = UNAVAILABLE): void {
  table.orphans.add(match.row.id);
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
  table.orphans.add(id);
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
    table.alarms.set(match, nextLook(match));
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
