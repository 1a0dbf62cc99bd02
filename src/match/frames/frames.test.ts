/** The frames of a session: what every viewer is shown, over random sessions and rule by rule. */

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { AnyGame } from '../../../game/src/game.ts';
import { connect4 } from '../../games/connect4/connect4.ts';
import { tictactoe } from '../../games/tictactoe/tictactoe.ts';
import { checkFrames, framesFor } from '../../testing/matches/frame-laws.ts';
import { anySession, playSession } from '../../testing/matches/random-session.ts';
import type { Trace } from '../../testing/matches/session-trace.ts';
import {
  followAll,
  makeTestRoster,
  makeTestSetup,
  openTrace,
  SECOND,
  startTrace,
  T0,
  TEST_ROOM_CODE,
} from '../../testing/matches/session-trace.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import { evolve } from '../evolve.ts';
import { makeState, makeTime, makeWarning, seatedPlayers } from './frames.ts';

const GAMES: readonly AnyGame[] = [tictactoe as AnyGame, connect4 as AnyGame];

/** Seat 0 completes the top row at second 5. */
function topRow(): Trace {
  const mark = (second: number, seat: number, position: number) =>
    [second * SECOND, { kind: 'act', seat, id: `m${second}`, action: { position } }] as const;
  return followAll(startTrace(), [
    mark(1, 0, 0),
    mark(2, 1, 3),
    mark(3, 0, 1),
    mark(4, 1, 4),
    mark(5, 0, 2),
  ]);
}

describe.each(GAMES.map((game) => [game.id, game] as const))('%s', (_, game) => {
  test(`[P3] every frame follows the one before and shows no secret (seed ${TEST_SEED})`, () => {
    const property = fc.property(anySession(game, 40), (random) =>
      checkFrames(playSession(random)),
    );
    fc.assert(property, { seed: TEST_SEED, numRuns: 100 });
  });
});

test('[P3] a move is shown with its consequences', () => {
  const [, , , move] = framesFor(topRow(), null);
  expect(move).toEqual({
    t: 'update',
    s: 'ses_test',
    v: 4,
    prev: 3,
    seat: 0,
    action: { position: 0 },
    view: { board: ['X', null, null, null, null, null, null, null, null] },
    turn: 1,
    legal: [1, 2, 3, 4, 5, 6, 7, 8].map((position) => ({ position })),
    clock: null,
    deadline: makeTime(T0 + 61 * SECOND),
    at: makeTime(T0 + SECOND),
  });
});

test('[P3] the last move is shown, and then the end', () => {
  const [move, over] = framesFor(topRow(), 1).slice(-2);
  expect(move).toMatchObject({ t: 'update', turn: null, legal: [], deadline: null, v: 8 });
  expect(over).toEqual({
    t: 'over',
    s: 'ses_test',
    v: 9,
    prev: 8,
    result: {
      winner: 'player-0',
      winners: ['player-0'],
      placements: [
        { playerId: 'player-0', seat: 0, isBot: false, place: 1 },
        { playerId: 'player-1', seat: 1, isBot: false, place: 2 },
      ],
      reason: 'three_in_a_row',
      durationMs: 5 * SECOND,
      moveCount: 5,
      line: [0, 1, 2],
    },
    at: makeTime(T0 + 5 * SECOND),
  });
});

test('[P3] when the session becomes active every seat gets a whole state', () => {
  for (const seat of [0, 1]) {
    const frames = framesFor(startTrace(), seat);
    expect(frames.map(({ t }) => t)).toEqual(['presence', 'presence', 'state']);
    expect(frames.at(-1)).toMatchObject({ status: 'active', seat, turn: 0, v: 3, prev: 2 });
  }
});

test('[P3] a pending session shows the opening position and when it expires', () => {
  const setup = makeTestSetup({ clock: { initialMs: 300_000, incrementMs: 0 } });
  const state = JSON.parse(
    makeState(openTrace(setup).session, {
      roomCode: TEST_ROOM_CODE,
      roster: makeTestRoster(2),
      viewer: 0,
      prev: 0,
    }),
  );
  expect(state).toMatchObject({
    status: 'pending',
    turn: null,
    legal: [],
    view: { board: Array(9).fill(null) },
    clock: { remainingMs: [300_000, 300_000], running: null, flagsAt: null },
    deadline: makeTime(setup.expiresAt),
    result: null,
  });
  expect(state.players.map(({ seat }: { seat: number }) => seat)).toEqual([0]);
});

