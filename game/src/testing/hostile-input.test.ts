/** Hostile input: a valid game refuses it, and a broken game is found. */

import { expect, test } from 'bun:test';
import { tictactoe } from '../../../src/games/tictactoe/tictactoe.ts';
import { TEST_SEED } from '../../../src/testing/test-seed.ts';
import { ownField } from '../field.ts';
import type { AnyGame, Json } from '../game.ts';
import { makeRandom } from '../random.ts';
import { actionsOf, refuseHostileInput, targetsOf } from './hostile-input.ts';
import { makeSetups, playRandomly } from './random-play.ts';
import { pick } from './toys.test-kit.ts';

const COUNT = 20_000;

/** Sends input to a broken game, in positions of the valid one. */
function attack(sound: AnyGame, change: Partial<AnyGame> = {}): () => void {
  const setup = makeSetups(sound)[0]!;
  const chooser = makeRandom(`${TEST_SEED}`, () => 'hostile', 0);
  const games = [playRandomly({ game: sound, play: {}, setup, secret: 'secret', chooser })];
  const [targets, actions] = [targetsOf(games, 9), actionsOf(sound, games)];
  const limits = { count: COUNT, seed: TEST_SEED };
  return () => refuseHostileInput({ ...sound, ...change }, targets, actions, limits);
}

test(`[G-CONTRACT] a game that accepts hostile input or changes a state is found (seed ${TEST_SEED})`, () => {
  const sound: AnyGame = tictactoe;
  const anySeat: AnyGame['apply'] = (state, _, action, random) =>
    sound.apply(state, sound.turn(state) ?? 0, action, random);
  const loose = (input: unknown): Json | null =>
    sound.parseAction(input) === null ? null : (input as Json);
  const inheriting = (input: unknown): Json | null => {
    const position = (input as { position?: unknown } | null | undefined)?.position;
    return sound.parseAction({ position });
  };
  expect(attack(sound)).not.toThrow();
  expect(attack(sound, { apply: anySeat })).toThrow('Taken');
  expect(attack(sound, { parseAction: loose })).toThrow();
  expect(attack(sound, { parseAction: inheriting })).toThrow('getter');
  expect(attack(sound, { apply: (state) => changeBoard(state) })).toThrow(TypeError);
});

test(`[G-CONTRACT] a game that accepts input of a seat that may not act is found (seed ${TEST_SEED})`, () => {
  const sound: AnyGame = pick;
  const unasked: AnyGame['apply'] = (state, seat, action, random) => {
    const picks = (ownField(state, 'picks') as Json[]).with(seat, null);
    return sound.apply({ ...(state as object), picks }, seat, action, random);
  };
  expect(attack(sound)).not.toThrow();
  expect(attack(sound, { apply: unasked })).toThrow('Taken');
});

function changeBoard(state: Json): never {
  (state as { board: Json[] }).board[0] = 'X';
  throw new Error('The state was not frozen');
}
