/** The time of a session computed a second time, without shifting: in service time, as a law. */

import { expect } from 'bun:test';
import type { Seat } from '../../../game/src/game.ts';
import { RETURN_GRACE_MS, turnDeadline } from '../../match/deadline.ts';
import type { Step } from '../../match/decide.ts';
import { gameOf } from '../../match/evolve.ts';
import { turnOf } from '../../match/frames/frames.ts';
import type { Entry } from '../../match/record.ts';
import type { Session } from '../../match/session.ts';
import type { Trace } from './session-trace.ts';

/** A session's times. All are in service time: without lost time. */
interface Books {
  lostMs: number;
  turnStartedAt: number;
  clockMs: number[] | null;
  /** Since when each seat has been absent; null while connected. */
  readonly awayAt: (number | null)[];
  /** How long each seat may be absent: if the service disconnected it, at least `RETURN_GRACE_MS`. */
  readonly graceMs: number[];
  /** Version of the last missed turn: it may cost its seat with the next record. */
  missedAtV: number;
}

/**
 * Nobody times out early or plays on late, and the clocks show what was used: every record about
 * time is checked against the times of the records before it and their lost time.
 */
export function checkTimes({ first, commands }: Trace): void {
  const { seats, expiresAt, disconnectGraceMs } = first.setup;
  const books: Books = {
    lostMs: 0,
    turnStartedAt: 0,
    clockMs: null,
    awayAt: Array<number | null>(seats).fill(null),
    graceMs: Array<number>(seats).fill(disconnectGraceMs),
    missedAtV: -1,
  };
  let before = first;
  for (const { decision, command } of commands) {
    for (const step of decision.steps) {
      const { record, at } = step.entry;
      if (record.k === 'paused' || record.k === 'owned') books.lostMs += record.lostMs;
      const now = at - books.lostMs;
      if (record.k === 'ended' && record.outcome.reason === 'expired') {
        expect(now).toBeGreaterThanOrEqual(expiresAt);
      }
      const isAsked = command.kind === 'abort' || command.kind === 'leave';
      if (record.k === 'ended' && record.outcome.reason === 'aborted' && !isAsked) {
        expect(absences(before, books).every((ms) => ms <= now)).toBe(true);
      }
      keepBooks(books, before, step, now);
      before = step.after;
      checkBooks(books, before);
    }
  }
}

/** When the grace period of each playing human ends; never for a connected one. */
function absences({ seats }: Session, { awayAt, graceMs }: Books): number[] {
  return seats.flatMap(({ isBot, forfeited }, seat) =>
    isBot || forfeited !== null ? [] : [(awayAt[seat] ?? Infinity) + graceMs[seat]!],
  );
}

function keepBooks(books: Books, before: Session, { entry, after }: Step, now: number): void {
  const { record } = entry;
  const turn = turnOf(before);
  const used = now - books.turnStartedAt;
  if (record.k === 'missed') books.missedAtV = entry.v;
  if (record.k === 'action' || record.k === 'missed' || record.k === 'forfeited') {
    checkInTime(books, before, entry, now);
  }
  switch (record.k) {
    case 'connected':
    case 'left':
      books.awayAt[record.seat] = null;
      return;
    case 'disconnected':
      books.awayAt[record.seat] = now;
      books.graceMs[record.seat] = Math.max(
        before.setup.disconnectGraceMs,
        record.putAway ? RETURN_GRACE_MS : 0,
      );
      return;
    case 'owned':
      for (const [seat, { connected }] of before.seats.entries()) {
        if (!connected) continue;
        books.awayAt[seat] = now;
        books.graceMs[seat] = Math.max(before.setup.disconnectGraceMs, RETURN_GRACE_MS);
      }
      return;
    case 'started': {
      const { clock } = before.setup;
      books.turnStartedAt = now;
      books.clockMs = clock === null ? null : before.seats.map(() => clock.initialMs);
      for (const [seat, { connected, isBot }] of before.seats.entries()) {
        if (!connected && !isBot) books.awayAt[seat] = now;
      }
      return;
    }
    case 'action':
    case 'missed': {
      const increment = turnOf(after) === turn ? 0 : (before.setup.clock?.incrementMs ?? 0);
      useTime(books, turn, used, increment);
      if (!isSameRound(before, after, record.seat)) books.turnStartedAt = now;
      return;
    }
    case 'forfeited':
      if (isSameRound(before, after, null)) return;
      useTime(books, turn, used, 0);
      books.turnStartedAt = now;
      return;
    case 'ended':
      useTime(books, turn, used, 0);
      return;
    default:
      return;
  }
}

