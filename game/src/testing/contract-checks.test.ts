/** The contract checks: they accept every kind of game and find each kind of violation. */

import { expect, test } from 'bun:test';
import { gameContractSuite } from '../../../src/games/contract-suite.ts';
import { tictactoe } from '../../../src/games/tictactoe/tictactoe.ts';
import { TEST_SEED } from '../../../src/testing/test-seed.ts';
import { ownField } from '../field.ts';
import type { AnyGame, Applied, GameEvent, Json, Outcome, Refusal, Seat } from '../game.ts';
import { isRefusal } from '../game.ts';
import { drawnByTwo } from '../outcome.ts';
import type { Random } from '../random.ts';
import { describeBroken, failuresOf } from './broken.test-kit.ts';
import type { Contract } from './contract-checks.ts';
import { gameContractChecks } from './contract-checks.ts';
import { clock, pick, race, raceContract } from './toys.test-kit.ts';

gameContractSuite('G-CONTRACT', race, raceContract);
gameContractSuite('G-CONTRACT', pick, { gamesPerSetup: 2 });
gameContractSuite('G-CONTRACT', clock);

const sound: AnyGame = tictactoe;
const positionOf = (action: Json) => (action as { position: number }).position;
let calls = 0;

describeBroken(
  sound,
  [
    ['never ends', { outcome: () => null }, 'random games end', /stuck/],
    [
      'changes its argument',
      { apply: (state) => ({ state: Object.assign(state as object, { board: 'X' }), events: [] }) },
      'functions do not mutate',
      /readonly property/,
    ],
    ['counts calls', { apply: countingApply }, 'a replay reproduces', /hash of the next state/],
    [
      'uses Math.random',
      { apply: (...args) => (Math.random() < 0.5 ? sound.apply(...args) : sound.apply(...args)) },
      'random games end',
      /uses Math.random/,
    ],
    [
      'uses the current time',
      { turn: (state) => (`${new Date()}` === '' ? null : sound.turn(state)) },
      'random games end',
      /uses new Date/,
    ],
    [
      'accepts moves from any seat',
      { apply: anySeatApply },
      'legal actions apply',
      /accepted .* from seat 1/,
    ],
    [
      'has two first places for one winner',
      { outcome: (state) => withOutcome(state, { places: [1, 1] }) },
      'random games end',
      /place 1, compared with winners/,
    ],
    [
      'leaves a place out',
      { outcome: (state) => withOutcome(state, { winners: [0], places: [1, 3] }) },
      'random games end',
      /places: got \[1,3\], expected \[1,2\]/,
    ],
    [
      'has a score for one seat of two',
      { outcome: (state) => withOutcome(state, { scores: [3] }) },
      'random games end',
      /1 scores for 2 seats/,
    ],
    [
      'has a score that is no number',
      { outcome: (state) => withOutcome(state, { scores: [3, Number.NaN] }) },
      'random games end',
      /outcome.scores\[1\] is NaN/,
    ],
    [
      'has a reason that is not in snake_case',
      { outcome: (state) => withOutcome(state, { reason: 'Board full' }) },
      'random games end',
      /snake_case, got Board full/,
    ],
    [
      'hides a legal move',
      {
        legalActions(state) {
          const legal = sound.legalActions(state)!;
          return legal.length > 3 ? legal.filter((action) => positionOf(action) !== 4) : legal;
        },
      },
      'malformed input',
      /apply accepts .*"position":4.*, legalActions omits it/,
    ],
    [
      'lists an illegal move',
      { legalActions: (state) => [...sound.legalActions(state)!, { position: 9 }] },
      'legal actions apply',
      /There is no position 9/,
    ],
    [
      'lists moves after the end',
      { legalActions: (state) => [...sound.legalActions(state)!, { position: 0 }].slice(0, 1) },
      'seats can act',
      /not empty after the end/,
    ],
    ['keeps unknown fields', { parseAction: looseParse }, 'actions survive JSON', /unknown field/],
    [
      'trusts inherited fields',
      { parseAction: inheritingParse },
      'actions survive JSON',
      /inherited fields or getters/,
    ],
    [
      'throws at junk',
      { parseAction: (input) => sound.parseAction({ position: lengthOf(input) }) },
      'malformed input',
      /Got TypeError/,
    ],
    ['keeps -0', { parseAction: negativeZeroParse }, 'actions survive JSON', /keeps -0/],
    [
      'has no fault for malformed input',
      { actionFault: () => null },
      'malformed input',
      /actionFault has to return .* got null/,
    ],
    [
      'echoes the input in a fault',
      { actionFault: (input) => `${JSON.stringify(input)} has to be an action` },
      'malformed input',
      /actionFault has to return/,
    ],
    [
      'has a view that is not JSON',
      { view: () => ({ score: Number.NaN }) },
      'views are',
      /view of a watcher.score is NaN/,
    ],
    [
      'shows seats different views of open information',
      { view: (_, seat) => ({ seat }) },
      'views are',
      /open information/,
    ],
    ['gives all moves the same notation', { makeNotation: () => '1' }, 'notation', /same notation/],
    [
      'parses notation of an illegal move',
      { parseNotation: (_, text) => ({ position: Number(text) - 1 }) },
      'notation',
      /returns an illegal action/,
    ],
    [
      'has a refusal that is not a sentence',
      { apply: (...args) => withError(sound.apply(...args), 'position taken.') },
      'illegal actions',
      /start with a capital and have no full stop, got: position taken\./,
    ],
    [
      'is over before the start',
      { outcome: (state) => sound.outcome(state) ?? drawnByTwo('board_full') },
      'every setup starts',
      /outcome is not null before the start/,
    ],
    ['declares no rules version', { rulesVersion: 0 }, 'the declaration', /rulesVersion/],
    [
      'has an event with a malformed type',
      { apply: (...args) => withEvents(sound.apply(...args), [{ type: 'Won!', data: {} }]) },
      'legal actions apply',
      /got Won!/,
    ],
  ],
  { inputsMax: 9, gamesPerSetup: 10 },
);

