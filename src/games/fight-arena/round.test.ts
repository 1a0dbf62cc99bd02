/** Rounds and matches: knockouts, timeouts, rounds without a winner, and results. */

import { expect, test } from 'bun:test';
import { advance, makeRuns } from '../../../game/src/tick-game.ts';
import { change, hold, openFight, playWhile, poise, startFight } from './fight.test-kit.ts';
import { fightArena } from './fight-arena.ts';
import { MOVES } from './moves.ts';
import { HEALTH_MAX, PAUSE_TICKS, READY_TICKS, START_X, TICKS_PER_SECOND } from './stage.ts';
import type { FightState } from './state.ts';

const ROUND_TICKS = 99 * TICKS_PER_SECOND;

/** The next tick decides the round at the end of its time, by the given health. */
function timeUp(state: FightState, health: readonly [number, number]): FightState {
  return hold({ ...change(state, { health: health[0] }, { health: health[1] }), left: 1 }, [0, 0]);
}

/** Both attack at once, with enough damage for both. */
function doubleKnockout(state: FightState): FightState {
  const striking = {
    act: 'attack',
    move: 'heavy',
    age: MOVES.heavy.startup - 1,
    health: 1,
  } as const;
  return hold(change(state, { ...striking, x: 4_500 }, { ...striking, x: 5_200 }), [0, 0]);
}

function nextRound(state: FightState): FightState {
  return hold(state, [0, 0], PAUSE_TICKS + READY_TICKS);
}

test('[G-FIGHT-1] a round has its ready time, 99 seconds, and a pause after it', () => {
  expect(openFight().phase).toBe('ready');
  const fight = hold(openFight(), [0, 0], READY_TICKS);
  expect([fight.phase, fight.left]).toEqual(['fight', ROUND_TICKS]);
  const last = hold(fight, [0, 0], ROUND_TICKS - 1);
  expect([last.phase, last.left, last.rounds.length]).toEqual(['fight', 1, 0]);
  const over = hold(last, [0, 0]);
  expect([over.phase, over.rounds.length]).toEqual(['pause', 1]);
  const next = hold(over, [0, 0], PAUSE_TICKS);
  expect([next.phase, next.left]).toEqual(['ready', READY_TICKS]);
});

test('[G-FIGHT-1] a knockout wins the round, and the next starts fresh', () => {
  const state = hold(change(poise('heavy'), {}, { health: 50 }), [0, 0]);
  expect(state.rounds).toEqual([{ winner: 0, by: 'knockout', health: [HEALTH_MAX, 0], ticks: 1 }]);
  expect(state.phase).toBe('pause');
  expect(fightArena.outcome(state)).toBeNull();
  // A knocked-out fighter stays down.
  const resting = hold(state, [0, 0], PAUSE_TICKS - 1);
  expect(resting.fighters[1].act).toBe('down');
  const next = nextRound(state);
  expect(next.phase).toBe('fight');
  expect(next.fighters.map(({ x, health }) => [x, health])).toEqual([
    [START_X[0], HEALTH_MAX],
    [START_X[1], HEALTH_MAX],
  ]);
});

test('[G-FIGHT-1] the damage of a block can knock out, too', () => {
  const state = hold(change(poise('rise'), {}, { health: MOVES.rise.chip }), [0, 2]);
  expect(state.rounds[0]).toMatchObject({ winner: 0, by: 'knockout' });
});

test('[G-FIGHT-1] a timeout gives the round to the healthier fighter', () => {
  for (const [health, winner] of [
    [[500, 499], 0],
    [[1, 2], 1],
  ] as const) {
    const state = timeUp(startFight(), health);
    expect(state.rounds).toEqual([{ winner, by: 'time', health, ticks: ROUND_TICKS }]);
  }
});

test('[G-FIGHT-1] a knockout on the last tick is a knockout', () => {
  const state = hold({ ...change(poise('heavy'), { health: 1 }, { health: 2 }), left: 1 }, [0, 0]);
  expect(state.rounds[0]).toMatchObject({ winner: 0, by: 'knockout' });
});

