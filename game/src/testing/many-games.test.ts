/** Many random games: one hash over all of them, what they find wrong, and what they measure. */

import { expect, test } from 'bun:test';
import { TEST_SEED } from '../../../src/testing/test-seed.ts';
import type { AnyGame, Json } from '../game.ts';
import { isRefusal } from '../game.ts';
import { measureMany, playMany, throwHostileInput } from './many-games.ts';
import { clock, pick, race, raceContract } from './toys.test-kit.ts';

const play = raceContract as object;
const many = { seed: TEST_SEED, games: 60 };

test(`[G-CONTRACT] the same games have the same hash, other games another (seed ${TEST_SEED})`, () => {
  const game: AnyGame = race;
  const first = playMany(game, { ...many, play });
  expect(first).toMatchObject({ games: 60, setups: 6 * 3 * 2 * 3, reasons: { goal_reached: 60 } });
  expect(first.inputs).toBeGreaterThan(60);
  expect(playMany(game, { ...many, play })).toEqual(first);
  const others = [
    playMany(game, { ...many, seed: TEST_SEED + 1, play }),
    playMany(game, { ...many, from: 1, play }),
    playMany({ ...game, deal: undefined as never }, { ...many, play }),
  ];
  expect(new Set([first, ...others].map(({ hash }) => hash)).size).toBe(4);
});

test(`[G-CONTRACT] games that several play at once, and games by ticks (seed ${TEST_SEED})`, () => {
  expect(playMany(pick, many).reasons).toEqual({ last_left: 60 });
  expect(playMany(clock, many).reasons).toEqual({ time_up: 60 });
  const tally = throwHostileInput(pick, { seed: TEST_SEED, count: 5_000 });
  expect(Object.keys(tally)).toHaveLength(5);
  for (const refused of Object.values(tally)) expect(refused).toBeGreaterThan(100);
});

const counted = { calls: 0 };
const broken: readonly (readonly [string, Partial<AnyGame>, string])[] = [
  [
    'never ends',
    { apply: (state) => ({ state, events: [] }), missTurn: () => null },
    'No end after',
  ],
  [
    'asks the machine',
    { turn: (state) => (Math.random() < 2 ? race.turn(state as never) : 0) },
    'Math.random',
  ],
  [
    'changes its argument',
    { apply: (state) => ({ state: Object.assign(state as object, { turn: 1 }), events: [] }) },
    'readonly',
  ],
  ['remembers', { apply: remembering }, 'the replay has another hash'],
  ['has no places', { outcome: (state) => withoutPlaces(state) }, '0 places for'],
];

function remembering(...args: Parameters<AnyGame['apply']>) {
  const applied = (race as AnyGame).apply(...args);
  if (isRefusal(applied)) return applied;
  counted.calls += 1;
  return { ...applied, state: { ...(applied.state as object), calls: counted.calls } };
}

function withoutPlaces(state: Json) {
  const outcome = (race as AnyGame).outcome(state);
  return outcome && { ...outcome, places: [], winners: [] };
}

test.each(broken)(`[G-CONTRACT] a game that %s is found (seed ${TEST_SEED})`, (_, change, says) => {
  expect(() => playMany({ ...race, ...change } as AnyGame, { ...many, play })).toThrow(says);
});

test(`[G-CONTRACT] sizes are bytes of JSON, times are by the clock that is handed in (seed ${TEST_SEED})`, () => {
  let ms = 0;
  const now = (): number => {
    ms += 2;
    return ms;
  };
  const measured = measureMany(clock, { seed: TEST_SEED, games: 3, now });
  const bytes = JSON.stringify({ tick: 40, held: [20, 20] }).length;
  expect(measured).toMatchObject({ stateBytesMax: bytes, viewBytesMax: bytes, legalMax: 0 });
  expect(measured.inputMs).toEqual({ mean: 2, p50: 2, p99: 2, max: 2 });
  expect(measureMany(pick, { seed: TEST_SEED, games: 3, now }).legalMax).toBe(3);
});
