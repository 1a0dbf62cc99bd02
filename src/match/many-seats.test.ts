/** Matches of more than two, with chance, secrets and missed turns: the laws, and special cases. */

import { expect, test } from 'bun:test';
import type { AnyGame } from '../../game/src/game.ts';
import { sha256Hex } from '../../game/src/random.ts';
import { shippedGames } from '../games/registry.ts';
import { diceRace } from '../testing/matches/dice-race.ts';
import { framesFor } from '../testing/matches/frame-laws.ts';
import { installGame } from '../testing/matches/install-game.ts';
import { replayOf } from '../testing/matches/replay-laws.ts';
import type { Trace } from '../testing/matches/session-trace.ts';
import {
  asActive,
  asEnded,
  follow,
  followAll,
  kindsOf,
  lastDecision,
  makeTestRoster,
  openTrace,
  SECOND,
  startTrace,
  T0,
  TEST_ROOM_CODE,
  TEST_SECRET,
} from '../testing/matches/session-trace.ts';
import { testLostTime, testTurnLaws } from '../testing/matches/turn-laws.ts';
import type { Command } from './decide.ts';
import { makeState, turnOf } from './frames/frames.ts';
import type { SessionSetup } from './record.ts';
import { verifyReplay } from './replay/replay.ts';
import type { Replay } from './replay/replay-form.ts';

const game = diceRace as AnyGame;
installGame(game);

testTurnLaws(game, 100);
testLostTime(game, 200);

const tick: Command = { kind: 'tick' };
const stake = (seat: number, id = 'a'): Command => {
  return { kind: 'act', seat, id, action: { stake: 1 } };
};

function raceTrace(change: Partial<SessionSetup> = {}): Trace {
  const options = { goal: 60, stakes: 'listed', hands: true };
  return startTrace({ game: game.id, variant: 'long', options, ...change });
}

/** Moves in turn until `seat` is to move. */
function untilTurn(trace: Trace, seat: number): Trace {
  let so = trace;
  for (let move = 0; turnOf(so.session) !== seat; move += 1) {
    so = follow(so, stake(turnOf(so.session)!, `m${move}`), so.session.at + 1);
  }
  return so;
}

test('[P6] a missed turn plays itself and the next seat has its full turn', () => {
  const missed = follow(raceTrace(), tick, T0 + 20 * SECOND);
  expect(lastDecision(missed).steps.map(({ entry }) => entry.record)).toEqual([
    { k: 'missed', seat: 0 },
  ]);
  expect(asActive(missed.session).turnStartedAt).toBe(T0 + 20 * SECOND);
  expect(asActive(missed.session).play).toMatchObject({ moveCount: 0 });
  expect(asActive(missed.session).play.drawn).toBeGreaterThan(0);
});

test('[P7] a late move is rejected, and the missed turn is still recorded', () => {
  const late = follow(raceTrace(), stake(0), T0 + 25 * SECOND);
  const { steps, rejection } = lastDecision(late);
  expect(kindsOf(steps.map(({ entry }) => entry))).toEqual(['missed']);
  expect(rejection?.code).toBe('not_your_turn');
});

test('[P6] after too many missed turns the seat is lost and the others play on', () => {
  let trace = raceTrace();
  const lost = () => trace.session.seats.filter(({ forfeited }) => forfeited !== null).length;
  while (lost() === 0) trace = follow(trace, tick, trace.session.at + 20 * SECOND);
  expect(trace.session.status).toBe('active');
  const record = trace.entries.at(-1)?.record;
  expect(record).toMatchObject({ k: 'forfeited', reason: 'afk_timeout', id: null });
});

test('[S8] seats that leave one by one: the last one left has won', () => {
  const resign = (seat: number): Command => ({ kind: 'resign', seat, id: 'r' });
  const trace = followAll(raceTrace(), [
    [1, resign(2)],
    [2, resign(0)],
  ]);
  expect(trace.session.status).toBe('active');
  expect(turnOf(trace.session)).toBe(1);
  const again = follow(trace, resign(0), T0 + 3);
  expect(lastDecision(again)).toEqual({
    steps: [],
    rejection: { code: 'session_ended', error: 'This seat is out of the game' },
  });
  const ended = asEnded(follow(trace, resign(3), T0 + 3).session);
  expect(ended.outcome).toEqual({
    winners: [1],
    places: [2, 1, 2, 2],
    reason: 'resignation',
    detail: {},
  });
});

