/** Compares a search's wins with a plain search of every line. */

import { expect } from 'bun:test';
import type { Random } from '../../../game/src/random.ts';
import type { Limits, Search } from './deepening.ts';
import { WIN } from './deepening.ts';
import type { Move, Played } from './rule-set.ts';

/** A move and the position after it. */
type Leading<Position> = Move & { readonly next: Position };
type ListMoves<Position> = (position: Position) => readonly Leading<Position>[];

/** In how many plies the side to move forces a win, within a maximum; null if it does not. */
function winIn<Position>(
  listMoves: ListMoves<Position>,
  position: Position,
  plies: number,
): number | null {
  let best: number | null = null;
  for (const { next } of plies === 0 ? [] : listMoves(position)) {
    const lost = lossIn(listMoves, next, plies - 1);
    if (lost !== null && (best === null || lost + 1 < best)) best = lost + 1;
  }
  return best;
}

function lossIn<Position>(
  listMoves: ListMoves<Position>,
  position: Position,
  plies: number,
): number | null {
  let longest = 0;
  for (const { next } of listMoves(position)) {
    const won = plies === 0 ? null : winIn(listMoves, next, plies - 1);
    if (won === null) return null;
    longest = Math.max(longest, won + 1);
  }
  return longest;
}

/** States to search, and how. */
interface Trial<Position, State extends Position & Played, M extends Leading<Position>> {
  readonly search: Search<State, M>;
  readonly listMoves: (position: Position) => readonly M[];
  readonly makeState: (random: Random) => State;
  readonly states: number;
  /** Wins within this many plies must be found, and no others claimed within them. */
  readonly plies: number;
  readonly limits: Limits;
}

/** Returns in how many of the states there was a win to find. */
export function countFoundWins<
  Position,
  State extends Position & Played,
  M extends Leading<Position>,
>(trial: Trial<Position, State, M>, random: Random): number {
  const { search, listMoves, makeState, states, plies, limits } = trial;
  let wins = 0;
  for (let number = 0; number < states; number += 1) {
    const state = makeState(random);
    if (state.end !== null) continue;
    const [first] = search.rank(state, listMoves(state), limits, random);
    const known = winIn(listMoves, state, plies);
    if (known === null) expect(first!.value).toBeLessThan(WIN - plies);
    else {
      expect([state, first!.value]).toEqual([state, WIN - known]);
      wins += 1;
    }
  }
  return wins;
}
