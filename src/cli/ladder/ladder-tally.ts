/** What has been played of a ladder, pair by pair, and when that is enough. */

import type { Pair, Round } from './ladder-round.ts';
import type { Estimate } from './ladder-score.ts';
import { halfWidth, scoreOf } from './ladder-score.ts';

/** When a pair has played enough. */
export interface Enough {
  readonly gamesMax: number;
  /** The score is known to within this many points of 100. */
  readonly within: number;
}

/** A pair and its rounds, in order of their numbers. */
export interface Tally {
  readonly pair: Pair;
  readonly rounds: Round[];
}

/** Fewer rounds say nothing of how much they differ. */
const ROUNDS_MIN = 16;

export function countGames({ rounds }: Tally): number {
  return rounds.reduce((sum, { points }) => sum + points.length, 0);
}

/** How many rounds are unlike all before them: one, where nothing is left to chance. */
export function countDistinct({ rounds }: Tally): number {
  return new Set(rounds.map(({ record }) => record)).size;
}

/** The first level's score; null before the first round. */
export function tallyScore({ rounds }: Tally): Estimate | null {
  return rounds.length === 0 ? null : scoreOf(rounds.map(({ points }) => points));
}

export function isEnough(tally: Tally, { gamesMax, within }: Enough): boolean {
  if (countGames(tally) >= gamesMax) return true;
  if (tally.rounds.length < ROUNDS_MIN) return false;
  // The same game repeated: more of it adds no information.
  return countDistinct(tally) === 1 || halfWidth(tallyScore(tally)!) <= within;
}
