/** The laws of `decide` over random sessions, and its rules one by one. */

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { AnyGame } from '../../game/src/game.ts';
import { connect4 } from '../games/connect4/connect4.ts';
import { tictactoe } from '../games/tictactoe/tictactoe.ts';
import { anySession, playSession } from '../testing/matches/random-session.ts';
import { checkLateLooks, checkLostTime, checkTrace } from '../testing/matches/session-laws.ts';
import { checkTimes } from '../testing/matches/session-time.ts';
import type { Trace } from '../testing/matches/session-trace.ts';
import {
  asActive,
  asEnded,
  follow,
  followAll,
  kindsOf,
  lastDecision,
  makeTestSetup,
  openTrace,
  SECOND,
  startTrace,
  T0,
} from '../testing/matches/session-trace.ts';
import { TEST_SEED } from '../testing/test-seed.ts';
import type { Command } from './decide.ts';
import type { SessionSetup } from './record.ts';

const RUNS = 300;
const GAMES: readonly AnyGame[] = [tictactoe as AnyGame, connect4 as AnyGame];

describe.each(GAMES.map((game) => [game.id, game] as const))('%s', (_, game) => {
  const check = (what: string, law: (trace: Trace) => void): void => {
    test(`${what} (seed ${TEST_SEED})`, () => {
      const property = fc.property(anySession(game), (random) => law(playSession(random)));
      fc.assert(property, { seed: TEST_SEED, numRuns: RUNS });
    });
  };
  check('[P7] any commands at any times keep the laws of a session', checkTrace);
  check('[P6] nobody times out early, plays on late or pays for lost time', checkTimes);

  test(`[P6] a session with a downtime is the same as one without, but later (seed ${TEST_SEED})`, () => {
    const property = fc.property(anySession(game, 40), fc.nat(), (random, where) =>
      checkLostTime(random, playSession(random), where),
    );
    fc.assert(property, { seed: TEST_SEED, numRuns: RUNS });
  });

  test(`[P6] a late check finds what a prompt one would have (seed ${TEST_SEED})`, () => {
    const property = fc.property(anySession(game, 40), (random) =>
      checkLateLooks(random, playSession(random)),
    );
    fc.assert(property, { seed: TEST_SEED, numRuns: RUNS });
  });
});

const join: Command = { kind: 'join', bot: false };
const tick: Command = { kind: 'tick' };
const connect = (seat: number): Command => ({ kind: 'connect', seat });
const disconnect = (seat: number): Command => ({ kind: 'disconnect', seat });
const resign = (seat: number): Command => ({ kind: 'resign', seat, id: 'r' });
const drop = (seat: number, column: number): Command => {
  return { kind: 'act', seat, id: `${seat}-${column}`, action: { column } };
};
const draw = (seat: number, step: 'offer' | 'accept' | 'decline'): Command => {
  return { kind: 'draw', seat, id: `${seat}-${step}`, do: step };
};

function connect4Trace(change: Partial<SessionSetup> = {}): Trace {
  return startTrace({ game: 'connect4', ...change });
}

/** Six moves from second 1 on, one per second, with nobody near a four. */
function sixMoves(trace: Trace, from = 1): Trace {
  const columns = [0, 2, 4, 6, 1, 3];
  return followAll(
    trace,
    columns.map((column, index) => [(from + index) * SECOND, drop(index % 2, column)] as const),
  );
}

function rejectionOf(trace: Trace): string | null {
  return lastDecision(trace).rejection?.code ?? null;
}

