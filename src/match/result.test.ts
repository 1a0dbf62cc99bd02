/** Results: players in place of seats, for every outcome and roster. */

import { expect, test } from 'bun:test';
import type { Outcome } from '../../game/src/game.ts';
import {
  asEnded,
  follow,
  followAll,
  makeTestRoster,
  makeTestSetup,
  openTrace,
  startTrace,
  T0,
} from '../testing/matches/session-trace.ts';
import { drawnByAll, wonByRemaining } from './outcome.ts';
import { makeResult, nameOutcome } from './result.ts';

const EFFORT = { durationMs: 5, moveCount: 3 };

test('[S8] a draw: no winner, and all share the first place', () => {
  const positions = [0, 1, 2, 4, 3, 5, 7, 6, 8];
  const trace = followAll(
    startTrace(),
    positions.map(
      (position, index) =>
        [index, { kind: 'act', seat: index % 2, id: `${index}`, action: { position } }] as const,
    ),
  );
  expect(makeResult(asEnded(trace.session), makeTestRoster(2))).toEqual({
    winner: null,
    winners: [],
    placements: [
      { playerId: 'player-0', seat: 0, isBot: false, place: 1 },
      { playerId: 'player-1', seat: 1, isBot: false, place: 1 },
    ],
    reason: 'board_full',
    durationMs: 8,
    moveCount: 9,
  });
});

test('[S8] an expired session: nobody has won, and a player who never came has no place', () => {
  const { session } = follow(openTrace(makeTestSetup()), { kind: 'tick' }, T0 + 600_000);
  expect(makeResult(asEnded(session), [{ id: 'ada', displayName: null }, null])).toEqual({
    winner: null,
    winners: [],
    placements: [{ playerId: 'ada', seat: 0, isBot: false, place: 1 }],
    reason: 'expired',
    durationMs: 0,
    moveCount: 0,
  });
});

test('[S8] placements are in the order of places, then of seats', () => {
  const outcome: Outcome = { winners: [2], places: [3, 2, 1, 3], reason: 'goal', detail: {} };
  const { placements } = nameOutcome(outcome, makeTestRoster(4), EFFORT, () => false);
  expect(placements.map(({ seat, place }) => [seat, place])).toEqual([
    [2, 1],
    [1, 2],
    [0, 3],
    [3, 3],
  ]);
});

test('[S8] with several winners there is no single winner', () => {
  const outcome: Outcome = { winners: [0, 2], places: [1, 3, 1, 3], reason: 'goal', detail: {} };
  expect(nameOutcome(outcome, makeTestRoster(4), EFFORT, () => false)).toMatchObject({
    winner: null,
    winners: ['player-0', 'player-2'],
  });
});

test("[S8] a game's own fields come beside the common ones and replace none", () => {
  const detail = { line: [0, 1, 2], reason: 'mine', winner: 'me', moveCount: -1 };
  const outcome: Outcome = { winners: [1], places: [2, 1], reason: 'won', detail };
  expect(nameOutcome(outcome, makeTestRoster(2), EFFORT, () => false)).toMatchObject({
    line: [0, 1, 2],
    reason: 'won',
    winner: 'player-1',
    ...EFFORT,
  });
});

test('[R2] an erased winner is null', () => {
  const nobody = { id: null, displayName: null };
  const result = nameOutcome(
    wonByRemaining(2, [0], 'resignation'),
    [nobody, nobody],
    EFFORT,
    () => false,
  );
  expect(result).toMatchObject({ winner: null, winners: [null] });
  expect(result.placements.length).toBe(2);
});

test('[S8] the outcomes of the match itself', () => {
  expect(drawnByAll(3, 'aborted')).toMatchObject({ winners: [], places: [1, 1, 1] });
  expect(wonByRemaining(4, [2], 'disconnect')).toMatchObject({
    winners: [2],
    places: [2, 2, 1, 2],
  });
  expect(wonByRemaining(4, [1, 3], 'disconnect')).toMatchObject({ places: [3, 1, 3, 1] });
});
