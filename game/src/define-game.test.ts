/** `defineGame`: the usual values, notation, and what it says of a declaration that does not hold. */

import { describe, expect, test } from 'bun:test';
import type { GameDefinition, TickGameDefinition } from './define-game.ts';
import { defineGame, defineTickGame } from './define-game.ts';
import { isRefusal } from './game.ts';
import { hashJson } from './json.ts';
import { ranked } from './outcome.ts';
import { makeRandom } from './random.ts';
import { illegalMove, refuseTurn } from './refusal.ts';
import { shape, wholeNumber } from './shape.ts';

type Nim = { readonly left: number; readonly turn: number };
type Take = { readonly take: number };

const nim: GameDefinition<Nim, Take> = {
  id: 'nim',
  seats: 2,
  action: shape({ take: wholeNumber(1, 3) }),
  initial: () => ({ left: 10, turn: 0 }),
  turn: ({ left, turn }) => (left === 0 ? null : turn),
  legalActions: ({ left }) => [1, 2, 3].filter((take) => take <= left).map((take) => ({ take })),
  apply(state, seat, { take }) {
    const refusal = refuseTurn(state.left === 0 ? null : state.turn, seat);
    if (refusal !== null) return refusal;
    if (take > state.left) return illegalMove('There are not so many left');
    return { state: { left: state.left - take, turn: 1 - seat }, events: [] };
  },
  outcome: ({ left, turn }) => (left > 0 ? null : ranked([turn, 1 - turn], 'last_taken')),
};
const setup = { variant: 'standard', seats: 2, options: {} };
const start = nim.initial(setup);
const noChance = makeRandom('', () => '', 0);

describe('usual values', () => {
  test('[G-KIT] what is left out has them', () => {
    expect(defineGame(nim)).toMatchObject({
      id: 'nim',
      rulesVersion: 1,
      seats: { min: 2, max: 2, default: 2 },
      variants: ['standard'],
      options: {},
      turnTimeoutMs: 60_000,
      drawOffers: false,
      openInformation: true,
    });
    expect(defineGame(nim).view(start, 1)).toEqual(start);
    expect(defineGame({ ...nim, rulesVersion: 3, turnTimeoutMs: 9_000 })).toMatchObject({
      rulesVersion: 3,
      turnTimeoutMs: 9_000,
    });
  });

  test('[G-KIT] seats are so many, or a range whose default is its least', () => {
    const forfeit = (state: Nim): Nim => state;
    const seatsOf = (seats: GameDefinition<Nim, Take>['seats']) =>
      defineGame({ ...nim, seats, forfeit }).seats;
    expect(seatsOf({ min: 2, max: 4 })).toEqual({ min: 2, max: 4, default: 2 });
    expect(seatsOf({ min: 2, max: 4, default: 3 })).toEqual({ min: 2, max: 4, default: 3 });
  });

  test('[G-KIT] where several act there is no turn, and a member given as undefined is not given', () => {
    const { turn: _, ...rest } = nim;
    const together = defineGame({ ...rest, acting: () => [0, 1] });
    expect(together.turn(start)).toBeNull();
    expect(defineGame({ ...nim, view: undefined } as never).view(start as never, null)).toEqual(
      start,
    );
  });

  test('[G-KIT] a game by ticks has no turn and no actions, and a hash of its state', () => {
    type Count = { readonly tick: number };
    const definition: TickGameDefinition<Count> = {
      id: 'count',
      seats: 1,
      initial: () => ({ tick: 0 }),
      outcome: ({ tick }) => (tick < 5 ? null : ranked([0], 'counted')),
      ticks: {
        ticksPerSecond: 10,
        maskMax: 1,
        tickOf: ({ tick }) => tick,
        step: ({ tick }) => ({ tick: tick + 1 }),
      },
    };
    const count = defineTickGame(definition);
    const state = { tick: 3 };
    expect(count.turn(state)).toBeNull();
    expect([count.legalActions(state), count.legalActions({ tick: 5 })]).toEqual([null, []]);
    expect(count.parseAction({ tick: 3 })).toBeNull();
    expect(isRefusal(count.apply(state, 0, {} as never, noChance))).toBe(true);
    expect(count.ticks.hash(state)).toBe(hashJson(state).slice(0, 8));
    expect(count.ticks.eventsOf(state, state)).toEqual([]);
    const { ticks } = definition;
    const unsound = { ...definition, ticks: { ...ticks, ticksPerSecond: 0 } };
    expect(() => defineTickGame(unsound)).toThrow('ticks has to have sound rates');
  });
});

