/** A move's way through a match: decide, commit, then notify. One at a time. */

import { makeCheckEvents } from '../../events/check-events.ts';
import { makeStepEvents } from '../../events/session-events.ts';
import { addedChecks } from '../../integrity/checks.ts';
import { rememberCommand } from '../../match/commands.ts';
import { firstDeadline, warningTime } from '../../match/deadline.ts';
import type { Step } from '../../match/decide.ts';
import { decide } from '../../match/decide.ts';
import { makeLeft } from '../../match/frames/frames.ts';
import type { Roster, Session } from '../../match/session.ts';
import type { CommitOutcome, SessionChange, StoredSession } from '../../store/store.ts';
import { extendChain } from '../signing/log-chain.ts';
import {
  makeFrames,
  publish,
  removeLeavers,
  type Shown,
  showState,
  withTexts,
} from './audience.ts';
import { abandon, noteLeft } from './match-leave.ts';
import type { Match, MatchTable } from './match-table.ts';
import { isHeld, isReady } from './match-table.ts';
import { isLostTimeDue, lostIn, PAUSE_AGAIN_MS, waitedMs } from './match-time.ts';
import { answer, BROKEN, BUSY, UNAVAILABLE, UNDONE } from './refusals.ts';
import { noteReadFailure, probeLater } from './reloads.ts';
import { notifySeats } from './seated.ts';
import { changeOf, rowAfter } from './session-change.ts';
import { INTERRUPTION_MS, noteCommit } from './time/lost-time.ts';
import { RECORD_LOST_TIME, type Work, type WorkResult } from './work.ts';

/** Work that may wait for one match. Above this, work is refused as `busy`. */
export const MAILBOX_MAX = 64;

/** Queues work in a mailbox. False when it is full: then the work is answered. */
export function post(mailbox: Work[], work: Work): boolean {
  const isRoom = mailbox.length < MAILBOX_MAX || work.essential === true;
  if (isRoom) mailbox.push(work);
  else answer(work, BUSY);
  return isRoom;
}

export function enqueue(table: MatchTable, match: Match, work: Work): void {
  if (post(match.mailbox, work)) next(table, match);
}

/** Runs the queued work, one item at a time, until a commit is in progress or the queue is empty. */
export function next(table: MatchTable, match: Match): void {
  while (isReady(match)) {
    const work = match.mailbox.shift();
    if (work !== undefined) perform(table, match, work);
    else if (rest(table, match)) return;
  }
}

// ── decide ─────────────────────────────────────────────────────────────────────────────────────

function perform(table: MatchTable, match: Match, work: Work): void {
  const now = table.deps.clock.now();
  table.pulse.check(now);
  if (work !== RECORD_LOST_TIME) match.touchedAt = now;
  try {
    const command = work.command(match);
    if ('repeatOf' in command) {
      answer(work, { kind: 'done', v: command.repeatOf, match });
    } else if ('code' in command) {
      refuse(table, work, { kind: 'rejected', ...command });
    } else {
      const { session } = match;
      const [at, lostMs] = [now + match.aheadMs, lostIn(table, match)];
      const { steps, rejection, draft } = table.runRules(session.rules, 'decide', () => {
        const decision = decide(session, command, at, lostMs);
        return { ...decision, draft: draftFrames(match, work, decision.steps) };
      });
      const refusal: WorkResult | null =
        rejection === null ? null : { kind: 'rejected', ...rejection };
      if (steps.length > 0) commit(table, match, { work, steps, refusal, draft });
      else if (refusal !== null) refuse(table, work, refusal);
      else answer(work, { kind: 'done', v: match.session.v, match });
    }
  } catch (error) {
    breakMatch(table, match, error, work);
  }
}

function refuse(table: MatchTable, work: Work, refusal: WorkResult): void {
  table.stats.rejections += 1;
  answer(work, refusal);
}

/** Records lost time. */
export function recordLostTime(table: MatchTable, match: Match): void {
  if (isLostTimeDue(table, match)) enqueue(table, match, RECORD_LOST_TIME);
}

/**
 * An engine threw: this match is aborted as its next step, and no other is affected. The request that caused it is
 * answered once the abort is committed. The caller calls `next`.
 */
