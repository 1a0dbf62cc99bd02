/** A game at length: thousands of random games with one hash over all, hostile input, sizes and times. */

import type { AnyGame, Json, Setup } from '../game.ts';
import { actingSeats } from '../game.ts';
import { canonicalJson, hashJson } from '../json.ts';
import { sha256Hex } from '../random.ts';
import { ensure } from './assert.ts';
import type { Tally } from './hostile-input.ts';
import { actionsOf, refuseHostileInput, targetsOf } from './hostile-input.ts';
import { withoutMachine } from './machine.ts';
import { checkOutcome } from './play-checks.ts';
import { quickChance } from './quick-chance.ts';
import type { Play, PlayedGame } from './random-play.ts';
import {
  advance,
  legalFor,
  makeAllSetups,
  makeFirstPosition,
  playRandomly,
  seatsOf,
  stepFrom,
} from './random-play.ts';
import { thaw } from './subject.ts';

/** Which random games: of the same values always the same ones, on every engine. */
export interface Many {
  /** Makes all that is random. */
  readonly seed: number;
  /** How many. They go round all variants, numbers of seats and combinations of options. */
  readonly games: number;
  /** The number of the first one, 0 unless given. */
  readonly from?: number;
  readonly play?: Play;
}

/** What many random games came to. */
export interface ManyPlayed {
  readonly games: number;
  readonly setups: number;
  /** Actions, missed turns, departures and batches of ticks. */
  readonly inputs: number;
  /** Inputs of the longest game. */
  readonly longest: number;
  /** Games by the reason of their end. */
  readonly reasons: Readonly<Record<string, number>>;
  /**
   * Hex SHA-256 over every game's setup, inputs, last state and outcome: two engines on which it differs do not
   * play the same game.
   */
  readonly hash: string;
}

/** In a replay the state is taken from its JSON once in so many inputs. */
const INPUTS_A_THAW = 16;
/** Games whose positions the hostile input is thrown at, and positions of each. */
const TARGET_GAMES = 64;
const TARGETS_EACH = 8;

interface Numbered {
  readonly seed: number;
  readonly play: Play;
  readonly setups: readonly Setup[];
}

/** The random game of a number: of the same seed always the same. All that the game is handed is frozen. */
function playOne(game: AnyGame, { seed, play, setups }: Numbered, number: number): PlayedGame {
  const name = `${seed} ${game.id} ${number}`;
  const chooser = quickChance(name);
  const setup = setups[number % setups.length]!;
  const secret = `${name} secret`;
  return withoutMachine(() => playRandomly({ game, play, setup, secret, chooser }));
}

/**
 * Plays random games to their end and each again from its inputs alone, as a verifier would. Throws when one does
 * not end, ends in an outcome that does not fit, changes what it is handed, asks the machine for time or chance, or
 * comes out differently the second time.
 */
export function playMany(game: AnyGame, { seed, games, from = 0, play = {} }: Many): ManyPlayed {
  const setups = makeAllSetups(game);
  const reasons: Record<string, number> = {};
  let [inputs, longest, hash] = [0, 0, ''];
  for (let number = from; number < from + games; number += 1) {
    try {
      const played = playOne(game, { seed, play, setups }, number);
      const last = played.positions.at(-1)!.state;
      const outcome = game.outcome(last)!;
      checkOutcome(outcome, played.setup.seats);
      ensure(hashReplay(game, played) === hashJson(last), 'the replay has another hash');
      hash = sha256Hex(hash + canonicalJson([played.setup, played.inputs, last, outcome] as Json));
      reasons[outcome.reason] = (reasons[outcome.reason] ?? 0) + 1;
      longest = Math.max(longest, played.inputs.length);
      inputs += played.inputs.length;
    } catch (error) {
      throw new Error(`game ${number} of ${game.id}, seed ${seed}: ${error}`, { cause: error });
    }
  }
  return { games, setups: setups.length, inputs, longest, reasons, hash };
}

