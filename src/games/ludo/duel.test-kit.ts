/** Two levels of ludo's bot against each other, with rotated seats and the same dice. */

import type { BotLevel } from '../../../game/src/bot.ts';
import type { Setup } from '../../../game/src/game.ts';
import { isRefusal } from '../../../game/src/game.ts';
import type { Random } from '../../../game/src/random.ts';
import { ludoBot } from './bot.ts';
import { OPTIONS } from './ludo.test-kit.ts';
import { ludo } from './ludo.ts';

export interface Duel {
  readonly variant: string;
  readonly seats: number;
  readonly levels: readonly [BotLevel, BotLevel];
  /** Each dice sequence is played once with every level on every seat. */
  readonly games: number;
  readonly nodesMax: number;
  readonly seed: number;
}

/** The first level's share of wins, and how many standard errors it is above one half. */
export function playDuel(duel: Duel): { readonly part: number; readonly errors: number } {
  let sum = 0;
  let squares = 0;
  const pairs = duel.games / 2;
  for (let pair = 0; pair < pairs; pair += 1) {
    // Two games with the same dice are not independent: the pair counts once.
    const part = (playGame(duel, pair, 0) + playGame(duel, pair, 1)) / 2;
    sum += part;
    squares += part * part;
  }
  const part = sum / pairs;
  return { part, errors: (part - 0.5) / Math.sqrt((squares / pairs - part * part) / pairs) };
}

/** One game; the first level has the even seats, rotated by `rotation`. */
function playGame(duel: Duel, pair: number, rotation: number): number {
  const { variant, seats, levels, nodesMax, seed } = duel;
  const mind = ludoBot.makeMind();
  const dice = makeFastRandom(seed * 1_000_003 + pair);
  const whims = makeFastRandom(seed * 7_919 + 2 * pair + rotation);
  const sideOf = (seat: number): 0 | 1 => ((seat + rotation) % 2 === 0 ? 0 : 1);
  const setup: Setup = { variant, seats, options: OPTIONS };
  let state = ludo.initial(setup);
  for (let seat = ludo.turn(state); seat !== null; seat = ludo.turn(state)) {
    const level = levels[sideOf(seat)];
    const action = mind.choose({ state, seat, level, nodesMax }, whims);
    const applied = ludo.apply(state, seat, action, dice);
    if (isRefusal(applied)) throw new Error(applied.error);
    state = applied.state;
  }
  const { winners } = ludo.outcome(state)!;
  if (winners.length === 0) return 0.5;
  return winners.filter((seat) => sideOf(seat) === 0).length / winners.length;
}

/** Mulberry32: thousands of games need faster random numbers than a match's. */
function makeFastRandom(seed: number): Random {
  let a = seed >>> 0;
  return {
    integer(below) {
      a = (a + 0x6d2b79f5) | 0;
      let mixed = Math.imul(a ^ (a >>> 15), 1 | a);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
    },
  };
}