test("[S8] a game's own result on a departure is the result", () => {
  const trace = followAll(raceTrace({ variant: 'short', seats: 2 }), [
    [1, { kind: 'resign', seat: 0, id: 'r' }],
  ]);
  const { outcome } = asEnded(trace.session);
  expect(outcome).toMatchObject({ winners: [1], places: [2, 1], reason: 'last_left' });
  expect(verifyReplay(shippedGames, replayOf(trace)).ok).toBe(true);
});

test('[P7] a seat that is out gets that error, not that it is not its turn', () => {
  const out = follow(raceTrace(), { kind: 'resign', seat: 2, id: 'r' }, T0 + 1);
  expect(lastDecision(follow(out, stake(2), T0 + 2)).rejection?.code).toBe('session_ended');
  expect(lastDecision(follow(out, stake(3), T0 + 2)).rejection?.code).toBe('not_your_turn');
});

test('[P6] a player who leaves while another is to move takes no time from the turn', () => {
  const trace = followAll(raceTrace(), [[10 * SECOND, { kind: 'resign', seat: 2, id: 'r' }]]);
  expect(asActive(trace.session).turnStartedAt).toBe(T0);
});

test('[S8] grace periods that end together take out their seats in order, until one is left', () => {
  const gone = followAll(raceTrace({ afk: false }), [
    [1, { kind: 'disconnect', seat: 3 }],
    [1, { kind: 'disconnect', seat: 0 }],
    [2, { kind: 'disconnect', seat: 2 }],
    [60_001, tick],
  ]);
  expect(gone.session.seats.map(({ forfeited }) => forfeited)).toEqual([
    'disconnect',
    null,
    null,
    'disconnect',
  ]);
  const ended = asEnded(follow(gone, tick, T0 + 60_002).session);
  expect(ended.outcome).toMatchObject({ winners: [1], reason: 'disconnect' });
});

test('[S8] a seat that is out cannot win: with only it left the match is aborted', () => {
  const gone = followAll(raceTrace({ afk: false, seats: 3 }), [
    [1, { kind: 'resign', seat: 0, id: 'r' }],
    [2, { kind: 'disconnect', seat: 1 }],
    [3, { kind: 'disconnect', seat: 2 }],
    [60_002, tick],
  ]);
  expect(gone.session.status).toBe('active');
  expect(asEnded(follow(gone, tick, T0 + 60_003).session).outcome.reason).toBe('aborted');
});

test('[P6] with a clock: another throw in the same turn adds no increment', () => {
  const clock = { initialMs: 600 * SECOND, incrementMs: 7 * SECOND };
  let trace = raceTrace({ clock, afk: false });
  for (let move = 0; move < 12; move += 1) {
    const seat = turnOf(trace.session)!;
    const before = asActive(trace.session).clockMs![seat]!;
    trace = follow(trace, stake(seat, `m${move}`), trace.session.at + SECOND);
    const increment = turnOf(trace.session) === seat ? 0 : clock.incrementMs;
    expect(asActive(trace.session).clockMs![seat]).toBe(before - SECOND + increment);
  }
});

test("[P3] no viewer is shown another seat's hand", () => {
  const trace = untilTurn(raceTrace(), 3);
  const { hands } = asActive(trace.session).play.state as { hands: readonly number[] };
  for (const viewer of [null, 0, 1, 2, 3]) {
    const state = JSON.parse(
      makeState(trace.session, {
        roomCode: TEST_ROOM_CODE,
        roster: makeTestRoster(4),
        viewer,
        prev: 0,
      }),
    );
    expect(state.view.hand).toBe(viewer === null ? null : hands[viewer]);
    expect(JSON.stringify(state)).not.toContain('"hands"');
    expect(framesFor(trace, viewer).at(-1)?.['view']).toEqual(state.view);
  }
});