describe('notation', () => {
  test('[G-KIT] canonical JSON, where nothing is said: read only where it is legal and in that form', () => {
    const game = defineGame(nim);
    expect(game.makeNotation(start, { take: 2 })).toBe('{"take":2}');
    expect(game.parseNotation(start, '{"take":2}')).toEqual({ take: 2 });
    for (const text of ['{"take": 2}', '{"take":4}', '{"take":2,"more":1}', '2', '{', '']) {
      expect(game.parseNotation(start, text)).toBeNull();
    }
    expect(game.parseNotation({ left: 1, turn: 0 }, '{"take":2}')).toBeNull();
  });

  test('[G-KIT] canonical JSON where what is legal is not finite', () => {
    const game = defineGame({ ...nim, legalActions: () => null });
    expect(game.parseNotation(start, '{"take":2}')).toEqual({ take: 2 });
    for (const text of ['{"take": 2}', '{"take":4}', '[]', '{']) {
      expect(game.parseNotation(start, text)).toBeNull();
    }
  });

  test("[G-KIT] the game's own, read back among what is legal", () => {
    const game = defineGame({ ...nim, notation: ({ take }) => `-${take}` });
    expect(game.makeNotation(start, { take: 3 })).toBe('-3');
    expect(game.parseNotation(start, '-3')).toEqual({ take: 3 });
    expect(game.parseNotation({ left: 2, turn: 0 }, '-3')).toBeNull();
  });
});

describe('the declaration', () => {
  const faults: readonly (readonly [string, object, string])[] = [
    ['an id with capitals', { id: 'Nim' }, 'id has to be 2 to 32 lower-case letters'],
    ['half a rules version', { rulesVersion: 1.5 }, 'rulesVersion has to be a whole number from 1'],
    ['no variant', { variants: [] }, 'variants has to name at least one'],
    ['a variant twice', { variants: ['a', 'a'] }, 'variants has to name each one once'],
    ['a variant in prose', { variants: ['A b'] }, 'variant A b has to match'],
    ['a turn of no time', { turnTimeoutMs: 0 }, 'turnTimeoutMs has to be 1000 to'],
    ['no seats', { seats: 0 }, 'seats has to have whole numbers'],
    ['17 seats', { seats: { min: 2, max: 17 }, forfeit: () => start }, '1 ≤ min ≤ max ≤ 16'],
    [
      'a default out of range',
      { seats: { min: 1, max: 2, default: 3 } },
      'seats.default has to be',
    ],
    ['3 seats without forfeit', { seats: 3 }, 'forfeit is needed where'],
    [
      'seats of no variant',
      { variantSeats: { b: { min: 2, max: 2 } } },
      'variantSeats.b has to be one',
    ],
    [
      'an option of sessions',
      { options: { afk: { kind: 'boolean', default: true } } },
      'option afk',
    ],
    [
      'an unknown kind',
      { options: { size: { kind: 'number', default: 1 } } },
      'option size has to be',
    ],
    [
      'a default out of bounds',
      { options: { size: { kind: 'integer', min: 1, max: 3, default: 4 } } },
      'option size has to be of a known kind, with a default within its bounds',
    ],
    [
      'a default that is no choice',
      { options: { size: { kind: 'choice', values: ['a', 'b'], default: 'c' } } },
      'option size has to be of a known kind, with a default within its bounds',
    ],
    [
      'secrets that nobody imagines',
      { openInformation: false, view: () => 0 },
      'imagine is needed',
    ],
    ['secrets without a view', { openInformation: false, imagine: () => start }, 'view is missing'],
    ['no actions', { action: undefined }, 'parseAction is missing'],
    ['no turn', { turn: undefined }, 'turn is missing'],
    ['a member misspelt', { missturn: () => null }, 'missturn is no member of a game'],
    ['time up without a time', { timeUp: () => null }, 'timeUp is of no use without timeLimitMs'],
    [
      'a time that is never up',
      { timeLimitMs: () => 1 },
      'timeLimitMs is of no use without timeUp',
    ],
    [
      'missing out without missing',
      { hasMissedOut: () => true },
      'hasMissedOut is of no use without',
    ],
  ];
  test.each(faults)('[G-KIT] %s', (_, change, says) => {
    const make = () => defineGame({ ...nim, ...change } as GameDefinition<Nim, Take>);
    expect(make).toThrow(TypeError);
    expect(make).toThrow(says);
    expect(make).toThrow(/^Game [nN]im: /);
  });

  test('[G-KIT] says all that is wrong at once', () => {
    const wrong = { ...nim, rulesVersion: 0, seats: 3 };
    expect(() => defineGame(wrong)).toThrow(/rulesVersion.*; forfeit is needed/);
  });
});
