/** The contract suite itself: it takes every kind of game, and no broken one. */

import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ownField } from '../../game/src/field.ts';
import type { AnyGame, Applied, Game, Json, Seat } from '../../game/src/game.ts';
import type { Random } from '../../game/src/random.ts';
import { makeRandom } from '../../game/src/random.ts';
import { illegalMove, refuseTurn } from '../../game/src/refusal.ts';
import { gameContractChecks, gameContractSuite } from '../../game/src/testing/contract-suite.ts';
import { actionsOf, refuseHostileInput, targetsOf } from '../../game/src/testing/hostile-input.ts';
import { makeSetups, playRandomly } from '../../game/src/testing/random-play.ts';
import { TEST_SEED } from '../testing/test-seed.ts';
import { findGame, GAME_IDS } from './registry.ts';
import { tictactoe } from './tictactoe/tictactoe.ts';

type RaceState = {
  readonly goal: number;
  readonly scores: readonly number[];
  /** A seat's own business. */
  readonly hands: readonly number[];
  readonly out: readonly Seat[];
  readonly turn: Seat;
};
type RaceAction = { readonly stake: number };

/** Who is to move after `seat`. */
function nextSeat(state: RaceState, seat: Seat): Seat {
  const next = (seat + 1) % state.scores.length;
  return state.out.includes(next) ? nextSeat(state, next) : next;
}

function throwDice(
  state: RaceState,
  seat: Seat,
  stake: number,
  random: Random,
): Applied<RaceState> {
  const scored = random.integer(6) * stake;
  const scores = state.scores.map((score, index) => (index === seat ? score + scored : score));
  const hands = state.hands.map((hand, index) => (index === seat ? random.integer(52) : hand));
  const events = [{ type: 'race.scored', data: { seat, scored } }];
  return { state: { ...state, scores, hands, turn: nextSeat(state, seat) }, events };
}

function raceLeader(state: RaceState): Seat | null {
  const leader = state.scores.findIndex((score) => score >= state.goal);
  return leader === -1 ? null : leader;
}

function raceTurn(state: RaceState): Seat | null {
  return raceLeader(state) === null ? state.turn : null;
}

/** A made-up game with all that tic-tac-toe lacks: chance, secrets, options, missed turns, leaving. */
const race: Game<RaceState, RaceAction> = {
  id: 'ludo',
  rulesVersion: 1,
  seats: { min: 2, max: 4, default: 4 },
  variants: ['short', 'long'],
  options: {
    goal: { kind: 'integer', min: 1, max: 40, default: 20 },
    open: { kind: 'boolean', default: false },
    pace: { kind: 'choice', values: ['slow', 'fast', false], default: 'slow' },
  },
  turnTimeoutMs: 20_000,
  drawOffers: false,
  openInformation: false,
  initial: ({ variant, seats, options }) => ({
    goal: Number(options['goal']) * (variant === 'long' ? 2 : 1),
    scores: Array<number>(seats).fill(0),
    hands: Array<number>(seats).fill(0),
    out: [],
    turn: 0,
  }),
  turn: raceTurn,
  parseAction(input) {
    const stake = ownField(input, 'stake');
    return typeof stake === 'number' && stake > 0 && stake <= 3 ? { stake } : null;
  },
  legalActions: () => null,
  apply(state, seat, { stake }, random) {
    const refusal = refuseTurn(raceTurn(state), seat);
    if (refusal !== null) return refusal;
    if (stake > state.goal) return illegalMove('The stake is above the goal');
    return throwDice(state, seat, stake, random);
  },
  view: (state, seat) => ({
    scores: state.scores,
    hand: seat === null ? null : state.hands[seat]!,
  }),
  outcome(state) {
    const winner = raceLeader(state);
    if (winner === null) return null;
    const places = state.scores.map((_, seat) => (seat === winner ? 1 : 2));
    return { winners: [winner], places, reason: 'goal_reached', detail: {} };
  },
  missTurn: (state, seat, random) =>
    state.scores[seat]! > 10 ? null : throwDice(state, seat, 1, random),
  forfeit: (state, seat) => {
    const left = { ...state, out: [...state.out, seat] };
    return state.turn === seat ? { ...left, turn: nextSeat(left, seat) } : left;
  },
  makeNotation: (_, { stake }) => `x${stake}`,
  parseNotation(_, text) {
    const stake = Number(text.slice(1));
    return text === `x${stake}` && stake > 0 && stake <= 3 ? { stake } : null;
  },
};

const raceContract = {
  rule: 'G-CONTRACT',
  inputsMax: 1_000,
  gamesPerSetup: 5,
  randomAction: (_: Json, random: Random) => ({ stake: (1 + random.integer(8)) / 8 }),
  disguise: (state: Json, viewer: Seat | null) => {
    const { hands, ...open } = state as RaceState;
    return { ...open, hands: hands.map((hand, seat) => (seat === viewer ? hand : hand + 1)) };
  },
};
gameContractSuite(race, raceContract);

/** Everybody acts whenever they like. */
const simultaneous: AnyGame = {
  ...(race as AnyGame),
  id: 'fight-arena',
  turn: () => null,
  apply: (state, seat, action, random) =>
    race.outcome(state as RaceState) === null
      ? throwDice(state as RaceState, seat, (action as RaceAction).stake, random)
      : illegalMove('The game is over'),
};
gameContractSuite(simultaneous, { ...raceContract, simultaneous: true });

/** The whats of the checks that a game fails. */
function failedChecks(game: AnyGame, contract = {}): readonly string[] {
  const plain = { rule: 'G-CONTRACT', inputsMax: 9, gamesPerSetup: 10 };
  return gameContractChecks(game, { ...plain, ...contract }).flatMap(({ what, run }) => {
    try {
      run();
      return [];
    } catch {
      return [what];
    }
  });
}

