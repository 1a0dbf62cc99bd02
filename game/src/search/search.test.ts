/**
 * The search itself: its budget, what it proves, and how it handles chance, hidden information and
 * several seats.
 */

import { describe, expect, test } from 'bun:test';
import { tictactoe } from '../../../src/games/tictactoe/tictactoe.ts';
import { TEST_SEED } from '../../../src/testing/test-seed.ts';
import type { AnyGame, Json, Seat } from '../game.ts';
import { makeRandom } from '../random.ts';
import { deepFreeze } from '../testing/random-play.ts';
import { solvePig } from './pig-worth.test-kit.ts';
import { makeQuickRandom } from './quick-random.ts';
import type { Search } from './search.ts';
import { search } from './search.ts';
import type { PigAction, PigState, SpotAction } from './toys.test-kit.ts';
import { hideAndSeek, pig, rockPaperScissors } from './toys.test-kit.ts';
import { allEdges, bestEdge } from './tree.ts';
import { treeGame } from './tree-game.test-kit.ts';

const random = (name: string) => makeQuickRandom(makeRandom(`${TEST_SEED}`, () => name, 0));

type Asked = Pick<Search, 'game' | 'state'> & Partial<Search>;

/** By default 5,000 positions for the seat to move. */
function look({ game, state, ...given }: Asked) {
  const seat = given.seat ?? (game.turn(state) as Seat);
  const budget = { positionsMax: 5_000, pliesMax: 1_000, random: random('search') };
  const found = search({ game, state: deepFreeze(state), seat, ...budget, ...given });
  const edges = allEdges(found.root);
  return { ...found, edges, best: bestEdge(edges, seat).action };
}

const board = (rows: string) => ({ board: rows.replaceAll('/', '') });
const game: AnyGame = tictactoe;

describe('the budget', () => {
  test('[G-SEARCH] apply is called no more often than the budget allows', () => {
    for (const positionsMax of [1, 2, 50, 1_000]) {
      let applied = 0;
      const counted: AnyGame = {
        ...game,
        apply(...asked) {
          applied += 1;
          return game.apply(...asked);
        },
      };
      const { positions, iterations } = look({
        game: counted,
        state: board('.../.../...'),
        positionsMax,
      });
      expect(applied).toBeLessThan(positionsMax + 1);
      expect(positions).toBeLessThan(positionsMax + 1);
      expect(applied + iterations).toBeLessThan(positionsMax + 1);
      if (positionsMax >= 50) expect(applied).toBeGreaterThan(positionsMax / 2);
    }
  });

  test('[G-SEARCH] the same random numbers give the same result, other ones another', () => {
    const visits = (name: string) =>
      look({ game, state: board('.../.../...'), random: random(name) }).edges.map(
        (edge) => edge.visits,
      );
    expect(visits('one')).toEqual(visits('one'));
    expect(visits('one')).not.toEqual(visits('two'));
  });

  test('[G-SEARCH] a search ends once the outcome is proven', () => {
    const { positions, edges } = look({ game, state: board('X.X/OO./...') });
    expect(positions).toBeLessThan(500);
    expect(
      edges.find(({ action }) => (action as { position: number }).position === 1)!.proven,
    ).toEqual([1, 0]);
  });
});

describe('a game without chance or secrets', () => {
  test('[G-SEARCH] tic-tac-toe: it wins, blocks, and leaves no fork', () => {
    const cell = (rows: string) =>
      (look({ game, state: board(rows) }).best as { position: number }).position;
    expect(cell('X.X/OO./...')).toBe(1);
    expect(cell('X.X/O../...')).toBe(1);
    expect([1, 3, 5, 7]).toContain(cell('X../.O./..X'));
  });

  test('[G-SEARCH] tic-tac-toe is proven to be a draw after two marks', () => {
    const { edges } = look({ game, state: board('X../.O./...'), positionsMax: 100_000 });
    const best = edges.map(({ proven }) => proven?.[0] ?? 1);
    expect(Math.max(...best)).toBe(0.5);
  });

  test('[G-SEARCH] each of three seats maximizes its own place', () => {
    const third = { seat: 2, moves: { spite: [2, 3, 1], gift: [1, 2, 3] } };
    const tree = {
      seat: 0,
      moves: {
        // Seat 1 would rather be second by itself than leave it to seat 2.
        risky: { seat: 1, moves: { keep: [3, 2, 1], pass: third } },
        safe: { seat: 1, moves: { keep: [2, 1, 3], pass: [1, 3, 2] } },
      },
    };
    const { best, edges } = look({ game: treeGame(tree, 3), state: tree });
    expect(best).toBe('safe');
    expect(edges.map(({ action, proven }) => [action, proven])).toContainEqual([
      'safe',
      [0.5, 1, 0],
    ]);
  });
});

