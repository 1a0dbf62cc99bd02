/** The laws of every session, whatever was done to it, checked on whole traces. */

import { expect } from 'bun:test';
import { shippedGames } from '../../games/registry.ts';
import { nextDeadline } from '../../match/deadline.ts';
import type { Decision } from '../../match/decide.ts';
import { decide, REJECT_CODES } from '../../match/decide.ts';
import { evolve, foldSession, gameOf } from '../../match/evolve.ts';
import type { Entry, LogRecord } from '../../match/record.ts';
import { COMMON_REASONS } from '../../match/record.ts';
import type { Session } from '../../match/session.ts';
import type { RandomSession, TimedCommand } from './random-session.ts';
import type { Trace } from './session-trace.ts';
import { follow, kindsOf, openTrace } from './session-trace.ts';

const YEAR_MS = 365 * 24 * 60 * 60 * 1_000;

/** As loaded from the store. */
export function thaw<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}

/** The log is valid: versions without a gap, times that never fall, and it folds to the session. */
function checkLog({ session, entries }: Trace): void {
  expect(entries.map(({ v }) => v)).toEqual(entries.map((_, index) => index));
  const times = entries.map(({ at }) => at);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(foldSession(shippedGames.findPlayed, 'ses_test', thaw(entries))).toEqual(session);
  const kinds = kindsOf(entries);
  expect(kinds.filter((kind) => kind === 'created')).toEqual(['created']);
  expect(kinds.filter((kind) => kind === 'started').length).toBeLessThanOrEqual(1);
  const end = kinds.indexOf('ended');
  expect(end === -1 || end === kinds.length - 1).toBe(true);
  expect(end !== -1).toBe(session.status === 'ended');
}

/** Every step follows from the one before by its record only. */
function checkSteps({ commands }: Trace): void {
  for (const { before, decision, now } of commands) {
    let session: Session = before;
    for (const { entry, after } of decision.steps) {
      expect(entry.at).toBe(Math.max(now, before.at));
      session = evolve(session, thaw(entry));
      expect(after).toEqual(session);
    }
  }
}

/** A rejection has no effect but that of time, and names the error. */
function checkRejections({ commands }: Trace): void {
  for (const { decision, before } of commands) {
    if (before.status === 'ended') expect(decision.steps).toEqual([]);
    if (decision.rejection === null) continue;
    expect(REJECT_CODES).toContain(decision.rejection.code);
    expect(decision.rejection.error).toMatch(/^[A-Z].{3,}[^.]$/);
    expect(decision.steps.every(({ entry }) => isOfTime(entry))).toBe(true);
    expect(kindsOf(decision.steps.map(({ entry }) => entry))).not.toEqual(['paused']);
  }
}

function isOfTime({ record }: Entry): boolean {
  if (record.k === 'forfeited') return record.id === null && record.reason !== 'resignation';
  return record.k === 'paused' || record.k === 'missed' || record.k === 'ended';
}

/** `nextDeadline` is exactly the first millisecond at which a tick changes something. */
function checkDeadlines(trace: Trace): void {
  for (const session of [trace.first, ...trace.commands.map(({ after }) => after)]) {
    const deadline = nextDeadline(session);
    if (deadline === null) {
      expect(tick(session, session.at + YEAR_MS).steps).toEqual([]);
      continue;
    }
    if (deadline > session.at) expect(tick(session, deadline - 1).steps).toEqual([]);
    const due = tick(session, deadline);
    expect(due.steps.length).toBeGreaterThan(0);
    const next = nextDeadline(due.steps.at(-1)!.after);
    expect(next === null || next > due.steps.at(-1)!.entry.at).toBe(true);
  }
}

function tick(session: Session, now: number): Decision {
  return decide(session, { kind: 'tick' }, now);
}

/** Every end has a known reason, and a place for every seat. */
function checkOutcome({ session }: Trace): void {
  if (session.status !== 'ended') return;
  const { outcome, seats, play } = session;
  const first = outcome.places.flatMap((place, seat) => (place === 1 ? [seat] : []));
  expect(outcome.places.length).toBe(seats.length);
  expect(outcome.winners.length === 0 ? first.length : outcome.winners).toEqual(
    outcome.winners.length === 0 ? seats.length : first,
  );
  const own = play === null ? null : gameOf(session).outcome(play.state);
  if (own !== null) expect(outcome).toEqual(own);
  else if (outcome.reason === 'time_up') {
    const game = gameOf(session);
    expect(outcome).toEqual(game.timeUp!(play!.state));
    expect(session.endedAt - session.startedAt!).toBeGreaterThanOrEqual(
      game.timeLimitMs!(session.setup)!,
    );
  } else expect(COMMON_REASONS.some((reason) => reason === outcome.reason)).toBe(true);
}

/** All laws that need only the trace. */
export function checkTrace(trace: Trace): void {
  checkLog(trace);
  checkSteps(trace);
  checkRejections(trace);
  checkDeadlines(trace);
  checkOutcome(trace);
}

