/** The life of a piece of work: decide, commit, and only then tell. One at a time for a match. */

import { rememberCommand } from '../match/commands.ts';
import { nextDeadline, warningTime } from '../match/deadline.ts';
import type { Step } from '../match/decide.ts';
import { decide } from '../match/decide.ts';
import type { Frame } from '../match/frames.ts';
import { makeStepFrame } from '../match/frames.ts';
import type { Session } from '../match/session.ts';
import type { CommitOutcome, SessionChange, SessionRow, StoredSession } from '../store/store.ts';
import type { Match, MatchTable } from './match-table.ts';
import { admit, dismiss } from './match-table.ts';
import type { Subscriber, Work, WorkResult } from './work.ts';

/** Work that may wait for one match. More is refused as `busy`. */
export const MAILBOX_MAX = 64;
/** A commit that takes longer stops the clocks. */
const STALL_MS = 1_000;

const NOT_FOUND: WorkResult = { kind: 'not_found' };
const BUSY: WorkResult = {
  kind: 'rejected',
  code: 'busy',
  error: 'Too many commands are waiting in this session',
};
const UNAVAILABLE: WorkResult = {
  kind: 'rejected',
  code: 'unavailable',
  error: 'It is not known whether this was committed: send it again with the same id',
};
const BROKEN: WorkResult = {
  kind: 'rejected',
  code: 'session_ended',
  error: 'The match broke and was ended',
};

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
  } else if (waiting.length < MAILBOX_MAX) waiting.push(work);
  else answer(work, BUSY);
}

export function enqueue(table: MatchTable, match: Match, work: Work): void {
  if (match.mailbox.length >= MAILBOX_MAX) {
    answer(work, BUSY);
    return;
  }
  match.mailbox.push(work);
  if (!match.busy) next(table, match);
}

async function load(table: MatchTable, id: string, waiting: Work[]): Promise<void> {
  let match: Match | null = null;
  let failure = NOT_FOUND;
  try {
    const stored = await table.deps.store.loadSession(id);
    if (stored !== null) match = admit(table, stored);
  } catch (error) {
    table.deps.onBroken(id, error);
    failure = UNAVAILABLE;
  }
  table.loading.delete(id);
  if (match === null) {
    for (const work of waiting) answer(work, failure);
    return;
  }
  if (isForeign(table, match.session)) match.mailbox.push(takeOver(table.deps.node));
  match.mailbox.push(...waiting);
  next(table, match);
}

function isForeign(table: MatchTable, session: Session): boolean {
  return session.status !== 'ended' && session.node !== table.deps.node;
}

function takeOver(node: string): Work {
  return { command: () => ({ kind: 'own', node }), done: () => undefined };
}

function next(table: MatchTable, match: Match): void {
  while (!match.busy) {
    const work = match.mailbox.shift();
    if (work === undefined) {
      rearm(table, match);
      return;
    }
    perform(table, match, work);
  }
}

function perform(table: MatchTable, match: Match, work: Work): void {
  const { clock, downtimes } = table.deps;
  const now = clock.now();
  match.touchedAt = now;
  try {
    const command = work.command(match);
    if ('repeatOf' in command) {
      answer(work, { kind: 'done', v: command.repeatOf, match });
    } else if ('code' in command) {
      rejected(table, work, { kind: 'rejected', ...command });
    } else {
      const lostMs = downtimes.lostBetween(match.session.at, now);
      const { steps, rejection } = decide(match.session, command, now, lostMs);
      const refusal: WorkResult | null =
        rejection === null ? null : { kind: 'rejected', ...rejection };
      if (steps.length > 0) commit(table, match, { work, steps, refusal });
      else if (refusal !== null) rejected(table, work, refusal);
      else answer(work, { kind: 'done', v: match.session.v, match });
    }
  } catch (error) {
    breakDown(table, match, work, error);
  }
}

function rejected(table: MatchTable, work: Work, refusal: WorkResult): void {
  table.stats.rejections += 1;
  answer(work, refusal);
}

/** An engine threw: this match ends, no other is touched. */
function breakDown(table: MatchTable, match: Match, work: Work, error: unknown): void {
  table.stats.broken += 1;
  table.deps.onBroken(match.row.id, error);
  match.mailbox.unshift({ command: () => ({ kind: 'abort' }), done: () => undefined });
  answer(work, BROKEN);
}

/** Work on its way into the log. `refusal` is set when only time that ran out is recorded. */
interface Pending {
  readonly work: Work;
  readonly steps: readonly Step[];
  readonly refusal: WorkResult | null;
}