test('[P4] legal actions are left out of frames if they are not finite', () => {
  const options = { goal: 60, stakes: 'free', hands: true };
  const trace = follow(raceTrace({ options }), stake(0), T0 + 1);
  expect(
    JSON.parse(
      makeState(trace.session, {
        roomCode: TEST_ROOM_CODE,
        roster: makeTestRoster(4),
        viewer: 0,
        prev: 0,
      }),
    ),
  ).not.toHaveProperty('legal');
  expect(framesFor(trace, 0).at(-1)).not.toHaveProperty('legal');
});

test('[S9] the same seed and entropy throw the same, another entropy throws otherwise', () => {
  const scoresWith = (value: string): unknown => {
    const setup = asActive(raceTrace().session).setup;
    let trace = openTrace(setup, [0, 1, 2, 3]);
    trace = follow(trace, { kind: 'entropy', seat: 1, value }, T0);
    for (const seat of [0, 1, 2, 3]) trace = follow(trace, { kind: 'connect', seat }, T0);
    for (let move = 0; move < 20; move += 1) {
      trace = follow(trace, stake(turnOf(trace.session)!, `m${move}`), T0 + move);
    }
    return asActive(trace.session).play.state;
  };
  expect(scoresWith('one')).toEqual(scoresWith('one'));
  expect(scoresWith('one')).not.toEqual(scoresWith('two'));
});

/** A whole race, with the entropy of one seat. */
function wholeRace(): Trace {
  const { setup } = raceTrace().session;
  let trace = openTrace(setup, [0, 1, 2, 3]);
  trace = follow(trace, { kind: 'entropy', seat: 1, value: 'mine' }, T0);
  for (const seat of [0, 1, 2, 3]) trace = follow(trace, { kind: 'connect', seat }, T0);
  trace = follow(trace, tick, T0 + 20 * SECOND);
  trace = follow(trace, { kind: 'resign', seat: 2, id: 'r' }, T0 + 21 * SECOND);
  for (let move = 0; trace.session.status === 'active'; move += 1) {
    trace = follow(trace, stake(turnOf(trace.session)!, `m${move}`), trace.session.at + 1);
  }
  return trace;
}

test('[S9] with chance in it, another seed, entropy or missed turn is refused', () => {
  const replay = replayOf(wholeRace());
  const { fairness, controls } = replay;
  expect(verifyReplay(shippedGames, replay).ok).toBe(true);
  expect(controls.map(({ kind }) => kind)).toEqual(['missed', 'resignation']);
  const isTaken = (change: Partial<Replay>): boolean =>
    verifyReplay(shippedGames, { ...replay, ...change }).ok;
  expect(isTaken({ fairness: { ...fairness, entropy: '["","other","",""]' } })).toBe(false);
  // Another seed, with its own commitment.
  const other = { ...fairness, seed: 'ab', commitment: sha256Hex('ab') };
  expect(isTaken({ fairness: other })).toBe(false);
  for (const control of controls) {
    expect(isTaken({ controls: controls.filter((each) => each !== control) })).toBe(false);
    const moved = controls.map((each) => (each === control ? { ...each, seat: 1 } : each));
    expect(isTaken({ controls: moved })).toBe(false);
  }
  const again = { ...controls[1]!, v: controls[1]!.v + 0.5 };
  expect(verifyReplay(shippedGames, { ...replay, controls: [...controls, again] })).toMatchObject({
    v: again.v,
  });
  expect(isTaken({ options: { ...replay.options, goal: 59 } })).toBe(false);
  const { goal: _, ...rest } = replay.options;
  for (const options of [{ ...replay.options, goal: 61 }, { ...rest }, { ...rest, goal: '60' }]) {
    expect(verifyReplay(shippedGames, { ...replay, options })).toEqual({
      ok: false,
      v: null,
      error: 'The options are not those of the game',
    });
  }
  expect(isTaken({ variant: 'short' })).toBe(false);
  expect(isTaken({ seats: 3 })).toBe(false);
});

test('[S9] a running match that drew chance can be verified only with the seed', () => {
  const replay = replayOf(follow(raceTrace(), stake(0), T0 + 1));
  expect(verifyReplay(shippedGames, replay, TEST_SECRET).ok).toBe(true);
  expect(verifyReplay(shippedGames, replay)).toMatchObject({
    ok: false,
    v: replay.inputs[0]!.v,
    error: 'Chance was drawn here, and the seed is secret until the end',
  });
});
