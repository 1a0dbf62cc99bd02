/** Deadlines and warnings to the millisecond. That ticks agree with them is a law in decide.test. */

import { describe, expect, test } from 'bun:test';
import type { Trace } from '../testing/matches/session-trace.ts';
import {
  asActive,
  follow,
  followAll,
  makeTestSetup,
  openTrace,
  SECOND,
  startTrace,
  T0,
} from '../testing/matches/session-trace.ts';
import { firstDeadline, nextDeadline, turnDeadline, warningTime } from './deadline.ts';
import type { SessionSetup } from './record.ts';

const warningOf = (trace: Trace): number | null => warningTime(asActive(trace.session));
const NO_TURNS: Partial<SessionSetup> = { afk: false };

describe('[P6] the warning', () => {
  test('[P6] comes at two thirds of the turn', () => {
    expect(warningOf(startTrace())).toBe(T0 + 40 * SECOND);
    expect(warningOf(startTrace({ turnTimeoutMs: 5_000 }))).toBe(T0 + 3_333);
  });

  test('[P6] starts over with each turn, and is delayed by lost time', () => {
    const moved = followAll(startTrace(), [
      [7 * SECOND, { kind: 'act', seat: 0, id: 'a', action: { position: 0 } }],
    ]);
    expect(warningOf(moved)).toBe(T0 + 47 * SECOND);
    const paused = follow(moved, { kind: 'tick' }, T0 + 30 * SECOND, 20 * SECOND);
    expect(warningOf(paused)).toBe(T0 + 67 * SECOND);
  });

  test('[P6] does not come where no `afk_timeout` threatens', () => {
    expect(warningOf(startTrace(NO_TURNS))).toBeNull();
    const clock = { initialMs: 30 * SECOND, incrementMs: 0 };
    expect(warningOf(startTrace({ clock }))).toBeNull();
    expect(warningOf(startTrace({ clock: { ...clock, initialMs: 90 * SECOND } }))).not.toBeNull();
  });
});

describe('[P6] the first deadline', () => {
  test('[P6] while pending, the session', () => {
    const { session } = openTrace(makeTestSetup());
    expect(firstDeadline(session)).toEqual({ kind: 'pending', at: T0 + 600 * SECOND });
  });

  test('[P6] none, where nothing is limited and after the end', () => {
    const trace = startTrace(NO_TURNS);
    expect(nextDeadline(trace.session)).toBeNull();
    expect(nextDeadline(follow(trace, { kind: 'abort' }, T0).session)).toBeNull();
  });

  test('[P6] the turn of the seat to move', () => {
    const { session } = startTrace();
    expect(firstDeadline(session)).toEqual({
      kind: 'turn',
      seat: 0,
      at: T0 + 60 * SECOND,
      reason: 'afk_timeout',
    });
    expect(turnDeadline(asActive(session))).toEqual({
      seat: 0,
      at: T0 + 60 * SECOND,
      reason: 'afk_timeout',
    });
  });

  test('[P6] a grace period; with nobody there the last one, even when the first is long past', () => {
    const gone = followAll(startTrace(NO_TURNS), [[5 * SECOND, { kind: 'disconnect', seat: 0 }]]);
    expect(firstDeadline(gone.session)).toEqual({ kind: 'grace', seat: 0, at: T0 + 65 * SECOND });
    const both = followAll(gone, [[40 * SECOND, { kind: 'disconnect', seat: 1 }]]);
    expect(firstDeadline(both.session)).toEqual({ kind: 'abandoned', at: T0 + 100 * SECOND });
  });

  test('[P6] a bot has no grace period: its turn counts', () => {
    const trace = followAll(openTrace(makeTestSetup(NO_TURNS)), [
      [0, { kind: 'connect', seat: 0 }],
      [0, { kind: 'join', bot: true }],
      [1, { kind: 'connect', seat: 1 }],
      [2, { kind: 'disconnect', seat: 1 }],
    ]);
    expect(asActive(trace.session).seats[1]).toMatchObject({ isBot: true, connected: false });
    expect(nextDeadline(trace.session)).toBeNull();
  });

  test('[P6] a grace period that nobody checked in time does not go unnoticed', () => {
    const gone = followAll(startTrace(NO_TURNS), [[5 * SECOND, { kind: 'disconnect', seat: 0 }]]);
    // Like a host that checks only after the grace period.
    expect(nextDeadline(gone.session)).toBe(T0 + 65 * SECOND);
    expect(follow(gone, { kind: 'tick' }, T0 + 900 * SECOND).session.status).toBe('ended');
  });
});
