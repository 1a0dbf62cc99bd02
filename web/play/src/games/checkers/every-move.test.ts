/** Tests of the page's board against the engine: every square by name, every legal move by pressing. */

import { expect, test } from 'bun:test';
import { isRefusal } from '../../../../../game/src/game.ts';
import type { Random } from '../../../../../game/src/random.ts';
import { makeRandom } from '../../../../../game/src/random.ts';
import { initialOf } from '../../../../../src/games/checkers/checkers.test-kit.ts';
import { checkers } from '../../../../../src/games/checkers/checkers.ts';
import type { Variant } from '../../../../../src/games/checkers/dialect.ts';
import { DIALECTS, squareOfCell, VARIANTS } from '../../../../../src/games/checkers/dialect.ts';
import { makeState } from '../../../../../src/games/checkers/draughts/state.ts';
import type { DraughtsVariant } from '../../../../../src/games/checkers/draughts/variant.ts';
import type { CheckersState } from '../../../../../src/games/checkers/rule-sets.ts';
import { TEST_SEED } from '../../../../../src/testing/test-seed.ts';
import type { Option } from './choice.ts';
import { optionsOf, press } from './choice.ts';
import type { Action } from './routes.ts';
import { gaitOf, readCells } from './routes.ts';
import { isPlayed, squareName } from './squares.ts';

const chance = (name: string): Random => makeRandom(`${TEST_SEED}`, () => `page ${name}`, 0);

/** Random positions with some kings and men of both players: many allow captures, some several with the same ends. */
function anyPosition(variant: DraughtsVariant, random: Random): CheckersState {
  const { edge } = DIALECTS[variant];
  const squares = Array.from({ length: (edge * edge) / 2 }, () => '.');
  for (const letter of ['W', 'W', 'w', ...Array.from('bbbbbbbB').slice(random.integer(5))]) {
    squares[edge / 2 + random.integer(squares.length - edge)] = letter;
  }
  return makeState({ variant, squares: squares.join(''), turn: 0 });
}

/** Test states: a game played at random, and positions with flying kings. */
function* statesOf(variant: Variant, random: Random): Generator<CheckersState> {
  let state = initialOf(variant);
  while (checkers.outcome(state) === null) {
    yield state;
    const legal = checkers.legalActions(state)!;
    const applied = checkers.apply(state, state.turn, legal[random.integer(legal.length)]!, random);
    if (isRefusal(applied)) throw new Error(applied.error);
    ({ state } = applied);
  }
  if (variant === 'american') return;
  for (let n = 0; n < 1_200; n += 1) yield anyPosition(variant, random);
}

/** The result of pressing the squares of a route one after another. */
function walk(options: readonly Option[], cells: readonly number[]): Action | null {
  let trail: readonly number[] = [];
  for (const cell of cells) {
    const pressed = press(options, trail, cell);
    if (pressed.kind === 'play') return pressed.action;
    if (pressed.kind === 'unclear') return null;
    ({ trail } = pressed);
  }
  return null;
}

test('[WEB] squares have the names that the engine writes', () => {
  for (const variant of VARIANTS) {
    const { edge } = DIALECTS[variant];
    for (let cell = 0; cell < edge * edge; cell += 1) {
      if (!isPlayed(cell, edge)) continue;
      const name = squareOfCell(DIALECTS[variant], cell);
      expect([variant, cell, squareName(cell, edge, variant)]).toEqual([variant, cell, name]);
    }
  }
});

test.each(VARIANTS)(
  `[WEB] in %s every legal move can be pressed and is sent unchanged, with its path (seed ${TEST_SEED})`,
  (variant) => {
    const random = chance(variant);
    const seen = { moves: 0, paths: 0, empty: 0 };
    for (const state of statesOf(variant, random)) {
      const cells = readCells(checkers.view(state, null));
      const legal = (checkers.legalActions(state) ?? []) as readonly Action[];
      const options = optionsOf(cells, legal, gaitOf(variant));
      for (const action of legal) {
        seen.moves += 1;
        if (action.path !== undefined) seen.paths += 1;
        if (action.path?.length === 0) seen.empty += 1;
        const own = options.filter((option) => option.action.from === action.from);
        const reached = own.map(({ route }) => walk(options, route.cells));
        expect(reached).toContainEqual(action);
        expect(checkers.parseAction(JSON.parse(JSON.stringify(action)))).toEqual(action);
      }
    }
    expect(seen.moves).toBeGreaterThan(50);
    if (variant === 'american') return;
    expect(seen.paths).toBeGreaterThan(20);
    // A single jump of a king and a longer capture that end on the same square, where both are legal.
    if (variant === 'russian') expect(seen.empty).toBeGreaterThan(0);
  },
);
