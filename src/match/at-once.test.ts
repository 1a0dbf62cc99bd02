/** Matches in which several seats act at the same time, with a deal, hidden actions and eliminated seats. */

import { expect, test } from 'bun:test';
import type { AnyGame } from '../../game/src/game.ts';
import { shippedGames } from '../games/registry.ts';
import { framesFor } from '../testing/matches/frame-laws.ts';
import { installGame } from '../testing/matches/install-game.ts';
import { replayOf } from '../testing/matches/replay-laws.ts';
import { sealedBids } from '../testing/matches/sealed-bids.ts';
import type { Trace } from '../testing/matches/session-trace.ts';
import {
  asActive,
  asEnded,
  follow,
  followAll,
  lastDecision,
  MINUTE,
  makeTestRoster,
  SECOND,
  startTrace,
  T0,
  TEST_ROOM_CODE,
} from '../testing/matches/session-trace.ts';
import { testLostTime, testTurnLaws } from '../testing/matches/turn-laws.ts';
import { nextDeadline } from './deadline.ts';
import type { Command } from './decide.ts';
import { makeState } from './frames/frames.ts';
import { verifyReplay } from './replay/replay.ts';
import { makeResult } from './result.ts';
import { isOptionError, parseOptions } from './setup.ts';

const game = sealedBids as AnyGame;
installGame(game);

testTurnLaws(game, 100);
testLostTime(game, 100);

const bid = (seat: number, amount = 1, id = 'a'): Command => ({
  kind: 'act',
  seat,
  id,
  action: { bid: amount },
});
const tick: Command = { kind: 'tick' };
const actingOf = (trace: Trace) => asActive(trace.session).play.acting;

/** All acting seats bid, in that order. */
function bidAll(trace: Trace, at: number, amount = (seat: number) => seat % 4): Trace {
  return actingOf(trace).reduce(
    (so, seat) => follow(so, bid(seat, amount(seat), `${at}`), at),
    trace,
  );
}

test('[S9c] each seat acts once a round, in any order', () => {
  const begun = startTrace({ game: game.id });
  expect(actingOf(begun)).toEqual([0, 1, 2, 3]);
  const two = followAll(begun, [
    [1, bid(2)],
    [2, bid(0)],
  ]);
  expect(actingOf(two)).toEqual([1, 3]);
  const again = follow(two, bid(2, 3, 'b'), T0 + 3);
  expect(lastDecision(again)).toEqual({
    steps: [],
    rejection: { code: 'not_your_turn', error: 'Seats 1, 3 are to act' },
  });
});

test('[S9c][P6] a round has one time limit for all: a waiting seat gains none from those who act', () => {
  const begun = startTrace({ game: game.id });
  const one = follow(begun, bid(0), T0 + 15 * SECOND);
  expect(asActive(one.session).turnStartedAt).toBe(T0);
  expect(nextDeadline(one.session)).toBe(T0 + 20 * SECOND);
  // Nobody else has acted by then: all three are missed in one commit, and the next round begins.
  const missed = follow(one, tick, T0 + 20 * SECOND);
  expect(lastDecision(missed).steps.map(({ entry }) => entry.record)).toEqual([
    { k: 'missed', seat: 1 },
    { k: 'missed', seat: 2 },
    { k: 'missed', seat: 3 },
  ]);
  const { play, turnStartedAt } = asActive(missed.session);
  expect(play.state).toMatchObject({ round: 1, shown: [1, 0, 0, 0] });
  expect(turnStartedAt).toBe(T0 + 20 * SECOND);
});

test("[S9c][P6] a game's own turn limit replaces the session's", () => {
  const second = bidAll(startTrace({ game: game.id }), T0 + SECOND);
  expect(asActive(second.session).play.state).toMatchObject({ round: 1 });
  expect(nextDeadline(second.session)).toBe(T0 + SECOND + 10 * SECOND);
});