describe('the way to the start', () => {
  test('[S1] active as soon as every seat is taken and every human has connected once', () => {
    const joined = followAll(openTrace(makeTestSetup()), [
      [0, connect(0)],
      [1, disconnect(0)],
      [2, join],
    ]);
    expect(joined.session.status).toBe('pending');
    const started = follow(joined, connect(1), T0 + 3);
    expect(kindsOf(started.entries)).toEqual([
      'created',
      'connected',
      'disconnected',
      'joined',
      'connected',
      'started',
    ]);
    expect(asActive(started.session).startedAt).toBe(T0 + 3);
  });

  test('[P6] a player who is absent at the start has a full grace period from then on', () => {
    const trace = followAll(openTrace(makeTestSetup(), [0, 1]), [
      [0, connect(0)],
      [1 * SECOND, disconnect(0)],
      [50 * SECOND, connect(1)],
      [109_999, tick],
    ]);
    expect(trace.session.status).toBe('active');
    const ended = asEnded(follow(trace, tick, T0 + 110 * SECOND).session);
    expect(ended.outcome).toMatchObject({ winners: [1], reason: 'disconnect' });
  });

  test('[S1] a bot needs no connection', () => {
    const trace = followAll(openTrace(makeTestSetup()), [
      [0, connect(0)],
      [1, { kind: 'join', bot: true }],
    ]);
    expect(trace.session.status).toBe('active');
  });

  test('[S1] a session that is not active in time expires, to the millisecond', () => {
    const trace = followAll(openTrace(makeTestSetup()), [[599_999, tick]]);
    expect(trace.session.status).toBe('pending');
    const late = follow(trace, join, T0 + 600_000);
    expect(rejectionOf(late)).toBe('session_not_pending');
    expect(kindsOf(lastDecision(late).steps.map(({ entry }) => entry))).toEqual(['ended']);
    expect(asEnded(late.session)).toMatchObject({ startedAt: null, play: null, clockMs: null });
    expect(asEnded(late.session).outcome).toEqual({
      winners: [],
      places: [1, 1],
      reason: 'expired',
      detail: {},
    });
  });

  test('[S5] of any number of joins exactly the free seats succeed, in seat order', () => {
    let trace = openTrace(makeTestSetup({ seats: 4 }), [0]);
    const seats: number[] = [];
    for (let tries = 0; tries < 20; tries += 1) {
      trace = follow(trace, join, T0 + tries);
      const record = lastDecision(trace).steps[0]?.entry.record;
      if (record?.k === 'joined') seats.push(record.seat);
      else expect(rejectionOf(trace)).toBe('room_full');
    }
    expect(seats).toEqual([1, 2, 3]);
  });

  test('[S9] each player can add entropy once, before the start', () => {
    const entropy = (value: string): Command => ({ kind: 'entropy', seat: 0, value });
    const trace = followAll(openTrace(makeTestSetup(), [0, 1]), [
      [0, entropy('one')],
      [1, entropy('one')],
      [2, entropy('two')],
    ]);
    expect(trace.entries.length).toBe(2);
    expect(rejectionOf(trace)).toBe('entropy_given');
    expect(trace.session.seats.map((seat) => seat.entropy)).toEqual(['one', '']);
    const late = follow(startTrace(), entropy('three'), T0 + 1);
    expect(rejectionOf(late)).toBe('entropy_too_late');
    expect(lastDecision(late).steps).toEqual([]);
  });
});

