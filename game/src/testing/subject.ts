/** What contract checks run on: a game, random games of it, and their positions. */

import type { AnyGame, Json, Seat, Setup } from '../game.ts';
import { withoutAmbient } from './ambient.ts';
import { clip } from './assert.ts';
import { quickRandom } from './quick-random.ts';
import type { Input, Play, PlayedGame, Position } from './random-play.ts';
import { makeSetups, playRandomly, seatsOf } from './random-play.ts';

/** Options of the contract checks. */
export interface Contract<State = Json, Action = Json> extends Play<State, Action> {
  /** Random games per setup. Default 5. */
  readonly gamesPerSetup?: number;
  /**
   * Seed of all random numbers, a 32-bit integer; titles show it. Default: the environment variable
   * `MATCHD_TEST_SEED`, else the current time.
   */
  readonly seed?: number;
}

/** What one check gets. */
export interface Subject {
  readonly game: AnyGame;
  readonly contract: Contract;
  readonly seed: number;
  /** The random games, played on the first call. */
  readonly played: () => readonly PlayedGame[];
}

/** Throws if the game breaks the contract. */
export type Check = (subject: Subject) => void;

/** The seed of matches: long enough to be recognized wherever it leaks. */
export const SECRET = 'c0ffee5ec2e7'.repeat(4);
const GAMES_PER_SETUP = 5;
/** Seats that view each position, in rotation. */
const VIEWERS_MAX = 4;

export function makeSubject(game: AnyGame, contract: Contract): Subject {
  const { seed = defaultSeed() } = contract;
  let games: readonly PlayedGame[] | 'not played' | 'failed' = 'not played';
  const played = (): readonly PlayedGame[] => {
    // Only the first check that needs the games reports why they failed.
    if (games === 'failed') throw new Error('Random play failed, see the first failed check');
    if (games !== 'not played') return games;
    games = 'failed';
    games = playGames(game, contract, seed);
    return games;
  };
  return { game, contract, seed, played };
}

function defaultSeed(): number {
  const { process } = globalThis as { process?: { env: Record<string, string | undefined> } };
  const asked = process?.env['MATCHD_TEST_SEED'] ?? '';
  const seed = asked === '' ? Date.now() : Number(asked);
  if (!Number.isInteger(seed)) throw new Error(`MATCHD_TEST_SEED is not an integer: ${asked}`);
  return seed | 0;
}

function playGames(game: AnyGame, contract: Contract, seed: number): readonly PlayedGame[] {
  const { gamesPerSetup = GAMES_PER_SETUP } = contract;
  return makeSetups(game).flatMap((setup, index) =>
    Array.from({ length: gamesPerSetup }, (_, number) => {
      const name = `${game.id} setup ${index} game ${number}`;
      const chooser = quickRandom(`${seed} ${name}`);
      const secret = `${SECRET} ${number}`;
      try {
        return withoutAmbient(() => playRandomly({ game, play: contract, setup, secret, chooser }));
      } catch (error) {
        throw new Error(`${name}, seed ${seed}, ${JSON.stringify(setup)}: ${error}`, {
          cause: error,
        });
      }
    }),
  );
}

/** A position of a random game and the input that follows. */
export interface Moment {
  /** Number of the game, from 0. */
  readonly game: number;
  readonly setup: Setup;
  readonly secret: string;
  /** Number of inputs before it. */
  readonly ply: number;
  readonly position: Position;
  /** Null at the end. */
  readonly input: Input | null;
  readonly next: Position | null;
}

/** Visits every position of every game in order. An error names the position. */
export function eachPosition(subject: Subject, visit: (moment: Moment) => void): void {
  visitPositions(subject, 1, visit);
}

/** The same for expensive checks: visits about `about` positions, spread over all games. */
export function samplePositions(
  subject: Subject,
  about: number,
  visit: (moment: Moment) => void,
): void {
  const count = subject.played().reduce((sum, { positions }) => sum + positions.length, 0);
  // An odd stride, so that it does not always meet the same seat to move.
  visitPositions(subject, Math.ceil(count / about) | 1, visit);
}

function visitPositions(
  { played, seed }: Subject,
  stride: number,
  visit: (moment: Moment) => void,
): void {
  let count = 0;
  for (const [game, { setup, secret, positions, inputs }] of played().entries()) {
    for (const [ply, position] of positions.entries()) {
      count += 1;
      if (count % stride !== 0) continue;
      try {
        const input = inputs[ply] ?? null;
        const next = positions[ply + 1] ?? null;
        visit({ game, setup, secret, ply, position, input, next });
      } catch (error) {
        const where = `game ${game}, seed ${seed}, ${JSON.stringify(setup)}, after ${ply} inputs`;
        const state = clip(JSON.stringify(position.state));
        throw new Error(`${where}: ${error}; state ${state}`, { cause: error });
      }
    }
  }
}

/** A watcher and up to `VIEWERS_MAX` seats, others at each ply. */
export function viewersOf({ setup, ply }: Moment): readonly (Seat | null)[] {
  const seats = seatsOf(setup);
  if (seats.length <= VIEWERS_MAX) return [null, ...seats];
  const some = Array.from(
    { length: VIEWERS_MAX },
    (_, index) => (ply * VIEWERS_MAX + index) % seats.length,
  );
  return [null, ...some];
}

/** An unfrozen copy, through JSON. */
export function thaw<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}
