/** The contract's checks themselves: they take every kind of game, and no broken one. */

import { expect, test } from 'bun:test';
import { gameContractSuite } from '../../../src/games/contract-suite.ts';
import { tictactoe } from '../../../src/games/tictactoe/tictactoe.ts';
import { TEST_SEED } from '../../../src/testing/test-seed.ts';
import { ownField } from '../field.ts';
import type { AnyGame, Applied, GameEvent, Json, Outcome, Refusal, Seat } from '../game.ts';
import { isRefusal } from '../game.ts';
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
    ['never ends', { outcome: () => null }, 'random play ends', /stuck/],
    [
      'changes its argument',
      { apply: (state) => ({ state: Object.assign(state as object, { board: 'X' }), events: [] }) },
      'an input changes',
      /readonly property/,
    ],
    ['counts calls', { apply: countingApply }, 'replaying the inputs', /hash of the next state/],
    [
      'asks the machine for chance',
      { apply: (...args) => (Math.random() < 0.5 ? sound.apply(...args) : sound.apply(...args)) },
      'random play ends',
      /asks the machine \(Math.random\)/,
    ],
    [
      'asks the machine for the time',
      { turn: (state) => (`${new Date()}` === '' ? null : sound.turn(state)) },
      'random play ends',
      /asks the machine \(new Date\)/,
    ],
    ['lets any seat move', { apply: anySeatApply }, 'what is legal applies', /seat 1 was let do/],
    [
      'has two first places for one winner',
      { outcome: (state) => withOutcome(state, { places: [1, 1] }) },
      'random play ends',
      /first place against winners/,
    ],
    [
      'leaves a place out',
      { outcome: (state) => withOutcome(state, { winners: [0], places: [1, 3] }) },
      'random play ends',
      /places: found \[1,3\], wanted \[1,2\]/,
    ],
    [
      'has a score for one seat of two',
      { outcome: (state) => withOutcome(state, { scores: [3] }) },
      'random play ends',
      /1 scores for 2 seats/,
    ],
    [
      'has a score that is no number',
      { outcome: (state) => withOutcome(state, { scores: [3, Number.NaN] }) },
      'random play ends',
      /outcome.scores\[1\] is NaN/,
    ],
    [
      'has a reason in its own spelling',
      { outcome: (state) => withOutcome(state, { reason: 'Board full' }) },
      'random play ends',
      /snake_case, not Board full/,
    ],
    [
      'hides a legal move',
      {
        legalActions(state) {
          const legal = sound.legalActions(state)!;
          return legal.length > 3 ? legal.filter((action) => positionOf(action) !== 4) : legal;
        },
      },
      'any junk',
      /"position":4.* is let and not listed/,
    ],
    [
      'lists an illegal move',
      { legalActions: (state) => [...sound.legalActions(state)!, { position: 9 }] },
      'what is legal applies',
      /There is no position 9/,
    ],
    [
      'lists moves after the end',
      { legalActions: (state) => [...sound.legalActions(state)!, { position: 0 }].slice(0, 1) },
      'somebody is to act',
      /legal after the end/,
    ],
    ['brings fields along', { parseAction: looseParse }, 'an action is', /not its own/],
    ['trusts inherited fields', { parseAction: inheritingParse }, 'an action is', /not own data/],
    [
      'throws at junk',
      { parseAction: (input) => sound.parseAction({ position: lengthOf(input) }) },
      'any junk',
      /Got TypeError/,
    ],
    ['keeps -0', { parseAction: negativeZeroParse }, 'an action is', /-0 is kept/],
    [
      'finds a fault in nothing',
      { actionFault: () => null },
      'any junk',
      /actionFault has to be like.*null/,
    ],
    [
      'repeats what it was sent',
      { actionFault: (input) => `${JSON.stringify(input)} has to be an action` },
      'any junk',
      /actionFault has to be like/,
    ],
    [
      'shows what JSON loses',
      { view: () => ({ score: Number.NaN }) },
      'a view is',
      /view of a watcher.score is NaN/,
    ],
    ['shows seats different things', { view: (_, seat) => ({ seat }) }, 'a view is', /all is open/],
    ['writes all moves alike', { makeNotation: () => '1' }, 'notation', /written alike/],
    [
      'reads what is not legal',
      { parseNotation: (_, text) => ({ position: Number(text) - 1 }) },
      'notation',
      /is read as what is not legal/,
    ],
    ['declares no rules version', { rulesVersion: 0 }, 'declares itself', /rulesVersion/],
    [
      'tells events without a name',
      { apply: (...args) => withEvents(sound.apply(...args), [{ type: 'Won!', data: {} }]) },
      'what is legal applies',
      /not Won!/,
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

test(`[G-CONTRACT] a sound game fails nothing (seed ${TEST_SEED})`, () => {
  expect(failuresOf(sound, { inputsMax: 9, gamesPerSetup: 10 })).toEqual([]);
});

test('[G-CONTRACT] the seed is the one given, that of the variable, or of the time; titles show it', () => {
  const seedOf = (contract: Contract<Json, Json>): number => {
    const [{ what } = { what: '' }] = gameContractChecks(sound, contract);
    return Number(/ \(seed (-?\d+)\)$/.exec(what)?.[1]);
  };
  const before = process.env['MATCHD_TEST_SEED'];
  try {
    process.env['MATCHD_TEST_SEED'] = '4711';
    expect([seedOf({ seed: 12 }), seedOf({})]).toEqual([12, 4711]);
    process.env['MATCHD_TEST_SEED'] = 'today';
    expect(() => seedOf({})).toThrow('MATCHD_TEST_SEED is no whole number: today');
    delete process.env['MATCHD_TEST_SEED'];
    const seed = seedOf({});
    expect(seed).toBe(seed | 0);
    expect(Math.abs((Date.now() | 0) - seed)).toBeLessThan(60_000);
  } finally {
    if (before === undefined) delete process.env['MATCHD_TEST_SEED'];
    else process.env['MATCHD_TEST_SEED'] = before;
  }
});
