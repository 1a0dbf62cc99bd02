/** Games between two bots, and which of them is stronger. */

import type { Estimate } from '../../../src/cli/ladder/ladder-score.ts';
import { scoreOf } from '../../../src/cli/ladder/ladder-score.ts';
import type { Player } from '../../../src/games/play-off.ts';
import { makeDefaultSetup, playBots, pointsOf, startGame } from '../../../src/games/play-off.ts';
import { TEST_SEED } from '../../../src/testing/test-seed.ts';
import type { AnyMind, BotLevel } from '../bot.ts';
import { NODES_MAX } from '../bot.ts';
import type { AnyGame, Json, Seat, Setup } from '../game.ts';
import type { Random } from '../random.ts';
import { makeRandom } from '../random.ts';
import { makeSearchBot } from './search-bot.ts';

export interface Duelist {
  readonly mind: AnyMind;
  readonly level: BotLevel;
  /** As in `Question`; the level's maximum by default. */
  readonly nodesMax?: number;
}

export interface Duel {
  readonly game: AnyGame;
  /** They swap seats. */
  readonly sides: readonly [Duelist, Duelist];
  /** Of two games each: the same deal and dice with the seats exchanged. */
  readonly rounds: number;
  /** The number of the first round, default 0: other rounds have other deals. */
  readonly firstRound?: number;
  readonly setup?: Partial<Setup>;
}

export interface DuelResult {
  /** The first side's score of 1, with its 95 % interval. */
  readonly score: Estimate;
  /** The first side's points in the two games of each round. */
  readonly points: readonly (readonly number[])[];
  /** Games that the first side has lost. */
  readonly lost: number;
}

export function playDuel({ game, sides, rounds, firstRound = 0, setup = {} }: Duel): DuelResult {
  const complete = { ...makeDefaultSetup(game), ...setup };
  const playOne = (round: number, rotation: number): number => {
    const chance = (name: string) => makeRandom(`${TEST_SEED}`, () => `${round} ${name}`, 0);
    const sideOf = (seat: Seat): number => (seat + rotation) % 2;
    const players = Array.from({ length: complete.seats }, (_, seat): Player => {
      const { mind, level, nodesMax = NODES_MAX[level] } = sides[sideOf(seat)]!;
      return { mind, level, nodesMax, random: chance(`${rotation} ${seat}`) };
    });
    const random = chance('dice');
    const state = startGame(game, complete, random);
    return pointsOf(playBots({ game, state, players, random }), (seat) => sideOf(seat) === 0);
  };
  const points = Array.from({ length: rounds }, (_, at) => [
    playOne(firstRound + at, 0),
    playOne(firstRound + at, 1),
  ]);
  return {
    score: scoreOf(points),
    points,
    lost: points.flat().filter((each) => each === 0).length,
  };
}

/** Plays by a given rule. */
export function ruled(choose: (state: Json, seat: Seat, random: Random) => Json): Duelist {
  const mind: AnyMind = { choose: ({ state, seat }, random) => choose(state, seat, random) };
  return { mind, level: 'hard' };
}

/** The search. */
export function searching(game: AnyGame, level: BotLevel, nodesMax = NODES_MAX[level]): Duelist {
  return { mind: makeSearchBot(game)!.makeMind(), level, nodesMax };
}

/** Plays random legal actions. */
export function anyhow(game: AnyGame): Duelist {
  return ruled((state, seat, random) => {
    const legal = game.legalActions(state, seat)!;
    return legal[random.integer(legal.length)]!;
  });
}