export function breakMatch(table: MatchTable, match: Match, error: unknown, work?: Work): void {
  table.stats.broken += 1;
  table.deps.onBroken(match.row.id, error, match.row.game);
  const abort: Work = {
    command: () => ({ kind: 'abort' }),
    done: (result) => {
      if (work !== undefined) answer(work, result.kind === 'done' ? BROKEN : UNAVAILABLE);
      return undefined;
    },
  };
  if (match.isBroken) {
    // Not even the end can be written.
    abandon(table, match, abort);
    return;
  }
  match.isBroken = true;
  match.mailbox.unshift(abort);
}

/** The same for a match that may already be about to be aborted. */
export function breakOnce(table: MatchTable, match: Match, error: unknown): void {
  if (!match.isBroken) breakMatch(table, match, error);
}

// ── commit ─────────────────────────────────────────────────────────────────────────────────────

/** The decision. `refusal` is set when only expired time is recorded. */
interface Decided {
  readonly work: Work;
  readonly steps: readonly Step[];
  readonly refusal: WorkResult | null;
  /** The frames of the commit, if they were made with the decision. */
  readonly draft: Shown | null;
}

/** What was sent to the store. */
interface Sent extends Decided {
  /** The head of the log's chain with the steps. */
  readonly head: string;
  readonly change: SessionChange | null;
  /** When, ms since 1970. */
  readonly sentAt: number;
}

function commit(table: MatchTable, match: Match, decided: Decided): void {
  const { store, clock, makeEventId } = table.deps;
  const { work, steps } = decided;
  const entries = steps.map((step) => step.entry);
  const head = extendChain(match.head, entries);
  const change = changeWithSeal(table, match, decided, head);
  const sent: Sent = { ...decided, head, change, sentAt: clock.now() };
  const { id: session, tenant, mode, world } = match.row;
  const checks = addedChecks(match.row.integrity, change?.integrity);
  const events = [
    ...makeStepEvents(match.row, steps, makeEventId, match.session),
    ...makeCheckEvents(match.row, session, checks, entries.at(-1)!, makeEventId),
  ];
  const { trace } = work;
  store.commit({ session, tenant, mode, world, entries, change, events, trace }, (outcome) => {
    if (outcome === 'committed') committed(table, match, sent);
    else void resolveOutcome(table, match, sent, outcome);
  });
  // Only now: a step that cannot be serialized has thrown.
  match.phase = 'committing';
}

/** What the commit changes besides the log; an ended session is sealed with it. */
function changeWithSeal(
  table: MatchTable,
  match: Match,
  decided: Decided,
  head: string,
): SessionChange | null {
  const { work, steps, refusal } = decided;
  const { after: session } = steps.at(-1)!;
  const asked = refusal === null ? work.change?.(match, session) : undefined;
  const { row } = match;
  const isAsleep = match.phase === 'asleep';
  const change = changeOf({ row, session: match.session, isAsleep }, steps, asked);
  if (change?.status !== 'ended') return change;
  const roster = rosterAfter(match, decided);
  const seal = table.deps.seals.make({ row: rowAfter(row, change), roster, session, head });
  return { ...change, seal };
}

function rosterAfter(match: Match, { work, steps, refusal }: Decided): Roster {
  const { after } = steps.at(-1)!;
  return (refusal === null ? work.roster?.(match, after) : undefined) ?? match.roster;
}

/** A commit failed or its outcome is unknown: only the log can say what happened. */
async function resolveOutcome(
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
    noteReadFailure(table, id, error);
    return null;
  });
  if (stored !== null && steps.every((step) => holds(stored, step))) {
    committed(table, match, sent);
    return;
  }
  const now = table.deps.clock.now();
  if (outcome === 'unknown' || waitedMs(table, sentAt, now) >= INTERRUPTION_MS) {
    table.downtime.noteTrouble(now);
  }
  const isUndone = stored !== null && outcome === 'conflict';
  // The player who was to get a seat is notified if the commit succeeds.
  if (!isUndone && change?.seats !== undefined) probeLater(table, id);
  try {
    abandon(table, match, work, isUndone ? UNDONE : UNAVAILABLE);
  } finally {
    noteLeft(table, match);
  }
}

function holds(stored: StoredSession, step: Step): boolean {
  const entry = stored.entries[step.entry.v];
  return entry !== undefined && JSON.stringify(entry) === JSON.stringify(step.entry);
}

// ── notify ─────────────────────────────────────────────────────────────────────────────────────

