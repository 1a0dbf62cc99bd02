/** Games with a time limit: the match keeps the time, and the game decides the result. */

import { expect, test } from 'bun:test';
import type { AnyGame } from '../../game/src/game.ts';
import { shippedGames } from '../games/registry.ts';
import { diceRace } from '../testing/matches/dice-race.ts';
import { installGame } from '../testing/matches/install-game.ts';
import { replayOf } from '../testing/matches/replay-laws.ts';
import type { Trace } from '../testing/matches/session-trace.ts';
import {
  asActive,
  asEnded,
  follow,
  kindsOf,
  lastDecision,
  makeTestRoster,
  SECOND,
  startTrace,
  T0,
  TEST_ROOM_CODE,
} from '../testing/matches/session-trace.ts';
import { firstDeadline } from './deadline.ts';
import type { Command } from './decide.ts';
import { makeState, turnOf } from './frames/frames.ts';
import { verifyReplay } from './replay/replay.ts';
import type { Result } from './result.ts';

const game: AnyGame = diceRace;
installGame(game);

const LIMIT = 90 * SECOND;
const tick: Command = { kind: 'tick' };

function timedTrace(variant = 'timed', afk = false): Trace {
  const options = { goal: 60, stakes: 'listed', hands: true };
  return startTrace({ game: game.id, variant, options, afk });
}

/** One throw of the seat to move. */
function throwAt(trace: Trace, at: number): Trace {
  const seat = turnOf(trace.session)!;
  return follow(trace, { kind: 'act', seat, id: `m${at}`, action: { stake: 1 } }, at);
}

test("[P6] when the game's time limit ends, the match ends as it stands, not a millisecond before", () => {
  const thrown = throwAt(throwAt(timedTrace(), T0 + 1), T0 + 2);
  expect(firstDeadline(thrown.session)).toEqual({ kind: 'play', at: T0 + LIMIT });
  expect(lastDecision(follow(thrown, tick, T0 + LIMIT - 1)).steps).toEqual([]);
  const ended = follow(thrown, tick, T0 + LIMIT);
  const { outcome } = asEnded(ended.session);
  expect(outcome).toEqual(game.timeUp!(asActive(thrown.session).play.state));
  expect(outcome.reason).toBe('time_up');
});

test('[P6] a game without a time limit continues', () => {
  const trace = follow(timedTrace('long'), tick, T0 + 100 * LIMIT);
  expect(trace.session.status).toBe('active');
  expect(asActive(trace.session).playEndsAt).toBeNull();
});

test('[P6] an action that comes at the limit finds the match over', () => {
  const late = throwAt(timedTrace(), T0 + LIMIT);
  const { steps, rejection } = lastDecision(late);
  expect(kindsOf(steps.map(({ entry }) => entry))).toEqual(['ended']);
  expect(rejection?.code).toBe('session_ended');
});

test('[P6] turns that time out at the same moment come second', () => {
  let trace = timedTrace('timed', true);
  for (const at of [T0 + 30 * SECOND, T0 + 50 * SECOND, T0 + 70 * SECOND])
    trace = throwAt(trace, at);
  expect(firstDeadline(trace.session)).toEqual({ kind: 'play', at: T0 + LIMIT });
});

test('[P6] lost time is given back to the game', () => {
  const lost = follow(timedTrace(), { kind: 'own', node: 'b' }, T0 + 60 * SECOND, 50 * SECOND);
  expect(asActive(lost.session).playEndsAt).toBe(T0 + LIMIT + 50 * SECOND);
});

test('[P6] the state shows when the time is up', () => {
  const endsAtOf = ({ session }: Trace): unknown =>
    JSON.parse(
      makeState(session, {
        roomCode: TEST_ROOM_CODE,
        roster: makeTestRoster(4),
        viewer: 0,
        prev: 0,
      }),
    ).endsAt;
  expect(endsAtOf(timedTrace())).toBe(new Date(T0 + LIMIT).toISOString());
  expect(endsAtOf(timedTrace('long'))).toBeNull();
  expect(endsAtOf(follow(timedTrace(), tick, T0 + LIMIT))).toBeNull();
});

test('[S7] a match that ended at its limit verifies, one that claims so too early does not', () => {
  const ended = follow(throwAt(timedTrace(), T0 + 1), tick, T0 + LIMIT);
  const replay = replayOf(ended);
  expect(verifyReplay(shippedGames, replay)).toMatchObject({ ok: true });
  const isTaken = (change: Partial<Result>): boolean =>
    verifyReplay(shippedGames, { ...replay, result: { ...replay.result!, ...change } as Result })
      .ok;
  expect(isTaken({})).toBe(true);
  expect(isTaken({ durationMs: LIMIT - 1 })).toBe(false);
  expect(isTaken({ reason: 'rounds_over' })).toBe(false);
  expect(isTaken({ placements: [...replay.result!.placements].reverse() })).toBe(false);
  expect(verifyReplay(shippedGames, { ...replay, variant: 'long' }).ok).toBe(false);
});
