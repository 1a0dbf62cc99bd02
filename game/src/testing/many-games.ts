/** Long runs of a game: thousands of random games with one hash, hostile input, sizes and times. */

import type { AnyGame, Json, Setup } from '../game.ts';
import { actingSeats } from '../game.ts';
import { canonicalJson, hashJson } from '../json.ts';
import { sha256Hex } from '../random.ts';
import { withoutAmbient } from './ambient.ts';
import { ensure } from './assert.ts';
import type { Tally } from './hostile-input.ts';
import { actionsOf, refuseHostileInput, targetsOf } from './hostile-input.ts';
import { checkOutcome } from './play-checks.ts';
import { quickRandom } from './quick-random.ts';
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

/** Which random games to play. The same values give the same games on every engine. */
export interface Many {
  /** Seed of all random numbers. */
  readonly seed: number;
  /** How many games. They cycle through all variants, seat counts and combinations of options. */
  readonly games: number;
  /** Number of the first game. Default 0. */
  readonly from?: number;
  readonly play?: Play;
}

/** The result of many random games. */
export interface ManyPlayed {
  readonly games: number;
  readonly setups: number;
  /** Actions, missed turns, forfeits and batches of ticks. */
  readonly inputs: number;
  /** Inputs of the longest game. */
  readonly longest: number;
  /** Number of games by `outcome.reason`. */
  readonly reasons: Readonly<Record<string, number>>;
  /**
   * Hex SHA-256 over every game's setup, inputs, last state and outcome. If two engines give different hashes, the
   * game is not deterministic.
   */
  readonly hash: string;
}

/** A replay reloads the state from its JSON after this many inputs. */
const INPUTS_A_THAW = 16;
/** Games whose positions get the hostile input, and positions of each. */
const TARGET_GAMES = 64;
const TARGETS_EACH = 8;

interface Numbered {
  readonly seed: number;
  readonly play: Play;
  readonly setups: readonly Setup[];
}

/** The random game of a number. Every argument of the game's functions is frozen. */
function playOne(game: AnyGame, { seed, play, setups }: Numbered, number: number): PlayedGame {
  const name = `${seed} ${game.id} ${number}`;
  const chooser = quickRandom(name);
  const setup = setups[number % setups.length]!;
  const secret = `${name} secret`;
  return withoutAmbient(() => playRandomly({ game, play, setup, secret, chooser }));
}

/**
 * Plays random games to the end, then replays each from its inputs. Throws if a game does not end, has an
 * inconsistent outcome, mutates an argument, uses ambient time or randomness, or if its replay differs.
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
      ensure(hashReplay(game, played) === hashJson(last), 'the replay ends in another state');
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

/** The hash of the last state, from the inputs alone. */
function hashReplay(game: AnyGame, { setup, secret, inputs }: PlayedGame): string {
  return withoutAmbient(() => {
    let position = makeFirstPosition(game, thaw(setup), secret);
    for (const [index, input] of thaw(inputs).entries()) {
      const from = index % INPUTS_A_THAW === 0 ? thaw(position) : position;
      position = advance(game, from, input, secret);
    }
    return hashJson(position.state);
  });
}

/**
 * Sends hostile input to positions of random games of all setups until `count` inputs are refused. Throws if the game
 * accepts an illegal one or changes a state. Returns the number of refused inputs by kind.
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

/** Sizes in bytes of JSON in UTF-8, times in milliseconds. */
export interface Measured {
  readonly inputs: number;
  readonly stateBytesMax: number;
  /** The largest view of one viewer. */
  readonly viewBytesMax: number;
  /** The longest list of legal actions; 0 if they are not finite. */
  readonly legalMax: number;
  /** Time of one input with what one viewer is sent: apply, outcome, turn, view and legal actions. */
  readonly inputMs: {
    readonly mean: number;
    readonly p50: number;
    readonly p99: number;
    readonly max: number;
  };
}

/** Measures random games. `now` returns the time in ms. */
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
      // Unfrozen, as in a match: frozen objects are slower to copy.
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

/** Calls what one viewer is sent; returns the number of legal actions. */
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
