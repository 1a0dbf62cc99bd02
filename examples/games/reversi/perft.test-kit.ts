/** Perft: counts the move sequences of reversi. */

import { isRefusal, makeRandom } from '@matchd/game';
import type { ReversiState } from './rules.ts';
import { game } from './rules.ts';

const noChance = makeRandom('', () => '', 0);

/** Published counts, from depth 1. */
export const PERFT = [4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216, 3_005_288] as const;

export function play(state: ReversiState, cell: number): ReversiState {
  const applied = game.apply(state, state.turn ?? 0, { cell }, noChance);
  if (isRefusal(applied)) throw new Error(applied.error);
  return applied.state;
}

/**
 * The number of move sequences of a depth. As in the published counts, a pass is a ply, although it is automatic here,
 * and a game that ends earlier counts once. The first passes follow the eighth move.
 */
export function perft(state: ReversiState, plies: number): number {
  if (plies === 0 || state.turn === null) return 1;
  const legal = game.legalActions(state)!;
  if (plies === 1) return legal.length;
  let count = 0;
  for (const { cell } of legal) {
    const next = play(state, cell);
    const passes = next.turn === state.turn ? 1 : 0;
    count += perft(next, plies - 1 - passes);
  }
  return count;
}