/** The commands of a trace, with times that never fall: `decide` would raise them anyway. */
function timedCommands({ first, commands }: Trace): readonly TimedCommand[] {
  let latest = first.at;
  return commands.map(({ command, now, lostMs }) => {
    latest = Math.max(latest, now);
    return { command, now: latest, lostMs };
  });
}

function again(random: RandomSession, commands: readonly TimedCommand[]): Trace {
  return commands.reduce(
    (trace, { command, now, lostMs }) => follow(trace, command, now, lostMs),
    openTrace(random.setup, random.taken, random.bots),
  );
}

/**
 * Lost time is charged to nobody: a session with a downtime before one of its commands is the same
 * session without it, only later from there on.
 */
export function checkLostTime(random: RandomSession, trace: Trace, where: number): void {
  const commands = timedCommands(trace);
  if (commands.length === 0) return;
  const from = where % commands.length;
  const lostMs = 1 + ((where * 7_919) % 900_000);
  const plain = again(random, commands);
  let later = openTrace(random.setup, random.taken, random.bots);
  let isRecorded = false;
  for (const [index, { command, now, lostMs: before }] of commands.entries()) {
    const isLater = index >= from;
    const known = later.entries.length;
    const extra = isLater && !isRecorded ? lostMs : 0;
    later = follow(later, command, isLater ? now + lostMs : now, before + extra);
    isRecorded ||= isLater && later.entries.length > known;
  }
  expect(withoutPauses(later, lostMs, from)).toEqual(withoutPauses(plain, 0, from));
}

/** The records without versions and pauses, at times without the downtime. */
function withoutPauses({ commands }: Trace, lostMs: number, from: number): unknown {
  return commands.map(({ decision: { steps, rejection } }, index) => ({
    rejection,
    records: steps
      .filter(({ entry }) => entry.record.k !== 'paused')
      .map(({ entry: { at, record } }) => ({
        at: index < from ? at : at - lostMs,
        record: record.k === 'owned' ? { ...record, lostMs: 0 } : record,
      })),
  }));
}

/**
 * If nobody plays on after a turn that timed out, the winner does not depend on how soon the
 * service checks. Of several timeouts the first counts.
 */
export function checkLateLooks(random: RandomSession, trace: Trace): void {
  const commands = timedCommands(trace);
  const late = again(random, commands);
  let prompt = openTrace(random.setup, random.taken, random.bots);
  for (const { command, now, lostMs } of commands) {
    // These two skip timeouts; and the lost time is known only with the command.
    const looks = command.kind !== 'own' && command.kind !== 'abort';
    if (looks && lostMs === 0) prompt = tickUntil(prompt, now);
    prompt = follow(prompt, command, now, lostMs);
  }
  expect(withoutTimes(prompt)).toEqual(withoutTimes(late));
}

/** Checks at the exact time of each deadline up to `now`. */
function tickUntil(trace: Trace, now: number): Trace {
  let looked = trace;
  for (;;) {
    const deadline = nextDeadline(looked.session);
    if (deadline === null || deadline > now) return looked;
    looked = follow(looked, { kind: 'tick' }, deadline);
  }
}

function withoutTimes({ entries }: Trace): unknown {
  return entries.filter(({ record }) => record.k !== 'paused').map(({ record }) => record);
}

/**
 * If others play on after a turn that timed out: a late check finds first what a prompt one would
 * have, and charges its lateness to nobody. At most one turn is lost by it, and the next seat has a
 * whole one, because nobody could see before that it was theirs.
 */
export function checkLateTurns({ commands }: Trace): void {
  for (const { before, command, now, lostMs, decision } of commands) {
    if (lostMs > 0 || command.kind === 'own' || command.kind === 'abort') continue;
    const deadline = nextDeadline(before);
    if (deadline === null || deadline > now) continue;
    const late = decision.steps.map(({ entry }) => entry.record);
    const prompt = tick(before, deadline).steps.map(({ entry }) => entry.record);
    expect(late.slice(0, prompt.length)).toEqual(prompt);
    const turns = decision.steps.filter((_, index) => isTurnLost(late, index));
    // Each acting seat loses one.
    const acting = before.status === 'active' ? before.play.acting.length : 0;
    expect(turns.length).toBeLessThanOrEqual(Math.max(1, acting));
    const after = turns.at(-1)?.after;
    if (after?.status === 'active') expect(after.turnStartedAt).toBe(after.at);
  }
}

/** Whether that record cost its seat a turn. A turn that was played may also cost the seat. */
function isTurnLost(records: readonly LogRecord[], index: number): boolean {
  const record = records[index]!;
  if (record.k === 'missed') return true;
  const isTimeout = record.k === 'forfeited' && record.reason.endsWith('_timeout');
  return isTimeout && records[index - 1]?.k !== 'missed';
}