function countingApply(...args: Parameters<AnyGame['apply']>) {
  const applied = sound.apply(...args);
  if (isRefusal(applied)) return applied;
  calls += 1;
  return { ...applied, state: { ...(applied.state as object), calls } };
}

function anySeatApply(state: Json, _: Seat, action: Json, random: Random) {
  return sound.apply(state, sound.turn(state) ?? 0, action, random);
}

function withOutcome(state: Json, change: Partial<Outcome>): Outcome | null {
  const outcome = sound.outcome(state);
  return outcome && { ...outcome, ...change };
}

function withError<State>(applied: Applied<State> | Refusal, error: string) {
  return isRefusal(applied) ? { ...applied, error } : applied;
}

function withEvents<State>(applied: Applied<State> | Refusal, events: readonly GameEvent[]) {
  return isRefusal(applied) ? applied : { ...applied, events };
}

function looseParse(input: unknown): Json | null {
  const action = sound.parseAction(input);
  return action && { ...(input as object), ...(action as object) };
}

function lengthOf(input: unknown): number {
  return (input as { position: string }).position.length;
}

function inheritingParse(input: unknown): Json | null {
  const position = (input as { position?: unknown } | null | undefined)?.position;
  return sound.parseAction({ position });
}

function negativeZeroParse(input: unknown): Json | null {
  const action = sound.parseAction(input);
  return action && { position: ownField(input, 'position') as number };
}

test(`[G-CONTRACT] a valid game passes every check (seed ${TEST_SEED})`, () => {
  expect(failuresOf(sound, { inputsMax: 9, gamesPerSetup: 10 })).toEqual([]);
});

test('[G-CONTRACT] the seed is the given one, the environment variable or the time, and titles show it', () => {
  const seedOf = (contract: Contract<Json, Json>): number => {
    const [{ what } = { what: '' }] = gameContractChecks(sound, contract);
    return Number(/ \(seed (-?\d+)\)$/.exec(what)?.[1]);
  };
  const before = process.env['MATCHD_TEST_SEED'];
  try {
    process.env['MATCHD_TEST_SEED'] = '4711';
    expect([seedOf({ seed: 12 }), seedOf({})]).toEqual([12, 4711]);
    process.env['MATCHD_TEST_SEED'] = 'today';
    expect(() => seedOf({})).toThrow('MATCHD_TEST_SEED is not an integer: today');
    delete process.env['MATCHD_TEST_SEED'];
    const seed = seedOf({});
    expect(seed).toBe(seed | 0);
    expect(Math.abs((Date.now() | 0) - seed)).toBeLessThan(60_000);
  } finally {
    if (before === undefined) delete process.env['MATCHD_TEST_SEED'];
    else process.env['MATCHD_TEST_SEED'] = before;
  }
});