describe('time', () => {
  test('[P6] a turn ends at its time and not a millisecond before', () => {
    const trace = follow(startTrace(), tick, T0 + 59_999);
    expect(lastDecision(trace).steps).toEqual([]);
    const ended = asEnded(follow(trace, tick, T0 + 60_000).session);
    expect(ended.outcome).toEqual({
      winners: [1],
      places: [2, 1],
      reason: 'afk_timeout',
      detail: {},
    });
  });

  test('[P6] a move at the very end of the turn is too late, and the end is recorded', () => {
    const move: Command = { kind: 'act', seat: 0, id: 'a', action: { position: 0 } };
    const inTime = follow(startTrace(), move, T0 + 59_999);
    expect(asActive(inTime.session).play.moveCount).toBe(1);
    const late = follow(startTrace(), move, T0 + 60_000);
    expect(rejectionOf(late)).toBe('session_ended');
    expect(kindsOf(lastDecision(late).steps.map(({ entry }) => entry))).toEqual([
      'forfeited',
      'ended',
    ]);
  });

  test('[P6] with `afk: false` a turn may last', () => {
    const trace = follow(startTrace({ afk: false }), tick, T0 + 1_000_000_000);
    expect(trace.session.status).toBe('active');
  });

  test('[P6] a move stops the clock and adds its increment', () => {
    const clock = { initialMs: 30 * SECOND, incrementMs: 2 * SECOND };
    const trace = followAll(connect4Trace({ clock }), [
      [10 * SECOND, drop(0, 0)],
      [11 * SECOND, drop(1, 0)],
      [12 * SECOND, drop(0, 1)],
    ]);
    expect(asActive(trace.session).clockMs).toEqual([23 * SECOND, 31 * SECOND]);
    expect(follow(trace, tick, T0 + 12 * SECOND + 30_999).session.status).toBe('active');
    const ended = asEnded(follow(trace, tick, T0 + 43 * SECOND).session);
    expect(ended.outcome).toMatchObject({ winners: [0], reason: 'clock_timeout' });
    expect(ended.clockMs).toEqual([23 * SECOND, 0]);
  });

  test('[P6] the shorter of turn and clock ends it; on a tie the clock', () => {
    const reasonWith = (initialMs: number): string => {
      const trace = connect4Trace({ clock: { initialMs, incrementMs: 0 } });
      return asEnded(follow(trace, tick, T0 + 600_000).session).outcome.reason;
    };
    expect(reasonWith(89_999)).toBe('clock_timeout');
    expect(reasonWith(90_000)).toBe('clock_timeout');
    expect(reasonWith(90_001)).toBe('afk_timeout');
  });

  test('[P6] a disconnected player loses at the end of the grace period, unless they return', () => {
    const gone = followAll(startTrace({ afk: false }), [[5 * SECOND, disconnect(0)]]);
    expect(follow(gone, tick, T0 + 64_999).session.status).toBe('active');
    const lost = asEnded(follow(gone, tick, T0 + 65_000).session);
    expect(lost.outcome).toMatchObject({ winners: [1], reason: 'disconnect' });
    const back = followAll(gone, [
      [64_999, connect(0)],
      [70_000, disconnect(0)],
      [129_999, tick],
    ]);
    expect(back.session.status).toBe('active');
    expect(follow(back, tick, T0 + 130_000).session.status).toBe('ended');
  });

  test('[P6] without a grace period a disconnect is the end', () => {
    const trace = startTrace({ disconnectGraceMs: 0 });
    const gone = followAll(trace, [
      [SECOND, disconnect(1)],
      [SECOND, tick],
    ]);
    expect(asEnded(gone.session).outcome).toMatchObject({ winners: [0], reason: 'disconnect' });
  });

  test('[S8] both absent past their grace periods: aborted, at the later end', () => {
    const gone = followAll(startTrace({ afk: false }), [
      [5 * SECOND, disconnect(0)],
      [10 * SECOND, disconnect(1)],
      [69_999, tick],
    ]);
    expect(gone.session.status).toBe('active');
    const ended = asEnded(follow(gone, tick, T0 + 70_000).session);
    expect(ended.outcome).toEqual({ winners: [], places: [1, 1], reason: 'aborted', detail: {} });
  });

  test('[S8] both absent when the turn ends too: aborted, and nobody has won', () => {
    const gone = followAll(startTrace(), [
      [0, disconnect(0)],
      [0, disconnect(1)],
      [60 * SECOND, tick],
    ]);
    expect(asEnded(gone.session).outcome.reason).toBe('aborted');
  });

  test("[S8] the player who returns first wins when the other's grace period is over", () => {
    const gone = followAll(startTrace({ afk: false }), [
      [5 * SECOND, disconnect(0)],
      [10 * SECOND, disconnect(1)],
    ]);
    const back = follow(gone, connect(1), T0 + 66 * SECOND);
    expect(asEnded(back.session).outcome).toMatchObject({ winners: [1], reason: 'disconnect' });
    // Nobody was there to win when seat 0's grace period ended.
    expect(follow(gone, connect(0), T0 + 66 * SECOND).session.status).toBe('active');
  });

  test('[P6] of a grace period and a turn that are both over the earlier one counts', () => {
    const gone = followAll(startTrace({ disconnectGraceMs: 50 * SECOND }), [
      [5 * SECOND, disconnect(1)],
      [70 * SECOND, tick],
    ]);
    expect(asEnded(gone.session).outcome).toMatchObject({ winners: [0], reason: 'disconnect' });
  });

  test('[P6] a rejected command records no pause, the next one does', () => {
    const trace = startTrace();
    const refused = follow(trace, drop(1, 0), T0 + 70 * SECOND, 65 * SECOND);
    expect(lastDecision(refused).steps).toEqual([]);
    const ticked = follow(refused, tick, T0 + 71 * SECOND, 65 * SECOND);
    expect(ticked.entries.at(-1)?.record).toEqual({ k: 'paused', lostMs: 65 * SECOND });
    expect(follow(ticked, tick, T0 + 124_999).session.status).toBe('active');
    expect(follow(ticked, tick, T0 + 125_000).session.status).toBe('ended');
  });

  test('[P6] a session is taken over: lost time is given back, grace periods begin', () => {
    const gone = followAll(startTrace({ afk: false }), [[10 * SECOND, disconnect(0)]]);
    const owned = follow(gone, { kind: 'own', node: 'b' }, T0 + 100 * SECOND, 80 * SECOND);
    expect(owned.session).toMatchObject({ epoch: 1, node: 'b' });
    expect(owned.session.seats.map((seat) => seat.disconnectedAt)).toEqual([
      T0 + 90 * SECOND,
      T0 + 100 * SECOND,
    ]);
    const ended = follow(owned, { kind: 'abort' }, T0 + 101 * SECOND);
    const again = follow(ended, { kind: 'own', node: 'c' }, T0 + 102 * SECOND);
    expect(lastDecision(again)).toEqual({ steps: [], rejection: null });
  });

  test('[P6] a player disconnected by a new owner has at least ten seconds to return', () => {
    const owned = followAll(startTrace({ disconnectGraceMs: 0 }), [
      [SECOND, { kind: 'own', node: 'b' }],
      [2 * SECOND, connect(0)],
      [10_999, tick],
    ]);
    expect(owned.session.status).toBe('active');
    const lost = asEnded(follow(owned, tick, T0 + 11 * SECOND).session);
    expect(lost.outcome).toMatchObject({ winners: [0], reason: 'disconnect' });
    // A player who left on their own afterwards has just the grace period.
    const back = followAll(owned, [
      [10_999, connect(1)],
      [10_999, disconnect(0)],
      [10_999, tick],
    ]);
    expect(asEnded(back.session).outcome).toMatchObject({ winners: [1], reason: 'disconnect' });
  });

  test('[P6] a player whom a takeover disconnected before the start has ten seconds from the start on', () => {
    const trace = followAll(openTrace(makeTestSetup({ disconnectGraceMs: 0 })), [
      [0, { kind: 'join', bot: false }],
      [0, connect(0)],
      [SECOND, { kind: 'own', node: 'b' }],
      [2 * SECOND, connect(1)],
      [11_999, tick],
    ]);
    expect(trace.session.status).toBe('active');
    expect(follow(trace, tick, T0 + 12 * SECOND).session.status).toBe('ended');
  });

  test('[P6] a clock that goes back does not take the log with it', () => {
    const trace = followAll(startTrace(), [
      [5 * SECOND, disconnect(1)],
      [3 * SECOND, connect(1)],
    ]);
    expect(trace.entries.at(-1)?.at).toBe(T0 + 5 * SECOND);
  });
});