function committed(table: MatchTable, match: Match, sent: Sent): void {
  const { work, steps, refusal, draft, change, sentAt } = sent;
  const after = steps.at(-1)!.after;
  const now = table.deps.clock.now();
  // A stall that is noticed only later would count twice.
  table.pulse.check(now);
  noteCommit(table.downtime, match.lost, waitedMs(table, sentAt, now));
  const isPause = steps.every(({ entry }) => entry.record.k === 'paused');
  match.pauseFrom = isPause ? now + PAUSE_AGAIN_MS : 0;
  table.stats.commits += 1;
  table.stats.records += steps.length;
  match.roster = rosterAfter(match, sent);
  const shownBefore = match.shown;
  const gone = removeLeavers(match, change?.left ?? []);
  const before = match.session;
  match.session = after;
  match.head = sent.head;
  // From here on the log names this process as the owner.
  table.seized.delete(match.row.id);
  if (change !== null) match.row = rowAfter(match.row, change);
  if (change?.status !== undefined) table.deps.onStatus?.(match.row);
  for (const step of steps) rememberCommand(match.commands, step.entry);
  const isHere = isHeld(match);
  const shown = isHere ? (draft ?? showOf(table, match, before, steps)) : null;
  const frames = shown?.frames ?? [];
  match.shown = shown?.v ?? match.shown;
  try {
    const result: WorkResult = refusal ?? { kind: 'done', v: after.v, match };
    publish(match, work, result, frames, (error) => breakOnce(table, match, error));
    notifySeats(table, match, change?.seats ?? []);
    for (const subscriber of gone) {
      subscriber.send([makeLeft(after, subscriber.viewer!, shownBefore)]);
      subscriber.lost();
    }
    if (change?.left !== undefined) for (const notify of table.listeners.left) notify(match);
    // At once, because no other process knows of it; after the waiting work, whose records may include it.
    if (isHere) recordLostTime(table, match);
  } finally {
    if (match.phase === 'committing') {
      match.phase = 'resting';
      next(table, match);
    } else noteLeft(table, match);
  }
}

function showOf(
  table: MatchTable,
  match: Match,
  before: Session,
  steps: readonly Step[],
): Shown | null {
  try {
    const isStateDue = table.ticks.follow(match);
    const { rules } = match.session;
    return table.runRules(rules, 'frames', () => {
      const shown = makeFrames(match, before, steps, isStateDue);
      return rules.hash === null ? shown : withTexts(shown, match.subscribers);
    });
  } catch (error) {
    breakMatch(table, match, error);
    return null;
  }
}

/**
 * The frames of a decision, made before its commit and sent after it. Only for an operator's rules: a guarded call
 * costs more than most rules do, so a move makes one. Null if the commit changes the audience, or play goes by the
 * clock.
 */
function draftFrames(match: Match, work: Work, steps: readonly Step[]): Shown | null {
  const { rules } = match.session;
  const isPlain = work.roster === undefined && work.change === undefined;
  if (rules.hash === null || rules.game.ticks !== undefined || !isPlain) return null;
  // The end must be written even if it cannot be shown.
  if (match.isBroken) return null;
  try {
    return withTexts(makeFrames(match, match.session, steps, false), match.subscribers);
  } catch {
    // The move counts. Its frames are made again after the commit, and an error then aborts the match.
    return null;
  }
}

/** Play stopped or resumed without a record. */
export function announce(table: MatchTable, match: Match): void {
  showState(match, (error) => breakOnce(table, match, error));
}

// ── rest ───────────────────────────────────────────────────────────────────────────────────────

/**
 * No work waits. Sets the alarm for the next warning or deadline. False when the engine threw; then there is work
 * in the mailbox.
 */
function rest(table: MatchTable, match: Match): boolean {
  try {
    const at = nextCheckAt(match);
    table.alarms.set(match, at === null ? null : at - match.aheadMs);
    if (table.ticks.follow(match)) announce(table, match);
    for (const notify of table.listeners.rest) notify(match);
    return true;
  } catch (error) {
    breakMatch(table, match, error);
    return false;
  }
}

/** When the match needs a check without any input; null for never. */
function nextCheckAt({ session, warned }: Match): number | null {
  const deadline = firstDeadline(session);
  if (deadline === null) return null;
  if (session.status !== 'active' || warned === session.turnStartedAt) return deadline.at;
  return Math.min(warningTime(session) ?? Infinity, deadline.at);
}