function commit(table: MatchTable, match: Match, pending: Pending): void {
  const { store, clock } = table.deps;
  const change = changeOf(match, pending);
  const { id: session, tenant, mode } = match.row;
  const entries = pending.steps.map((step) => step.entry);
  const from = clock.now();
  match.busy = true;
  match.asleep = false;
  store.commit({ session, tenant, mode, entries, change }, (outcome) => {
    const to = clock.now();
    if (to - from >= STALL_MS) table.deps.onStall(from, to);
    if (outcome === 'committed') committed(table, match, pending, change);
    else void recover(table, match, pending, change, outcome);
  });
}

function changeOf(match: Match, pending: Pending): SessionChange | null {
  const before = match.session;
  const after = pending.steps.at(-1)!.after;
  const asked = pending.refusal === null ? pending.work.change?.(match, after) : undefined;
  if (after.status === before.status && !match.asleep) return asked ?? null;
  return {
    ...asked,
    ...(match.asleep ? { awake: true } : null),
    ...(after.status !== before.status ? { status: after.status } : null),
    ...(after.status === 'active' && before.status === 'pending'
      ? { startedAt: after.startedAt }
      : null),
    ...(after.status === 'ended' ? { endedAt: after.endedAt } : null),
  };
}

function committed(
  table: MatchTable,
  match: Match,
  pending: Pending,
  change: SessionChange | null,
): void {
  const { work, steps, refusal } = pending;
  const after = steps.at(-1)!.after;
  table.stats.commits += 1;
  table.stats.records += steps.length;
  if (refusal === null && work.roster !== undefined) match.roster = work.roster(match, after);
  match.session = after;
  if (change !== null) match.row = rowAfter(match.row, change);
  for (const step of steps) rememberCommand(match.commands, step.entry);
  const frames = framesOf(match, steps);
  // Fixed before `done`, which may add a subscriber: that one is sent a whole state.
  const audience = match.subscribers.size === 0 ? [] : [...match.subscribers];
  const first = work.done(refusal ?? { kind: 'done', v: after.v, match });
  tell(audience, frames, work.origin, first);
  match.busy = false;
  next(table, match);
}

function rowAfter(row: SessionRow, change: SessionChange): SessionRow {
  if (change.status === undefined) return row;
  return {
    ...row,
    status: change.status,
    startedAt: change.startedAt ?? row.startedAt,
    endedAt: change.endedAt ?? row.endedAt,
  };
}

function framesOf(match: Match, steps: readonly Step[]): Frame[] {
  const frames: Frame[] = [];
  for (const step of steps) {
    const frame = makeStepFrame(step, match.roster, match.shown);
    if (frame === null) continue;
    frames.push(frame);
    match.shown = step.entry.v;
  }
  return frames;
}

/** Shows the frames to everybody, and `first` to the origin in the same write. */
function tell(
  audience: readonly Subscriber[],
  frames: readonly Frame[],
  origin: Subscriber | undefined,
  first: string | undefined,
): void {
  let isOriginTold = first === undefined;
  for (const subscriber of audience) {
    const texts = frames.map((frame) =>
      frame.shared ? frame.text : frame.text(subscriber.viewer),
    );
    if (subscriber === origin && first !== undefined) {
      isOriginTold = true;
      texts.unshift(first);
    }
    if (texts.length > 0) subscriber.send(texts);
  }
  if (!isOriginTold) origin?.send([first!]);
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
  const stored = await table.deps.store.loadSession(match.row.id).catch(() => null);
  if (stored !== null && pending.steps.every((step) => holds(stored, step))) {
    committed(table, match, pending, change);
    return;
  }
  // What is in memory may not be what is kept. Whoever comes next reads the log.
  dismiss(table, match);
  answer(pending.work, UNAVAILABLE);
  for (const work of match.mailbox.splice(0)) answer(work, UNAVAILABLE);
  for (const subscriber of match.subscribers) subscriber.lost();
}

function holds(stored: StoredSession, step: Step): boolean {
  const entry = stored.entries[step.entry.v];
  return entry !== undefined && JSON.stringify(entry) === JSON.stringify(step.entry);
}

/** Sets the alarm for what comes next: a warning, or the end of somebody's time. */
export function rearm(table: MatchTable, match: Match): void {
  const { session } = match;
  const deadline = nextDeadline(session) ?? Infinity;
  const warning =
    session.status === 'active' && match.warned !== session.turnStartedAt
      ? (warningTime(session) ?? Infinity)
      : Infinity;
  const at = Math.min(deadline, warning);
  if (at !== Infinity) table.alarms.set(match, at);
}