describe('ends', () => {
  test('[S8] a player who resigns loses, whichever seat is to move', () => {
    for (const seat of [0, 1]) {
      const { session } = follow(startTrace(), resign(seat), T0 + 1);
      expect(asEnded(session).outcome).toMatchObject({
        winners: [1 - seat],
        reason: 'resignation',
      });
    }
  });

  test('[S8] aborted at any time, once', () => {
    for (const trace of [openTrace(makeTestSetup()), startTrace()]) {
      const ended = follow(trace, { kind: 'abort' }, T0 + 1);
      expect(asEnded(ended.session).outcome).toMatchObject({ winners: [], reason: 'aborted' });
      const again = follow(ended, { kind: 'abort' }, T0 + 2);
      expect(rejectionOf(again)).toBe('session_ended');
      expect(lastDecision(again).steps).toEqual([]);
    }
  });

  test('[P7] after the end every command is rejected as such and changes nothing', () => {
    const ended = follow(startTrace(), resign(0), T0 + 1);
    const rejections = [join, connect(0), disconnect(0), tick, resign(1), drop(1, 0)].map(
      (command) => {
        const after = follow(ended, command, T0 + 2, 1);
        expect(lastDecision(after).steps).toEqual([]);
        return rejectionOf(after);
      },
    );
    const none = [null, null, null];
    expect(rejections).toEqual(['session_not_pending', ...none, 'session_ended', 'session_ended']);
  });

  test('[P7] an invalid action is rejected with its first failed check', () => {
    const act = (seat: number, action: unknown): Command => ({
      kind: 'act',
      seat,
      id: 'a',
      action,
    });
    const codeOf = (trace: Trace, command: Command) => rejectionOf(follow(trace, command, T0 + 1));
    expect(codeOf(openTrace(makeTestSetup()), act(0, { position: 0 }))).toBe('session_not_active');
    expect(codeOf(startTrace(), act(1, { position: 9 }))).toBe('bad_action');
    expect(codeOf(startTrace(), act(1, { position: 0 }))).toBe('not_your_turn');
    const marked = follow(startTrace(), act(0, { position: 0 }), T0);
    expect(codeOf(marked, act(1, { position: 0 }))).toBe('illegal_move');
  });

  const SHOT = { aim: 0, speed: 1 };
  test.each([
    ['tictactoe', { position: 9 }, 'position has to be a whole number from 0 to 8'],
    ['tictactoe', 'x', 'position has to be a whole number from 0 to 8'],
    ['connect4', { column: '0' }, 'column'],
    ['checkers', { from: 40 }, 'to has to be a whole number from 0 to 99'],
    ['checkers', { from: 40, to: 33, path: [0.5] }, 'path has to be a list of at most 19 cells'],
    ['ludo', {}, 'roll or token is required'],
    ['ludo', { roll: 6 }, 'roll has to be true'],
    ['ludo', { token: 4 }, 'token has to be a whole number from 0 to 3'],
    ['pool', { aim: 0 }, 'shot or choose is required'],
    ['pool', { shot: { aim: 0 } }, 'shot.speed has to be a number'],
    ['pool', { shot: SHOT, call: { ball: 16 } }, 'call.ball has to be a whole number from 1 to 15'],
    ['pool', { choose: 'again' }, 'choose has to be one of accept, rerack, pass, spot'],
    ['fight-arena', { move: 1 }, 'what is held down is told by `in`'],
  ] as const)('[P7] a bad_action says what is wrong with it: %s %j', (game, action, words) => {
    const command: Command = { kind: 'act', seat: 0, id: 'a', action };
    const { rejection } = lastDecision(follow(startTrace({ game }), command, T0 + 1));
    expect(rejection?.code).toBe('bad_action');
    expect(rejection?.error).toStartWith(`Not an action of ${game}: `);
    expect(rejection?.error).toContain(words);
  });
});