test('[P3][S3] the room code is shown to the players of a private session while it opens a seat', () => {
  const codeFor = (trace: Trace, viewer: number | null = 0) =>
    JSON.parse(
      makeState(trace.session, {
        roomCode: TEST_ROOM_CODE,
        roster: makeTestRoster(2),
        viewer,
        prev: 0,
      }),
    ).roomCode;
  const setup = makeTestSetup();
  expect(codeFor(openTrace(setup))).toBe(TEST_ROOM_CODE);
  expect(codeFor(openTrace(setup), null)).toBeUndefined();
  expect(codeFor(openTrace(setup, [0, 1]))).toBeUndefined();
  expect(codeFor(openTrace(makeTestSetup({ matchType: 'matchmaking' })))).toBeUndefined();
  expect(codeFor(openTrace(makeTestSetup({ mode: 'training' })))).toBeUndefined();
  expect(codeFor(startTrace())).toBeUndefined();
  const left = followAll(openTrace(setup, [0, 1]), [[SECOND, { kind: 'leave', seat: 1, id: 'l' }]]);
  expect(codeFor(left)).toBe(TEST_ROOM_CODE);
});

test('[P6] an absence is shown with the time at which it ends', () => {
  const away = followAll(startTrace(), [[SECOND, { kind: 'disconnect', seat: 1 }]]);
  expect(framesFor(away, 0).at(-1)).toMatchObject({
    t: 'presence',
    seat: 1,
    connected: false,
    deadline: makeTime(T0 + 61 * SECOND),
  });
  const state = JSON.parse(
    makeState(away.session, {
      roomCode: TEST_ROOM_CODE,
      roster: makeTestRoster(2),
      viewer: 0,
      prev: 4,
    }),
  );
  expect(state.graces).toEqual([null, makeTime(T0 + 61 * SECOND)]);
});

test('[M5] a match that began without a player names the seat until they have connected', () => {
  const shown = ({ session }: Trace) =>
    JSON.parse(
      makeState(session, {
        roomCode: TEST_ROOM_CODE,
        roster: makeTestRoster(2),
        viewer: 0,
        prev: 1,
      }),
    ).awaited;
  const open = openTrace(makeTestSetup(), [0, 1]);
  expect(shown(open)).toBeUndefined();
  const entry = { v: open.session.v + 1, at: T0, record: { k: 'started' } } as const;
  const began = { ...open, session: evolve(open.session, entry) };
  expect(shown(began)).toEqual([0, 1]);
  const here = followAll(began, [[SECOND, { kind: 'connect', seat: 0 }]]);
  expect(shown(here)).toEqual([1]);
  // Leaving again is not the same as never having come.
  const gone = followAll(here, [
    [2 * SECOND, { kind: 'connect', seat: 1 }],
    [3 * SECOND, { kind: 'disconnect', seat: 1 }],
  ]);
  expect(shown(gone)).toBeUndefined();
});

test('[P6] the clock of the seat to move runs, and its end is a time', () => {
  const clock = { initialMs: 30 * SECOND, incrementMs: 2 * SECOND };
  const action = { column: 3 };
  const trace = followAll(startTrace({ game: 'connect4', clock }), [
    [4 * SECOND, { kind: 'act', seat: 0, id: 'a', action }],
  ]);
  const frame = framesFor(trace, null).at(-1);
  expect(frame).toMatchObject({
    clock: {
      remainingMs: [28 * SECOND, 30 * SECOND],
      running: 1,
      flagsAt: makeTime(T0 + 34 * SECOND),
    },
    deadline: makeTime(T0 + 34 * SECOND),
  });
});

test('[P6] a warning names the seat to move and the deadline', () => {
  const { session } = startTrace();
  expect(JSON.parse(makeWarning(session, 0, T0 + 60 * SECOND))).toEqual({
    t: 'warning',
    s: 'ses_test',
    v: 3,
    prev: 3,
    kind: 'afk',
    seat: 0,
    deadline: makeTime(T0 + 60 * SECOND),
  });
});

test('[P3] a bot is listed as one, and as connected', () => {
  const trace = followAll(openTrace(makeTestSetup()), [[0, { kind: 'join', bot: true }]]);
  expect(seatedPlayers(trace.session, makeTestRoster(2))).toEqual([
    { id: 'player-0', displayName: 'Ada', seat: 0, isBot: false, connected: false },
    { id: 'player-1', displayName: null, seat: 1, isBot: true, connected: true },
  ]);
});

test('[P3] the frames of a draw offer and a resignation', () => {
  const clock = { initialMs: 30 * SECOND, incrementMs: 0 };
  const trace = followAll(startTrace({ game: 'connect4', clock }), [
    [SECOND, { kind: 'draw', seat: 1, id: 'd', do: 'offer' }],
    [2 * SECOND, { kind: 'resign', seat: 0, id: 'r' }],
  ]);
  const [offer, resignation, over] = framesFor(trace, null).slice(-3);
  expect(offer).toMatchObject({ t: 'update', seat: 1, action: { draw: 'offer' }, turn: 0 });
  // It ends the match: nobody is to move, and no clock runs.
  expect(resignation).toMatchObject({
    t: 'update',
    seat: 0,
    action: { forfeit: 'resignation' },
    turn: null,
    legal: [],
    deadline: null,
    clock: { remainingMs: [28 * SECOND, 30 * SECOND], running: null },
  });
  expect(over).toMatchObject({ t: 'over', result: { winner: 'player-1', reason: 'resignation' } });
});
