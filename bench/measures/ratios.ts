/** The guard: what matchd costs as ratios to the ceiling, compared with those of a landed commit. */

import { median } from '../report.ts';

/** By what is measured; larger is worse. */
export type Ratios = Readonly<Record<string, number>>;

/** The repository's stored ratios, in `bench/ratios.json`. */
export interface StoredRatios {
  readonly commit: string;
  readonly date: string;
  readonly rounds: number;
  /** Load averages before the run. */
  readonly load: readonly number[];
  readonly ratios: Ratios;
}

export interface Comparison {
  readonly name: string;
  /** Null for what was not measured then. */
  readonly before: number | null;
  readonly now: number;
  /** `now` ÷ `before`. */
  readonly change: number | null;
  readonly isWorse: boolean;
}

/** Worse by more than this is said. */
export const WORSE_SHARE = 0.1;

export function compareRatios(before: Ratios, now: Ratios): Comparison[] {
  return Object.entries(now).map(([name, value]) => {
    const earlier = before[name];
    if (earlier === undefined) {
      return { name, before: null, now: value, change: null, isWorse: false };
    }
    const change = value / earlier;
    // A comparison with a missing figure fails.
    return { name, before: earlier, now: value, change, isWorse: !(change <= 1 + WORSE_SHARE) };
  });
}

/** The median of ratios that are taken within each round. */
export function ratioOf<T>(rounds: readonly T[], own: Pick<T>, base: Pick<T>): number {
  return median(rounds.map((round) => own(round) / base(round)));
}

type Pick<T> = (round: T) => number;