test('[S9d][P3] others see that a seat has acted, and only the parts that they may see', () => {
  const roster = makeTestRoster(4);
  const begun = startTrace({ game: game.id });
  const seen = (viewer: number | null, trace: Trace) =>
    JSON.parse(makeState(trace.session, { roomCode: TEST_ROOM_CODE, roster, viewer, prev: 0 }));
  const one = follow(begun, bid(2, 3), T0 + 1);
  const step = lastDecision(one).steps[0]!;
  const frames = [2, 1, null].map((viewer) => framesFor(one, viewer).at(-1)!);
  expect(step.entry.record).toMatchObject({ action: { bid: 3 } });
  expect(frames.map(({ action }) => action)).toEqual([{ bid: 3 }, null, null]);
  expect(frames.map(({ acting }) => acting)).toEqual([
    [0, 1, 3],
    [0, 1, 3],
    [0, 1, 3],
  ]);
  expect(frames.map(({ legal }) => (legal as unknown[]).length)).toEqual([0, 4, 0]);
  expect(seen(2, one)).toMatchObject({ turn: null, acting: [0, 1, 3], legal: [] });
  expect(seen(1, one)).toMatchObject({ legal: [{ bid: 0 }, { bid: 1 }, { bid: 2 }, { bid: 3 }] });
  expect(seen(2, one).view).toMatchObject({ bid: 3, hasBid: [false, false, true, false] });
  expect(seen(null, one).view).toMatchObject({ bid: null, value: null });
});

test('[S9] a deal is drawn from the seed at the start, and checked by the replay', () => {
  const begun = startTrace({ game: game.id });
  const { state, drawn } = asActive(begun.session).play;
  expect(drawn).toBe(4);
  const startedV = begun.entries.find(({ record }) => record.k === 'started')!.v;
  const ended = follow(begun, { kind: 'abort' }, T0 + SECOND);
  const replay = replayOf(ended);
  const { values } = state as { values: number[] };
  expect(replay.chance).toEqual([{ v: startedV, draws: values.map((value) => [10, value]) }]);
  expect(verifyReplay(shippedGames, replay).ok).toBe(true);
  const other = [{ v: startedV, draws: values.map((value) => [10, (value + 1) % 10] as const) }];
  expect(verifyReplay(shippedGames, { ...replay, chance: other })).toMatchObject({
    ok: false,
    error: 'The values told for the start are not those that the seed draws',
  });
  const late = [{ ...replay.chance![0]!, v: 99 }];
  const moved = replayOf(follow(bidAll(begun, T0 + 1), { kind: 'abort' }, T0 + SECOND));
  expect(verifyReplay(shippedGames, { ...moved, chance: late }).ok).toBe(false);
});

test('[S8] scores are in the result, by seat', () => {
  let trace = startTrace({ game: game.id, seats: 2 });
  for (let at = T0 + 1; trace.session.status === 'active'; at += 1) trace = bidAll(trace, at);
  const session = asEnded(trace.session);
  const { placements } = makeResult(session, makeTestRoster(2));
  expect(placements.map(({ seat, score }) => [seat, score])).toEqual(
    placements.map(({ seat }) => [seat, session.outcome.scores![seat]]),
  );
});

test('[S9e] an eliminated seat may leave at no cost, and does nothing any more', () => {
  const second = bidAll(startTrace({ game: game.id }), T0 + SECOND);
  const [out] = (asActive(second.session).play.state as { out: number[] }).out;
  const gone = follow(second, { kind: 'disconnect', seat: out! }, T0 + 2 * SECOND);
  expect(nextDeadline(gone.session)).toBe(T0 + 11 * SECOND);
  const third = bidAll(gone, T0 + 3 * SECOND);
  const later = follow(third, tick, T0 + 10 * MINUTE);
  expect(later.entries.filter(({ record }) => record.k === 'forfeited')).toEqual([]);
  expect(lastDecision(follow(second, bid(out!, 1, 'x'), T0 + 2 * SECOND)).rejection).toEqual({
    code: 'session_ended',
    error: 'This seat is out of the game',
  });
});

test('[S1] sixteen may sit at a game', () => {
  let trace = startTrace({ game: game.id, seats: 16 });
  for (let at = T0 + 1; trace.session.status === 'active'; at += 1) trace = bidAll(trace, at);
  const { outcome } = asEnded(trace.session);
  expect(outcome.places).toHaveLength(16);
  expect(verifyReplay(shippedGames, replayOf(trace)).ok).toBe(true);
});

test('[S9a] there are no clocks when several seats act at the same time', () => {
  const asked = parseOptions(game, { clock: { initialMs: 60_000 } });
  expect(isOptionError(asked) && asked.field).toBe('clock');
});
