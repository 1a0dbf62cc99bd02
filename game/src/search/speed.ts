/** How fast a game can be searched: budgets follow from it, because a mind has no clock. */

import type { BotLevel } from '../bot.ts';
import { NODES_MAX } from '../bot.ts';
import type { AnyGame, Json, Setup } from '../game.ts';
import { actingSeats, seatRangeOf } from '../game.ts';
import type { Random } from '../random.ts';
import { makeQuickRandom } from './quick-random.ts';
import { search } from './search.ts';

export type Positions = Readonly<Record<BotLevel, number>>;

/** A level's thinking time, in ms. */
const THINK_MS: Readonly<Record<BotLevel, number>> = {
  easy: 5,
  medium: 20,
  hard: 100,
  perfect: 100,
};
/** The share of it that is used, because machines and positions differ. */
const USED_PART = 0.5;
/** Samples grow from the few that a slow game allows to enough for a fast one. */
const SAMPLE_POSITIONS = { first: 8, most: 200 } as const;
const PLIES_MAX = 1_000;

/** The start of a game after the deal, with default options and number of seats. */
export function startOf(game: AnyGame, variant: string, random: Random): Json {
  const { min, max } = seatRangeOf(game, variant);
  const options = Object.entries(game.options).map(([name, spec]) => [name, spec.default]);
  const setup: Setup = {
    variant,
    seats: Math.min(max, Math.max(min, game.seats.default)),
    options: Object.fromEntries(options),
  };
  const state = game.initial(setup);
  return game.deal?.(state, random).state ?? state;
}

/**
 * Searches from the start of the first variant for `ms`, after a warm-up of the same length, and
 * returns the positions per millisecond. `now` is a clock in ms. Only for games with `canSearch`.
 */
export function measureSpeed(game: AnyGame, seed: Random, now: () => number, ms = 100): number {
  const random = makeQuickRandom(seed);
  const sample = (positionsMax: number): number => {
    const state = startOf(game, game.variants[0], random);
    const [seat] = actingSeats(game, state) as [number];
    return search({ game, state, seat, random, positionsMax, pliesMax: PLIES_MAX }).positions;
  };
  const run = (): number => {
    const began = now();
    let positions = 0;
    let size: number = SAMPLE_POSITIONS.first;
    do {
      positions += sample(size);
      size = Math.min(SAMPLE_POSITIONS.most, 2 * size);
    } while (now() - began < ms);
    return positions / (now() - began);
  };
  run();
  return run();
}

/** The positions that a level has time for at that speed. */
export function positionsAt(positionsPerMs: number): Positions {
  const most = (level: BotLevel): number => {
    const inTime = Math.floor(positionsPerMs * THINK_MS[level] * USED_PART);
    return Math.min(NODES_MAX[level], Math.max(1, inTime));
  };
  return {
    easy: most('easy'),
    medium: most('medium'),
    hard: most('hard'),
    perfect: most('perfect'),
  };
}