describe('games that do not end by themselves', () => {
  /** Two seats push a counter up or down forever. */
  const endless: AnyGame = {
    ...game,
    turn: (state) => (state as { turn: number }).turn,
    legalActions: () => ['down', 'up'],
    apply(state, seat, action) {
      const { at } = state as { at: number };
      return { state: { at: at + (action === 'up' ? 1 : -1), turn: 1 - seat }, events: [] };
    },
    outcome: () => null,
  };
  const state = { at: 0, turn: 1 };

  test('[G-SEARCH] pliesMax ends an iteration; `worth` rates the position', () => {
    const worth = (reached: Json) => {
      const share = 0.5 + (reached as { at: number }).at / 40;
      return [share, 1 - share];
    };
    const found = look({ game: endless, state, pliesMax: 20, worth });
    expect(found.best).toBe('down');
    expect(found.iterations).toBeGreaterThan(100);
    const blind = look({ game: endless, state, pliesMax: 20 });
    for (const { total, visits } of blind.edges) expect(total / visits).toBe(0.5);
  });

  test('[G-SEARCH] a budget smaller than one iteration is spent and finds nothing', () => {
    const { iterations, root } = look({ game: endless, state, positionsMax: 10 });
    expect([iterations, root.visits]).toEqual([0, 0]);
  });

  test('[G-SEARCH] a seat with nothing to do ends an iteration evenly', () => {
    const stuck: AnyGame = {
      ...endless,
      legalActions: (_, seat) => (seat === 1 ? ['up', 'down'] : []),
    };
    const { edges, iterations } = look({ game: stuck, state });
    expect(iterations).toBeGreaterThan(100);
    for (const { total, visits } of edges) expect(total / visits).toBe(0.5);
  });

  test('[G-SEARCH] a game that refuses an action it lists is named', () => {
    const strict: AnyGame = {
      ...endless,
      apply: () => ({ code: 'illegal_move', error: 'No pushing' }),
    };
    expect(() => look({ game: strict, state })).toThrow(
      /tictactoe refuses the legal .*: No pushing/,
    );
  });
});

describe('chance', () => {
  const at = (own: number, other: number, atStake: number): PigState => ({
    goal: GOAL,
    scores: [own, other],
    atStake,
    turn: 0,
  });
  const GOAL = 30;

  test(`[G-SEARCH] pig: a choice that matters by a tenth of the game is right (seed ${TEST_SEED})`, () => {
    const worth = solvePig(GOAL);
    const chance = random('pig positions');
    let [clear, right] = [0, 0];
    while (clear < 60) {
      const [own, other] = [chance.integer(GOAL), chance.integer(GOAL)];
      const atStake = chance.integer(GOAL - own);
      const gain = worth.roll(own, other, atStake) - worth.hold(own, other, atStake);
      if (Math.abs(gain) < 0.1) continue;
      clear += 1;
      const state = at(own, other, atStake);
      const { best } = look({ game: pig as AnyGame, state, positionsMax: 15_000 });
      if ((best as PigAction).move === (gain > 0 ? 'roll' : 'hold')) right += 1;
    }
    expect(right).toBeGreaterThan(0.9 * clear);
  });

  test('[G-SEARCH] pig: a winning action is proven, and nothing that depends on chance', () => {
    const wins = look({ game: pig as AnyGame, state: at(10, 0, 20) });
    expect(wins.best).toEqual({ move: 'hold' });
    expect(wins.positions).toBeLessThan(300);
    for (let n = 0; n < 10; n += 1) {
      // Two more win: any roll but a 1.
      const { edges, root } = look({
        game: pig as AnyGame,
        state: at(10, 0, 18),
        random: random(`nearly ${n}`),
      });
      const roll = edges.find(({ action }) => (action as PigAction).move === 'roll')!;
      expect(roll.proven).toBeNull();
      expect(roll.total / roll.visits).toBeGreaterThan(0.7);
      expect(roll.total / roll.visits).toBeLessThan(0.99);
      expect(root.visits).toBeGreaterThan(50);
    }
  });
});

test(`[G-SEARCH] rock, paper, scissors: visits are spread over all three (seed ${TEST_SEED})`, () => {
  const { initial } = rockPaperScissors;
  for (const rounds of [1, 3]) {
    const state = initial({ variant: 'standard', seats: 2, options: { rounds } });
    for (const seat of [0, 1]) {
      const { edges, root } = look({
        game: rockPaperScissors as AnyGame,
        state,
        seat,
        positionsMax: 15_000,
      });
      for (const { visits } of edges) {
        expect(visits / root.visits).toBeGreaterThan(0.2);
        expect(visits / root.visits).toBeLessThan(0.47);
      }
    }
  }
});

test(`[G-SEARCH] hide and seek: the visits are those of the equilibrium (seed ${TEST_SEED})`, () => {
  const state = hideAndSeek.initial({ variant: 'standard', seats: 2, options: {} });
  for (const seat of [0, 1]) {
    for (let n = 0; n < 8; n += 1) {
      const budget = { positionsMax: 15_000, random: random(`hide ${n}`) };
      const { edges, root } = look({ game: hideAndSeek as AnyGame, state, seat, ...budget });
      const inTheOpen = edges.find(({ action }) => (action as SpotAction).spot === 'open')!;
      expect(inTheOpen.visits / root.visits).toBeGreaterThan(0.26);
      expect(inTheOpen.visits / root.visits).toBeLessThan(0.41);
    }
  }
});