describe('draws', () => {
  test('[E4] an accepted offer draws the match', () => {
    const trace = followAll(connect4Trace(), [
      [1, draw(1, 'offer')],
      [2, draw(0, 'accept')],
    ]);
    expect(asEnded(trace.session).outcome).toEqual({
      winners: [],
      places: [1, 1],
      reason: 'draw_agreed',
      detail: {},
    });
  });

  test('[E4] only the opponent answers, and only an open offer', () => {
    const offered = follow(connect4Trace(), draw(1, 'offer'), T0);
    expect(rejectionOf(follow(offered, draw(1, 'accept'), T0))).toBe('no_draw_offer');
    const declined = follow(offered, draw(0, 'decline'), T0);
    expect(asActive(declined.session).drawOfferedBy).toBeNull();
    expect(rejectionOf(follow(declined, draw(0, 'accept'), T0))).toBe('no_draw_offer');
  });

  test("[E4] a move of the opponent declines an offer, one's own move leaves it open", () => {
    const offered = followAll(connect4Trace(), [
      [1, draw(0, 'offer')],
      [2, drop(0, 0)],
    ]);
    expect(asActive(offered.session).drawOfferedBy).toBe(0);
    const moved = follow(offered, drop(1, 0), T0 + 3);
    expect(asActive(moved.session).drawOfferedBy).toBeNull();
  });

  test('[E4] one offer in ten plies, for each player separately', () => {
    const offered = follow(connect4Trace(), draw(0, 'offer'), T0);
    expect(rejectionOf(follow(offered, draw(1, 'offer'), T0))).toBeNull();
    const nine = followAll(sixMoves(offered), [
      [7 * SECOND, drop(0, 5)],
      [8 * SECOND, drop(1, 0)],
      [9 * SECOND, drop(0, 2)],
    ]);
    expect(rejectionOf(follow(nine, draw(0, 'offer'), T0 + 9 * SECOND))).toBe(
      'draw_offer_too_soon',
    );
    const ten = follow(nine, drop(1, 4), T0 + 10 * SECOND);
    expect(asActive(ten.session).play.moveCount).toBe(10);
    expect(rejectionOf(follow(ten, draw(0, 'offer'), T0 + 10 * SECOND))).toBeNull();
  });

  test('[E4] no offers where the game has no draws', () => {
    expect(rejectionOf(follow(startTrace(), draw(0, 'offer'), T0))).toBe('draws_not_offered_here');
  });
});
