/** `defineGame`: defaults, notation, and faults of a declaration. */

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

describe('defaults', () => {
  test('[G-KIT] absent members have their defaults', () => {
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

  test('[G-KIT] seats are a number, or a range whose default is its minimum', () => {
    const forfeit = (state: Nim): Nim => state;
    const seatsOf = (seats: GameDefinition<Nim, Take>['seats']) =>
      defineGame({ ...nim, seats, forfeit }).seats;
    expect(seatsOf({ min: 2, max: 4 })).toEqual({ min: 2, max: 4, default: 2 });
    expect(seatsOf({ min: 2, max: 4, default: 3 })).toEqual({ min: 2, max: 4, default: 3 });
  });

  test('[G-KIT] with acting turn is null, and an undefined member counts as absent', () => {
    const { turn: _, ...rest } = nim;
    const together = defineGame({ ...rest, acting: () => [0, 1] });
    expect(together.turn(start)).toBeNull();
    expect(defineGame({ ...nim, view: undefined } as never).view(start as never, null)).toEqual(
      start,
    );
  });

  test('[G-KIT] a tick game has no turn and no actions, and a hash of its state', () => {
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
    expect(() => defineTickGame(unsound)).toThrow('ticks has to have ticksPerSecond');
  });
});

describe('notation', () => {
  test('[G-KIT] canonical JSON by default: parsed only if legal and in canonical form', () => {
    const game = defineGame(nim);
    expect(game.makeNotation(start, { take: 2 })).toBe('{"take":2}');
    expect(game.parseNotation(start, '{"take":2}')).toEqual({ take: 2 });
    for (const text of ['{"take": 2}', '{"take":4}', '{"take":2,"more":1}', '2', '{', '']) {
      expect(game.parseNotation(start, text)).toBeNull();
    }
    expect(game.parseNotation({ left: 1, turn: 0 }, '{"take":2}')).toBeNull();
  });

  test('[G-KIT] canonical JSON if legal actions are not finite', () => {
    const game = defineGame({ ...nim, legalActions: () => null });
    expect(game.parseNotation(start, '{"take":2}')).toEqual({ take: 2 });
    for (const text of ['{"take": 2}', '{"take":4}', '[]', '{']) {
      expect(game.parseNotation(start, text)).toBeNull();
    }
  });

  test("[G-KIT] the game's own, parsed among the legal actions", () => {
    const game = defineGame({ ...nim, notation: ({ take }) => `-${take}` });
    expect(game.makeNotation(start, { take: 3 })).toBe('-3');
    expect(game.parseNotation(start, '-3')).toEqual({ take: 3 });
    expect(game.parseNotation({ left: 2, turn: 0 }, '-3')).toBeNull();
  });
});

describe('the declaration', () => {
  const faults: readonly (readonly [string, object, string])[] = [
    ['an id with capitals', { id: 'Nim' }, 'id has to be 2 to 32 lower-case letters'],
    [
      'a rules version with a fraction',
      { rulesVersion: 1.5 },
      'rulesVersion has to be a whole number from 1',
    ],
    ['no variant', { variants: [] }, 'variants has to have at least one name'],
    ['a variant twice', { variants: ['a', 'a'] }, 'variants has to have distinct names'],
    ['a malformed variant', { variants: ['A b'] }, 'variant A b has to match'],
    ['a turn timeout of 0', { turnTimeoutMs: 0 }, 'turnTimeoutMs has to be 1000 to'],
    ['no seats', { seats: 0 }, 'seats has to have whole numbers'],
    ['17 seats', { seats: { min: 2, max: 17 }, forfeit: () => start }, '1 ≤ min ≤ max ≤ 16'],
    [
      'a default out of range',
      { seats: { min: 1, max: 2, default: 3 } },
      'seats.default has to be',
    ],
    ['3 seats without forfeit', { seats: 3 }, 'forfeit is required for'],
    [
      'seats of no variant',
      { variantSeats: { b: { min: 2, max: 2 } } },
      'variantSeats.b is not one',
    ],
    ['a session option', { options: { afk: { kind: 'boolean', default: true } } }, 'option afk'],
    [
      'an unknown kind',
      { options: { size: { kind: 'number', default: 1 } } },
      'option size has to have',
    ],
    [
      'a default out of bounds',
      { options: { size: { kind: 'integer', min: 1, max: 3, default: 4 } } },
      'option size has to have a known kind and a default within its bounds',
    ],
    [
      'a default that is no choice',
      { options: { size: { kind: 'choice', values: ['a', 'b'], default: 'c' } } },
      'option size has to have a known kind and a default within its bounds',
    ],
    [
      'hidden information without imagine',
      { openInformation: false, view: () => 0 },
      'imagine is required',
    ],
    [
      'hidden information without view',
      { openInformation: false, imagine: () => start },
      'view is missing',
    ],
    ['no actions', { action: undefined }, 'parseAction is missing'],
    ['no turn', { turn: undefined }, 'turn is missing'],
    ['a member misspelt', { missturn: () => null }, 'missturn is not a member of a game'],
    ['timeUp without a time limit', { timeUp: () => null }, 'timeUp requires timeLimitMs'],
    ['a time limit without timeUp', { timeLimitMs: () => 1 }, 'timeLimitMs requires timeUp'],
    ['hasMissedOut without missTurn', { hasMissedOut: () => true }, 'hasMissedOut requires'],
  ];
  test.each(faults)('[G-KIT] %s', (_, change, says) => {
    const make = () => defineGame({ ...nim, ...change } as GameDefinition<Nim, Take>);
    expect(make).toThrow(TypeError);
    expect(make).toThrow(says);
    expect(make).toThrow(/^Game [nN]im: /);
  });

  test('[G-KIT] lists all faults at once', () => {
    const wrong = { ...nim, rulesVersion: 0, seats: 3 };
    expect(() => defineGame(wrong)).toThrow(/rulesVersion.*; forfeit is required/);
  });
});