/** If several act at once, those who have not acted yet have the rest of the same time. */
function isSameRound(before: Session, after: Session, acted: Seat | null): boolean {
  if (before.status !== 'active' || after.status !== 'active') return false;
  const [was, is] = [before.play.acting, after.play.acting];
  return is.length > 0 && is.every((seat) => was.includes(seat) && seat !== acted);
}

function useTime(books: Books, seat: Seat | null, used: number, increment: number): void {
  if (books.clockMs === null || seat === null) return;
  books.clockMs[seat] = Math.max(0, books.clockMs[seat]! - used) + increment;
}

/** Whether the seat to move was in time, or not, as the record says. */
function checkInTime(books: Books, before: Session, { v, record }: Entry, now: number): void {
  if (record.k !== 'action' && record.k !== 'missed' && record.k !== 'forfeited') return;
  const { setup, seats } = before;
  const { seat } = record;
  const used = now - books.turnStartedAt;
  const clock = books.clockMs?.[seat] ?? Infinity;
  const afk = setup.afk ? limitOf(before) : Infinity;
  if (record.k === 'action') {
    expect(used).toBeLessThan(Math.min(afk, clock));
  } else if (record.k === 'missed') {
    expect(used).toBeGreaterThanOrEqual(afk);
    expect(afk).toBeLessThan(clock);
  } else if (record.reason === 'afk_timeout' && v === books.missedAtV + 1) {
    const play = before.status === 'active' ? before.play : null;
    expect(gameOf(before).hasMissedOut!(play!.state, seat)).toBe(true);
  } else if (record.reason === 'afk_timeout') {
    expect(used).toBeGreaterThanOrEqual(afk);
    expect(before.status === 'active' && before.play.acting).toContain(seat);
  } else if (record.reason === 'clock_timeout') {
    expect(used).toBeGreaterThanOrEqual(clock);
    expect(turnOf(before)).toBe(seat);
  } else if (record.reason === 'disconnect') {
    expect(now - books.awayAt[seat]!).toBeGreaterThanOrEqual(books.graceMs[seat]!);
    const isSomebodyHere = seats.some(
      (other) => (other.connected || other.isBot) && other.forfeited === null,
    );
    expect(isSomebodyHere || hasWinner(before)).toBe(true);
  }
}

/** A turn's limit, set by the game or the session. */
function limitOf(session: Session): number {
  const { turnTimeoutMs } = session.setup;
  if (session.status !== 'active') return turnTimeoutMs;
  return gameOf(session).turnLimitMs?.(session.play.state, turnTimeoutMs) ?? turnTimeoutMs;
}

function hasWinner(session: Session): boolean {
  if (session.status !== 'active') return false;
  return gameOf(session).hasWinner?.(session.play.state) === true;
}

/** The session has the same in its own, shifted times. */
function checkBooks(books: Books, after: Session): void {
  if (after.status === 'pending') return;
  if (after.status === 'ended' && after.outcome.reason === 'aborted') return;
  if (after.startedAt !== null) expect(after.clockMs).toEqual(books.clockMs);
  if (after.status !== 'active') return;
  expect(after.turnStartedAt - books.lostMs).toBe(books.turnStartedAt);
  for (const [seat, { disconnectedAt, connected, isBot }] of after.seats.entries()) {
    if (isBot && disconnectedAt === null) continue;
    expect(disconnectedAt === null).toBe(connected);
    expect(disconnectedAt === null ? null : disconnectedAt - books.lostMs).toBe(
      books.awayAt[seat]!,
    );
  }
  const limit = turnDeadline(after);
  if (limit !== null && books.clockMs !== null && limit.reason === 'clock_timeout') {
    expect(limit.at - books.lostMs).toBe(books.turnStartedAt + books.clockMs[limit.seat]!);
  }
}
