/** What the checks of the contract work with: a game, its random games, and every position of them. */

import type { AnyGame, Json, Seat, Setup } from '../game.ts';
import { clip } from './assert.ts';
import { withoutMachine } from './machine.ts';
import { quickChance } from './quick-chance.ts';
import type { Input, Play, PlayedGame, Position } from './random-play.ts';
import { makeSetups, playRandomly, seatsOf } from './random-play.ts';

/** What the contract has to know beyond the game itself. */
export interface Contract<State = Json, Action = Json> extends Play<State, Action> {
  /** How many random games are played of every setup; 5 unless given. */
  readonly gamesPerSetup?: number;
  /**
   * Makes all that is random; a whole number of 32 bits. Titles show it. Unless given it is the variable
   * `MATCHD_TEST_SEED`, else taken from the time.
   */
  readonly seed?: number;
}

/** What one check works with. */
export interface Subject {
  readonly game: AnyGame;
  readonly contract: Contract;
  readonly seed: number;
  /** The random games, played when first asked for. */
  readonly played: () => readonly PlayedGame[];
}

/** Throws where the game breaks the contract. */
export type Check = (subject: Subject) => void;

/** The seed of matches: distinct enough that it is found wherever it leaks. */
export const SECRET = 'c0ffee5ec2e7'.repeat(4);
const GAMES_PER_SETUP = 5;
/** Of many seats so many look at a position, others at the next. */
const VIEWERS_MAX = 4;

export function makeSubject(game: AnyGame, contract: Contract): Subject {
  const { seed = defaultSeed() } = contract;
  let games: readonly PlayedGame[] | 'not yet' | 'in vain' = 'not yet';
  const played = (): readonly PlayedGame[] => {
    // Said in full once: all that follow would say the same.
    if (games === 'in vain') throw new Error('The random games cannot be played, as said above');
    if (games !== 'not yet') return games;
    games = 'in vain';
    games = playGames(game, contract, seed);
    return games;
  };
  return { game, contract, seed, played };
}

function defaultSeed(): number {
  const { process } = globalThis as { process?: { env: Record<string, string | undefined> } };
  const asked = process?.env['MATCHD_TEST_SEED'] ?? '';
  const seed = asked === '' ? Date.now() : Number(asked);
  if (!Number.isInteger(seed)) throw new Error(`MATCHD_TEST_SEED is no whole number: ${asked}`);
  return seed | 0;
}

function playGames(game: AnyGame, contract: Contract, seed: number): readonly PlayedGame[] {
  const { gamesPerSetup = GAMES_PER_SETUP } = contract;
  return makeSetups(game).flatMap((setup, index) =>
    Array.from({ length: gamesPerSetup }, (_, number) => {
      const name = `${game.id} setup ${index} game ${number}`;
      const chooser = quickChance(`${seed} ${name}`);
      const secret = `${SECRET} ${number}`;
      try {
        return withoutMachine(() => playRandomly({ game, play: contract, setup, secret, chooser }));
      } catch (error) {
        throw new Error(`${name} of seed ${seed}, ${JSON.stringify(setup)}: ${error}`, {
          cause: error,
        });
      }
    }),
  );
}

/** A position of a random game with what came after it. */
export interface Moment {
  /** The number of the game among those that were played. */
  readonly game: number;
  readonly setup: Setup;
  readonly secret: string;
  /** Inputs before it. */
  readonly ply: number;
  readonly position: Position;
  /** Null at the end. */
  readonly input: Input | null;
  readonly next: Position | null;
}

/** Visits every position of every game in order, and says where it was when a check fails. */
export function eachPosition(subject: Subject, visit: (moment: Moment) => void): void {
  visitPositions(subject, 1, visit);
}

/** The same for checks that take long: of many positions about so many, spread over all games. */
export function somePositions(
  subject: Subject,
  about: number,
  visit: (moment: Moment) => void,
): void {
  const count = subject.played().reduce((sum, { positions }) => sum + positions.length, 0);
  // Odd, so that it is not always the same seat that is to move.
  visitPositions(subject, Math.ceil(count / about) | 1, visit);
}

function visitPositions(
  { played, seed }: Subject,
  stride: number,
  visit: (moment: Moment) => void,
): void {
  let passed = 0;
  for (const [game, { setup, secret, positions, inputs }] of played().entries()) {
    for (const [ply, position] of positions.entries()) {
      passed += 1;
      if (passed % stride !== 0) continue;
      try {
        const input = inputs[ply] ?? null;
        const next = positions[ply + 1] ?? null;
        visit({ game, setup, secret, ply, position, input, next });
      } catch (error) {
        const where = `game ${game} of seed ${seed}, ${JSON.stringify(setup)}, after ${ply} inputs`;
        const state = clip(JSON.stringify(position.state));
        throw new Error(`${where}: ${error}; state ${state}`, { cause: error });
      }
    }
  }
}

/** A watcher and some of the seats: all of a few, of many others at each ply. */
export function viewersOf({ setup, ply }: Moment): readonly (Seat | null)[] {
  const seats = seatsOf(setup);
  if (seats.length <= VIEWERS_MAX) return [null, ...seats];
  const some = Array.from(
    { length: VIEWERS_MAX },
    (_, index) => (ply * VIEWERS_MAX + index) % seats.length,
  );
  return [null, ...some];
}

/** A copy that is not frozen, and holds only what JSON keeps. */
export function thaw<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}