/** From the inputs alone; now and then the state goes through JSON. */
function hashReplay(game: AnyGame, { setup, secret, inputs }: PlayedGame): string {
  return withoutMachine(() => {
    let position = makeFirstPosition(game, thaw(setup), secret);
    for (const [index, input] of thaw(inputs).entries()) {
      const from = index % INPUTS_A_THAW === 0 ? thaw(position) : position;
      position = advance(game, from, input, secret);
    }
    return hashJson(position.state);
  });
}

/**
 * Throws so much hostile input at positions of random games of all setups that `count` are refused. Throws when one
 * is taken that is not legal, or changes anything. Answers how many of each kind were refused.
 */
export function throwHostileInput(
  game: AnyGame,
  { seed, count, play = {} }: Omit<Many, 'games' | 'from'> & { readonly count: number },
): Tally {
  const setups = makeAllSetups(game);
  // Spread over the setups.
  const numbers = Array.from(
    { length: TARGET_GAMES },
    (_, index) =>
      Math.floor((index * setups.length) / TARGET_GAMES) + setups.length * (index % TARGET_GAMES),
  );
  const games = numbers.map((number) => playOne(game, { seed, play, setups }, number));
  const targets = targetsOf(games, TARGETS_EACH);
  return refuseHostileInput(game, targets, actionsOf(game, games), { count, seed });
}

/** What games weigh and take. Bytes of JSON in UTF-8, milliseconds. */
export interface Measured {
  readonly inputs: number;
  readonly stateBytesMax: number;
  /** Of what one viewer is shown. */
  readonly viewBytesMax: number;
  /** Actions that a seat is offered at most; 0 where they are not finite. */
  readonly legalMax: number;
  /** From an input to all that one viewer is sent: the next state, outcome, whose turn it is, view, legal actions. */
  readonly inputMs: {
    readonly mean: number;
    readonly p50: number;
    readonly p99: number;
    readonly max: number;
  };
}

/** Measures random games. `now` is a clock in ms. */
export function measureMany(
  game: AnyGame,
  { seed, games, from = 0, play = {}, now }: Many & { readonly now: () => number },
): Measured {
  const setups = makeAllSetups(game);
  const times: number[] = [];
  const sizes: Sizes[] = [];
  for (let number = from; number < from + games; number += 1) {
    const { setup, secret, inputs } = playOne(game, { seed, play, setups }, number);
    let position = makeFirstPosition(game, setup, secret);
    for (const input of inputs) {
      // A match has no frozen objects, which are slower to copy.
      const before = thaw(position);
      const began = now();
      position = stepFrom(game, before, input, secret);
      const legal = readAfter(game, position.state);
      times.push(now() - began);
      sizes.push({ ...sizesOf(game, position.state, setup), legal });
    }
  }
  const most = (name: keyof Sizes): number =>
    sizes.reduce((max, { [name]: size }) => Math.max(max, size), 0);
  return {
    inputs: times.length,
    stateBytesMax: most('state'),
    viewBytesMax: most('view'),
    legalMax: most('legal'),
    inputMs: spreadOf(times),
  };
}

interface Sizes {
  readonly state: number;
  readonly view: number;
  readonly legal: number;
}

/** Asks for what one viewer is sent; answers how many actions are legal. */
function readAfter(game: AnyGame, state: Json): number {
  game.outcome(state);
  const [seat = null] = actingSeats(game, state);
  game.view(state, seat);
  return seat === null ? 0 : (legalFor(game, state, seat)?.length ?? 0);
}

function sizesOf(game: AnyGame, state: Json, setup: Setup): Omit<Sizes, 'legal'> {
  const views = [null, ...seatsOf(setup)].map((viewer) => bytesOf(game.view(state, viewer)));
  return { state: bytesOf(state), view: Math.max(...views) };
}

function bytesOf(value: Json): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

function spreadOf(times: readonly number[]): Measured['inputMs'] {
  if (times.length === 0) return { mean: 0, p50: 0, p99: 0, max: 0 };
  const sorted = times.toSorted((a, b) => a - b);
  const mean = sorted.reduce((sum, each) => sum + each, 0) / sorted.length;
  const at = (part: number): number => sorted[Math.floor(sorted.length * part)]!;
  return { mean, p50: at(0.5), p99: at(0.99), max: sorted.at(-1)! };
}