test('[G-FIGHT-1] two rounds of three win the match', () => {
  const one = timeUp(startFight(), [9, 8]);
  const even = timeUp(nextRound(one), [3, 4]);
  expect(fightArena.outcome(even)).toBeNull();
  const over = timeUp(nextRound(even), [1, 2]);
  expect(over.phase).toBe('over');
  expect(fightArena.outcome(over)).toMatchObject({
    winners: [1],
    places: [2, 1],
    reason: 'rounds_won',
    detail: { roundsWon: [1, 2] },
  });
  const straight = timeUp(nextRound(one), [4, 3]);
  expect(fightArena.outcome(straight)).toMatchObject({ winners: [0], places: [1, 2] });
  expect(fightArena.legalActions(straight)).toEqual([]);
});

test('[G-FIGHT-1] a double knockout or equal health replays the round, at most twice, then it is drawn', () => {
  for (const undecided of [doubleKnockout, (state: FightState) => timeUp(state, [7, 7])]) {
    const first = undecided(startFight());
    expect(first.rounds[0]!.winner).toBeNull();
    const second = undecided(nextRound(first));
    expect([second.phase, fightArena.outcome(second)]).toEqual(['pause', null]);
    const third = undecided(nextRound(second));
    expect(third.phase).toBe('over');
    expect(fightArena.outcome(third)).toMatchObject({
      winners: [],
      places: [1, 1],
      reason: 'rounds_undecided',
    });
  }
});

test('[G-FIGHT-1] a round that is decided after replays gives the next one its own replays', () => {
  let state = timeUp(startFight(), [7, 7]);
  state = timeUp(nextRound(state), [7, 7]);
  state = timeUp(nextRound(state), [8, 7]);
  state = timeUp(nextRound(state), [7, 7]);
  state = timeUp(nextRound(state), [7, 7]);
  expect(fightArena.outcome(state)).toBeNull();
  expect(fightArena.outcome(timeUp(nextRound(state), [8, 7]))).toMatchObject({ winners: [0] });
  expect(fightArena.outcome(timeUp(nextRound(state), [7, 7]))).toMatchObject({ winners: [] });
});

test('[G-FIGHT-1] a finished match does not change', () => {
  const over = timeUp(nextRound(timeUp(startFight(), [9, 8])), [9, 8]);
  expect(hold(over, [511, 511], 100)).toBe(over);
});

test('[G-FIGHT-1] options set the length of a round and the number of wins', () => {
  const single = startFight({ roundSeconds: 10, roundsToWin: 1 });
  expect(single.left).toBe(600);
  expect(fightArena.outcome(timeUp(single, [2, 1]))).toMatchObject({ winners: [0] });
});

test('[G-FIGHT-1] a button held from before the round must be pressed again', () => {
  const held = hold(openFight(), [16, 0], READY_TICKS + 5);
  expect(held.fighters[0].act).toBe('free');
  expect(hold(hold(held, [0, 0]), [16, 0]).fighters[0].move).toBe('light');
});

test('[G-FIGHT-1] every round that ends emits one event, in the batch in which it ends', () => {
  const before = { ...startFight({ roundSeconds: 10 }), left: 5 };
  const zeros = Array.from({ length: 15 }, () => [0, 0]);
  const { events, state } = advance(fightArena, before, makeRuns(zeros));
  expect(events).toEqual([
    {
      type: 'fight.round_ended',
      data: {
        round: 1,
        winner: null,
        by: 'equal_health',
        health: [HEALTH_MAX, HEALTH_MAX],
        ticks: 600,
      },
    },
  ]);
  expect(advance(fightArena, state, makeRuns(zeros)).events).toEqual([]);
});

test('[G-FIGHT-1] ticks after the end are not played and not stored', () => {
  const before = { ...startFight({ roundSeconds: 10, roundsToWin: 1 }), left: 5 };
  const ahead = change(before, {}, { health: 1 });
  const { runs, state } = advance(fightArena, ahead, [[0, 0, 15]]);
  expect(runs).toEqual([[0, 0, 5]]);
  expect(state.phase).toBe('over');
  expect(state.tick).toBe(before.tick + 5);
});

test('[G-FIGHT-1] two idle players draw after three rounds', () => {
  let state = openFight({ roundSeconds: 10, roundsToWin: 3 });
  state = playWhile(state, [0, 0], ({ phase }) => phase !== 'over');
  expect(state.rounds.map(({ by }) => by)).toEqual(Array(3).fill('equal_health'));
  expect(fightArena.outcome(state)).toMatchObject({ winners: [] });
});
