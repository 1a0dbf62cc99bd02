/** The bounds of every option, as a table, and unknown options. */

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { anyJunk } from '../../game/src/testing/junk.ts';
import { connect4 } from '../games/connect4/connect4.ts';
import { tictactoe } from '../games/tictactoe/tictactoe.ts';
import { diceRace } from '../testing/matches/dice-race.ts';
import { TEST_SEED } from '../testing/test-seed.ts';
import type { OptionError, SessionOptions } from './setup.ts';
import { isOptionError, OPTION_LIMITS, parseOptions } from './setup.ts';

const DAY_MS = 86_400_000;

function fieldOf(parsed: SessionOptions | OptionError): string | null {
  return isOptionError(parsed) ? parsed.field : null;
}

test('[S9a] omitted options have their defaults', () => {
  const defaults: SessionOptions = {
    game: {},
    turnTimeoutMs: 60_000,
    clock: null,
    disconnectGraceMs: 60_000,
    afk: true,
    botDifficulty: 'medium',
  };
  expect(parseOptions(tictactoe, {})).toEqual(defaults);
  expect(parseOptions(connect4, {})).toEqual({ ...defaults, turnTimeoutMs: 90_000 });
  expect(parseOptions(diceRace, {})).toEqual({
    ...defaults,
    turnTimeoutMs: 20_000,
    game: { goal: 20, stakes: 'listed', hands: true },
  });
});

test('[S9a] null counts as missing, everywhere', () => {
  const nothing = {
    turnTimeoutMs: null,
    clock: null,
    disconnectGraceMs: null,
    afk: null,
    botDifficulty: null,
    goal: null,
    stakes: null,
    hands: undefined,
  };
  expect(parseOptions(diceRace, nothing)).toEqual(parseOptions(diceRace, {}));
  const clock = { initialMs: 60_000, incrementMs: null };
  expect(parseOptions(tictactoe, { clock })).toMatchObject({
    clock: { initialMs: 60_000, incrementMs: 0 },
  });
});

/** Both ends of every range. One less and one more is refused. */
const RANGES: readonly (readonly [
  field: string,
  min: number,
  max: number,
  ask: (value: unknown) => object,
])[] = [
  ['turnTimeoutMs', 5_000, 14 * DAY_MS, (turnTimeoutMs) => ({ turnTimeoutMs })],
  ['disconnectGraceMs', 0, 14 * DAY_MS, (disconnectGraceMs) => ({ disconnectGraceMs })],
  ['clock.initialMs', 10_000, 14 * DAY_MS, (initialMs) => ({ clock: { initialMs } })],
  [
    'clock.incrementMs',
    0,
    DAY_MS,
    (incrementMs) => ({ clock: { initialMs: 60_000, incrementMs } }),
  ],
  ['goal', 5, 60, (goal) => ({ goal })],
];

describe.each(RANGES)('[S9a] %s', (field, min, max, ask) => {
  const parse = (value: unknown) => parseOptions(diceRace, { ...ask(value) });

  test(`[S9a] may be ${min} to ${max}`, () => {
    for (const value of [min, min + 1, max - 1, max]) {
      expect(fieldOf(parse(value))).toBeNull();
      expect(JSON.stringify(parse(value))).toContain(String(value));
    }
  });

  test('[S9a] may not be beyond that, or anything but a whole number', () => {
    const odd = [Number.NaN, Infinity, -Infinity, String(min), [min], true, BigInt(min)];
    for (const value of [min - 1, max + 1, min + 0.5, ...odd, { valueOf: () => min }]) {
      expect(parse(value)).toEqual({ field, valid: null });
    }
  });
});

test('[S9a] a clock needs its initial time', () => {
  const missing = { field: 'clock.initialMs', valid: null, isMissing: true };
  expect(parseOptions(tictactoe, { clock: {} })).toEqual(missing as never);
  const withIncrement = { clock: { incrementMs: 1_000 } };
  expect(fieldOf(parseOptions(tictactoe, withIncrement))).toBe('clock.initialMs');
  for (const clock of [[], [60_000], 'fast', 0, false, 60_000]) {
    expect(parseOptions(tictactoe, { clock })).toEqual({ field: 'clock', valid: null });
  }
});