const sound: AnyGame = tictactoe;
const positionOf = (action: Json) => (action as { position: number }).position;
let calls = 0;

/** Games with one thing wrong each, and the check that has to find it. */
const BROKEN: readonly (readonly [string, Partial<AnyGame>, string])[] = [
  ['never ends', { outcome: () => null }, 'random play ends'],
  [
    'changes its argument',
    { apply: (state) => ({ state: Object.assign(state as object, { board: 'X' }), events: [] }) },
    'changes neither',
  ],
  [
    'counts calls',
    {
      apply(state, seat, action, random) {
        const applied = sound.apply(state, seat, action, random);
        if ('code' in applied) return applied;
        calls += 1;
        return { ...applied, state: { ...(applied.state as object), calls } };
      },
    },
    'replaying',
  ],
  ['lets any seat move', { apply: anySeatApply }, 'seat to move alone'],
  ['has two first places for one winner', { outcome: sharedPlaces }, 'an outcome that fits'],
  [
    'hides a legal move',
    {
      legalActions(state) {
        const legal = sound.legalActions(state)!;
        return legal.length > 3 ? legal.filter((action) => positionOf(action) !== 4) : legal;
      },
    },
    'any junk',
  ],
  [
    'lists an illegal move',
    { legalActions: (state) => [...sound.legalActions(state)!, { position: 9 }] },
    'what is legal applies',
  ],
  [
    'lists moves after the end',
    { legalActions: (state) => [...sound.legalActions(state)!, { position: 0 }].slice(0, 1) },
    'somebody is to move',
  ],
  ['brings fields along', { parseAction: looseParse }, 'brings nothing along'],
  ['trusts inherited fields', { parseAction: inheritingParse }, 'brings nothing along'],
  ['throws at junk', { parseAction: (input) => (input as Json[])[0]! }, 'any junk'],
  ['keeps -0', { parseAction: negativeZeroParse }, 'its own wire form'],
  ['shows what JSON loses', { view: () => ({ score: Number.NaN }) }, 'a view is plain'],
  ['shows seats different things', { view: (_, seat) => ({ seat }) }, 'shows no secret'],
  ['writes all moves alike', { makeNotation: () => '1' }, 'notation'],
  ['declares no rules version', { rulesVersion: 0 }, 'declares itself'],
];

function anySeatApply(state: Json, _: Seat, action: Json, random: Random) {
  return sound.apply(state, sound.turn(state) ?? 0, action, random);
}

function changeBoard(state: Json): never {
  (state as { board: Json[] }).board[0] = 'X';
  throw new Error('The state was let change');
}

function sharedPlaces(state: Json) {
  const outcome = sound.outcome(state);
  return outcome && { ...outcome, places: [1, 1] };
}

function looseParse(input: unknown): Json | null {
  return sound.parseAction(input) === null ? null : (input as Json);
}

function inheritingParse(input: unknown): Json | null {
  const position = (input as { position?: unknown } | null | undefined)?.position;
  return sound.parseAction({ position });
}

function negativeZeroParse(input: unknown): Json | null {
  const action = sound.parseAction(input);
  return action && { position: ownField(input, 'position') as number };
}

describe('canaries', () => {
  test(`[G-CONTRACT] a sound game fails nothing (seed ${TEST_SEED})`, () => {
    expect(failedChecks(sound)).toEqual([]);
  });

  for (const [what, change, finder] of BROKEN) {
    test(`[G-CONTRACT] a game that ${what} is found (seed ${TEST_SEED})`, () => {
      const failed = failedChecks({ ...sound, ...change });
      expect(failed.some((each) => each.includes(finder))).toBe(true);
    });
  }

  test(`[G-CONTRACT] hostile input that is taken, or changes a state, is found (seed ${TEST_SEED})`, () => {
    const setup = makeSetups(sound)[0]!;
    const chooser = makeRandom(`${TEST_SEED}`, () => 'hostile', 0);
    const play = { inputsMax: 9 };
    const games = [playRandomly({ game: sound, play, setup, secret: 'secret', chooser })];
    const attack = (change: Partial<AnyGame>) => {
      const game = { ...sound, ...change };
      const actions = actionsOf(sound, games);
      return () =>
        refuseHostileInput(game, targetsOf(games, 9), actions, { count: 20_000, seed: TEST_SEED });
    };
    expect(attack({})).not.toThrow();
    expect(attack({ apply: anySeatApply })).toThrow('Taken');
    expect(attack({ parseAction: looseParse })).toThrow();
    expect(attack({ parseAction: inheritingParse })).toThrow('getter');
    expect(attack({ apply: (state) => changeBoard(state) })).toThrow(TypeError);
  });

  test(`[G-CONTRACT] a game that shows a secret is found (seed ${TEST_SEED})`, () => {
    const leaky: AnyGame = { ...(race as AnyGame), view: (state) => state };
    expect(failedChecks(leaky, raceContract)).toEqual(['a view is plain JSON and shows no secret']);
  });
});

test('[G-CONTRACT] the guide to adding a game names every field that a game has', () => {
  const file = path.join(import.meta.dirname, '../../docs/guides/adding-a-game.md');
  const guide = readFileSync(file, 'utf8');
  const games = GAME_IDS.flatMap((id) => findGame(id) ?? []);
  const fields = new Set(games.flatMap((game) => Object.keys(game)));
  expect(fields.size).toBeGreaterThan(15);
  expect([...fields].filter((field) => !guide.includes(`\`${field}\``))).toEqual([]);
});
