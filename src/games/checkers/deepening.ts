/** Iterative deepening: one ply deeper each time, so that there is always an answer. */

import type { Random } from '../../../game/src/random.ts';
import type { Move } from './rule-set.ts';

/** Above any evaluation: the value of a win. A win in n plies is worth n less. */
export const WIN = 30_000;
export const INFINITE = WIN + 1;
/** No line is searched further. */
export const PLIES_MAX = 64;
/** Values beyond this are wins or losses within reach. */
export const DECIDED = WIN - PLIES_MAX - 1;

/** At the depth limit, a line with a threatened capture continues for this many plies. */
export const THREAT_PLIES = 3;
/** Unpromising steps are first searched less deep: from this index in the order, from this depth. */
export const POOR_FROM = 3;
export const POOR_DEPTH_MIN = 3;

/** A move's value for the side that makes it: hundredths of a man, or near `WIN`. */
export interface RankedMove<M extends Move> {
  readonly move: M;
  readonly value: number;
}

/** The limits of a search. */
export interface Limits {
  /** Plies ahead, at most `PLIES_MAX`. */
  readonly plies: number;
  /** Positions, at most. */
  readonly nodesMax: number;
  /** Moves within this of the best also get an exact value. */
  readonly margin: number;
}

export interface Search<State, M extends Move> {
  /**
   * Legal moves of the state, best first. The values of those that are worse by more than the
   * margin are only bounds. Moves of the same value are in random order.
   */
  rank(state: State, legal: readonly M[], limits: Limits, random: Random): readonly RankedMove<M>[];
  /** How many positions the last search examined. */
  nodes(): number;
}

/** The value of a move of the game's position: exact between `low` and `high`, otherwise a bound. */
export type Look<M extends Move> = (move: M, depth: number, low: number, high: number) => number;

/** The remaining budget of a search; the search counts it down. */
export interface Budget {
  /** How many positions may still be examined; below 0 all values are void. */
  left: number;
}

/** A search that starts with `start`, and examines moves with the function that it returns. */
export function makeDeepening<State, M extends Move>(
  budget: Budget,
  start: (state: State, legal: readonly M[]) => Look<M>,
): Search<State, M> {
  let nodes = 0;
  return {
    nodes: () => nodes,
    rank(state, legal, limits, random) {
      budget.left = limits.nodesMax;
      const ranked = deepen(start(state, legal), budget, shuffle(legal, random), limits);
      nodes = limits.nodesMax - Math.max(budget.left, 0);
      return ranked;
    },
  };
}

/** Ranks the moves at depth 1, 2 and so on, as long as the budget lasts. */
function deepen<M extends Move>(
  look: Look<M>,
  budget: Budget,
  moves: readonly M[],
  { plies, margin }: Limits,
): readonly RankedMove<M>[] {
  let ranked: readonly RankedMove<M>[] = moves.map((move) => ({ move, value: 0 }));
  for (let depth = 1; depth <= Math.min(plies, PLIES_MAX) && budget.left >= 0; depth += 1) {
    ranked = rankAt(look, budget, ranked, depth, margin);
    if (Math.abs(ranked[0]!.value) > DECIDED) break;
  }
  return ranked;
}

/** Moves that were not reached come last, in their order. */
function rankAt<M extends Move>(
  look: Look<M>,
  budget: Budget,
  before: readonly RankedMove<M>[],
  depth: number,
  margin: number,
): readonly RankedMove<M>[] {
  const ranked: RankedMove<M>[] = [];
  // Without a margin a move must be better than the best one to be distinguished.
  const slack = margin === 0 ? 0 : margin + 1;
  let low = -INFINITE;
  for (const { move } of before) {
    // Usually it is enough to see that a move is not good enough.
    const isFirst = ranked.length === 0;
    let value = isFirst ? INFINITE : look(move, depth, low, low + 1);
    if (value > low) value = look(move, depth, low, INFINITE);
    if (budget.left < 0) break;
    ranked.push({ move, value });
    low = Math.max(low, value - slack);
  }
  if (ranked.length === 0) return before;
  const rest = before.slice(ranked.length).map(({ move }) => ({ move, value: -INFINITE }));
  return [...ranked.sort((a, b) => b.value - a.value), ...rest];
}

function shuffle<T>(values: readonly T[], random: Random): T[] {
  const shuffled = [...values];
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const other = random.integer(last + 1);
    [shuffled[last], shuffled[other]] = [shuffled[other]!, shuffled[last]!];
  }
  return shuffled;
}