test('[S9a] a choice is one of its values, which are named', () => {
  for (const botDifficulty of ['easy', 'medium', 'hard', 'perfect']) {
    expect(parseOptions(tictactoe, { botDifficulty })).toMatchObject({ botDifficulty });
  }
  for (const botDifficulty of ['', 'Easy', 'constructor', 0, ['easy'], {}]) {
    expect(parseOptions(tictactoe, { botDifficulty })).toEqual({
      field: 'botDifficulty',
      valid: ['easy', 'medium', 'hard', 'perfect'],
    });
  }
  expect(parseOptions(diceRace, { stakes: 'free' })).toMatchObject({ game: { stakes: 'free' } });
  expect(parseOptions(diceRace, { stakes: 'none' })).toEqual({
    field: 'stakes',
    valid: ['listed', 'free'],
  });
});

test('[S9a] a boolean is true or false, and false is not missing', () => {
  expect(parseOptions(diceRace, { afk: false, hands: false })).toMatchObject({
    afk: false,
    game: { hands: false },
  });
  for (const value of [0, 1, 'true', 'false', '', [], {}]) {
    expect(parseOptions(diceRace, { afk: value })).toEqual({
      field: 'afk',
      valid: ['true', 'false'],
    });
    expect(parseOptions(diceRace, { hands: value })).toMatchObject({ field: 'hands' });
  }
});

test.each([
  'goal',
  'constructor',
  'toString',
  'hasOwnProperty',
  '__proto__',
  'prototype',
  'turntimeoutms',
  'turnTimeoutMs ',
  'seed',
  'field',
  'game',
  '',
])('[S9a] an unknown name is refused: %p', (name) => {
  for (const value of [1, null, {}]) {
    const asked = JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value)}}`);
    expect(parseOptions(tictactoe, asked)).toEqual({ field: name, valid: null });
    const clock = { ...JSON.parse('{}'), initialMs: 60_000 };
    Object.defineProperty(clock, name, { value, enumerable: true });
    expect(parseOptions(tictactoe, { clock })).toEqual({ field: `clock.${name}`, valid: null });
  }
});

test(`[S9a] whatever the input, the result is within its bounds (seed ${TEST_SEED})`, () => {
  const value = fc.oneof(anyJunk, fc.integer(), fc.boolean(), fc.constantFrom('easy', 'free'));
  const names = ['turnTimeoutMs', 'disconnectGraceMs', 'afk', 'botDifficulty', 'clock', 'goal'];
  const clock = fc.record({ initialMs: value, incrementMs: value }, { requiredKeys: [] });
  const asked = fc.dictionary(fc.constantFrom(...names), fc.oneof(value, clock));
  const property = fc.property(asked, (options) => {
    const parsed = parseOptions(diceRace, options);
    if (isOptionError(parsed)) {
      expect(names).toContain(parsed.field.split('.')[0]!);
      return;
    }
    const isWithin = (ms: number, { min, max }: { min: number; max: number }): boolean =>
      Number.isSafeInteger(ms) && ms >= min && ms <= max;
    expect(isWithin(parsed.turnTimeoutMs, OPTION_LIMITS.turnTimeoutMs)).toBe(true);
    expect(isWithin(parsed.disconnectGraceMs, OPTION_LIMITS.disconnectGraceMs)).toBe(true);
    expect(parsed.afk === true || parsed.afk === false).toBe(true);
    expect(Object.keys(parsed.game)).toEqual(['goal', 'stakes', 'hands']);
    expect(isWithin(Number(parsed.game['goal']), { min: 5, max: 60 })).toBe(true);
    if (parsed.clock === null) return;
    expect(isWithin(parsed.clock.initialMs, OPTION_LIMITS.clockInitialMs)).toBe(true);
    expect(isWithin(parsed.clock.incrementMs, OPTION_LIMITS.clockIncrementMs)).toBe(true);
  });
  fc.assert(property, { seed: TEST_SEED, numRuns: 2_000 });
});
