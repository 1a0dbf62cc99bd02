/** Rule S3a: a player leaves a session that is still pending. */

import { expect, test } from 'bun:test';
import { shippedGames } from '../games/registry.ts';
import {
  follow,
  kindsOf,
  makeTestSetup,
  openTrace,
  T0,
  type Trace,
} from '../testing/matches/session-trace.ts';
import { findCommand, makeCommandIndex } from './commands.ts';
import { BrokenLogError, evolve } from './evolve.ts';
import { makeReplay, verifyReplay } from './replay/replay.ts';
import { drawSeats, openSeat } from './seating.ts';
import type { Roster } from './session.ts';
import { entropyOf } from './session.ts';

const NOBODY: Roster = [];
const leave = (seat: number, id: string | null = 'l') => ({ kind: 'leave', seat, id }) as const;
const join = { kind: 'join', bot: false } as const;
const connect = (seat: number) => ({ kind: 'connect', seat }) as const;

function lastDecision(trace: Trace) {
  return trace.commands.at(-1)!.decision;
}

test('[S3a] a seat that was left is as if nobody had ever taken it', () => {
  let trace = openTrace(makeTestSetup(), [0], []);
  const before = follow(trace, join, T0).session.seats;
  trace = follow(trace, connect(0), T0);
  trace = follow(trace, join, T0);
  trace = follow(trace, { kind: 'entropy', seat: 1, value: 'mine' }, T0);
  trace = follow(trace, leave(1), T0 + 1);
  expect(trace.session.status).toBe('pending');
  expect(trace.session.seats[0]!.connected).toBe(true);
  expect(entropyOf(trace.session)).toBe('["",""]');
  trace = follow(trace, join, T0 + 2);
  expect(trace.session.seats[1]).toEqual(before[1]!);
  // A new player has to connect once, like everybody (rule S1).
  expect(trace.session.status).toBe('pending');
  expect(follow(trace, connect(1), T0 + 3).session.status).toBe('active');
});

test('[S3a] a session without players is aborted, bots or not', () => {
  const alone = follow(openTrace(makeTestSetup(), [0], []), leave(0), T0);
  expect(kindsOf(alone.entries)).toEqual(['created', 'left', 'ended']);
  expect(alone.session).toMatchObject({ status: 'ended', outcome: { reason: 'aborted' } });
  const withBot = follow(openTrace(makeTestSetup(), [0, 1], [1]), leave(0), T0);
  expect(withBot.session.status).toBe('ended');
  const botGone = follow(openTrace(makeTestSetup(), [0, 1], [1]), leave(1, null), T0);
  expect(botGone.session.status).toBe('pending');
  expect(botGone.session.seats[1]).toMatchObject({ taken: false, isBot: false });
});

test('[S3a] nobody can leave an open seat, or a session that is active or over', () => {
  const open = openTrace(makeTestSetup(), [0], []);
  expect(lastDecision(follow(open, leave(1), T0)).rejection?.code).toBe('unknown_session');
  let trace = openTrace(makeTestSetup(), [0, 1], []);
  trace = follow(follow(trace, connect(0), T0), connect(1), T0);
  trace = follow(trace, leave(0), T0);
  expect(lastDecision(trace)).toEqual({
    steps: [],
    rejection: { code: 'session_not_pending', error: 'Session is not pending' },
  });
  const over = follow(follow(trace, { kind: 'abort' }, T0), leave(0), T0);
  expect(lastDecision(over).rejection?.code).toBe('session_not_pending');
});

test('[S3a] nobody can connect to a seat that was left', () => {
  let trace = openTrace(makeTestSetup(), [0, 1], []);
  trace = follow(trace, leave(1), T0);
  trace = follow(trace, connect(1), T0);
  expect(lastDecision(trace).rejection?.code).toBe('unknown_session');
  expect(kindsOf(trace.entries)).toEqual(['created', 'left']);
});

test('[S3a] a log with an impossible departure is broken', () => {
  const { session } = openTrace(makeTestSetup(), [0], []);
  const entry = { v: 1, at: T0, record: { k: 'left', seat: 1, id: null } } as const;
  expect(() => evolve(session, entry)).toThrow(BrokenLogError);
});

test('[S3a][P4] a seat knows only the ids of its latest player', () => {
  let trace = openTrace(makeTestSetup(), [0, 1], []);
  trace = follow(trace, leave(1, 'a'), T0);
  expect(findCommand(makeCommandIndex(trace.entries), 1, 'a')?.v).toBe(1);
  trace = follow(trace, join, T0);
  expect(findCommand(makeCommandIndex(trace.entries), 1, 'a')).toBeNull();
});

test('[S2][S3a] a drawn seat that was left is the next one taken, and the replay verifies', () => {
  for (const seed of ['1', '2', '3', '4', '5', '6'].map((digit) => digit.repeat(64))) {
    const setup = makeTestSetup({ game: 'ludo', seats: 4, seating: 'drawn', seed });
    const order = drawSeats(seed, 4);
    let trace = openTrace(setup, order.slice(0, 3), []);
    trace = follow(trace, leave(order[1]!), T0);
    expect(openSeat(trace.session)).toBe(order[1]!);
    const replay = makeReplay(trace.session, NOBODY, trace.entries);
    expect(replay.drawnSeats).toEqual([order[0]!, order[2]!]);
    expect(verifyReplay(shippedGames, replay, seed).ok).toBe(true);
    const tampered = { ...replay, drawnSeats: [...replay.drawnSeats!].reverse() };
    expect(verifyReplay(shippedGames, tampered, seed).ok).toBe(false);
    trace = follow(follow(trace, join, T0), join, T0);
    for (const seat of order) trace = follow(trace, connect(seat), T0);
    expect(trace.session.status).toBe('active');
    const whole = makeReplay(trace.session, NOBODY, trace.entries);
    expect(whole.drawnSeats).toEqual(order);
    expect(verifyReplay(shippedGames, whole, seed).ok).toBe(true);
  }
});
