/** The strength of the checkers bot, and that it claims no false wins. */

import { describe, expect, test } from 'bun:test';
import type { AnyBot } from '../../../game/src/bot.ts';
import type { AnyGame } from '../../../game/src/game.ts';
import { isRefusal } from '../../../game/src/game.ts';
import type { Random } from '../../../game/src/random.ts';
import { makeRandom } from '../../../game/src/random.ts';
import { testRuns } from '../../testing/test-runs.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import { playOff } from '../play-off.ts';
import { listMoves } from './american/moves.ts';
import { makeSearch } from './american/search.ts';
import type { AmericanState } from './american/state.ts';
import { checkersBot } from './bot.ts';
import { after, at } from './checkers.test-kit.ts';
import { checkers } from './checkers.ts';
import { DIALECTS } from './dialect.ts';
import { countFoundWins } from './forced-wins.test-kit.ts';
import { writeMove } from './notation.ts';
import type { CheckersState } from './rule-sets.ts';

const game: AnyGame = checkers;
const bot: AnyBot = checkersBot;

const chance = (name: string): Random => makeRandom(`${TEST_SEED}`, () => `checkers ${name}`, 0);

/** A few kings and men anywhere. */
function smallPosition(random: Random): AmericanState {
  const squares = Array.from({ length: 24 }, (_, index) => index + 5);
  const take = () => {
    const [square] = squares.splice(random.integer(squares.length), 1);
    return random.integer(2) === 0 ? `K${square}` : `${square}`;
  };
  return at(`B:W${[take(), take()].join()}:B${[take(), take(), take()].join()}`);
}

describe('looking ahead', () => {
  test(`[G-CHK] it finds every win in five plies, and claims no other (seed ${TEST_SEED})`, () => {
    const wins = countFoundWins(
      {
        search: makeSearch(),
        listMoves,
        makeState: smallPosition,
        states: 150,
        plies: 5,
        limits: { plies: 9, nodesMax: 1_000_000, margin: 0 },
      },
      chance('wins'),
    );
    expect(wins).toBeGreaterThan(20);
  });

  test('[G-CHK] it examines no more positions than allowed, and answers with any number', () => {
    const search = makeSearch();
    const state = at(DIALECTS.american.start);
    for (const nodesMax of [1, 2, 10, 1_000]) {
      const limits = { plies: 64, nodesMax, margin: 0 };
      const ranked = search.rank(state, listMoves(state), limits, chance('few'));
      expect(ranked).toHaveLength(7);
      expect(search.nodes()).toBeLessThanOrEqual(nodesMax);
    }
  });

  test('[G-CHK] it treats a repeated position as a draw, and avoids it when it is ahead', () => {
    const before = after(at('B:WK32:BK1,K10'), '1-5', '32-28', '5-1');
    const state = after(before, '28-32', '1-5', '32-28');
    const ranked = makeSearch().rank(
      state,
      listMoves(state),
      { plies: 1, nodesMax: 1_000, margin: 10_000 },
      chance('again'),
    );
    const legal = listMoves(state);
    const again = ranked.find(({ move }) => writeMove(DIALECTS.american, move, legal) === '5-1');
    expect(again?.value).toBe(0);
    expect(ranked[0]!.value).toBeGreaterThan(0);
  });

  test('[G-CHK] it knows that the 80th quiet ply draws', () => {
    const quiet = Array.from({ length: 79 * 3 }, (_, index) => index + 1);
    const state = { ...at('B:WK32:BK1,K10'), past: quiet };
    const limits = { plies: 2, nodesMax: 1_000, margin: 0 };
    const [first] = makeSearch().rank(state, listMoves(state), limits, chance('late'));
    expect(first!.value).toBe(0);
  });
});

describe('strength', () => {
  const ENDINGS = [
    ['B:WK1:BK23,K24', 0],
    ['B:WK32:BK1,K10', 0],
    ['W:WK1,K3:BK14', 1],
    ['B:WK1,K3:BK20,K21,K22', 0],
    ['W:W10,K14,K15:BK1,22', 1],
  ] as const;
  test.each(ENDINGS)('[G-CHK] hard wins %s for seat %d', (fen, winner) => {
    const mind = checkersBot.makeMind();
    const random = chance(fen);
    let state: CheckersState = at(fen);
    while (checkers.outcome(state) === null) {
      const { turn: seat } = state;
      const action = mind.choose({ state, seat, level: 'hard', nodesMax: 50_000 }, random);
      const applied = checkers.apply(state, seat, action, random);
      if (isRefusal(applied)) throw new Error(applied.error);
      state = applied.state;
    }
    expect(checkers.outcome(state)!.winners).toEqual([winner]);
  });

  test(`[G-CHK] hard scores nine tenths against medium even with a 25th of its positions (seed ${TEST_SEED})`, () => {
    const match = { game, bot, levels: ['hard', 'medium'] as const, games: 12, nodesMax: 20_000 };
    expect(playOff(match, chance('hard'))).toBeGreaterThanOrEqual(0.9);
  });

  test(`[G-CHK] medium beats easy (seed ${TEST_SEED})`, () => {
    const match = {
      game,
      bot,
      levels: ['medium', 'easy'] as const,
      games: testRuns(60),
      nodesMax: 100_000,
    };
    expect(playOff(match, chance('medium'))).toBeGreaterThanOrEqual(0.9);
  });

  test(`[G-CHK] easy sometimes loses to random moves, and mostly does not (seed ${TEST_SEED})`, () => {
    const part = againstChance(testRuns(200));
    expect(part).toBeGreaterThan(0.7);
    expect(part).toBeLessThan(1);
  });
});

/** The score of easy against an opponent with random moves. */
function againstChance(games: number): number {
  const random = chance('child');
  const mind = checkersBot.makeMind();
  let points = 0;
  for (let number = 0; number < games; number += 1) {
    let state = checkers.initial({ variant: 'american', seats: 2, options: {} });
    while (checkers.outcome(state) === null) {
      const { turn: seat } = state;
      const legal = checkers.legalActions(state)!;
      const action =
        seat === number % 2
          ? mind.choose({ state, seat, level: 'easy', nodesMax: 10_000 }, random)
          : legal[random.integer(legal.length)]!;
      const applied = checkers.apply(state, seat, action, random);
      if (isRefusal(applied)) throw new Error(applied.error);
      state = applied.state;
    }
    const { winners } = checkers.outcome(state)!;
    points += winners.length === 0 ? 0.5 : winners[0] === number % 2 ? 1 : 0;
  }
  return points / games;
}
