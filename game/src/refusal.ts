/** The refusals that all games share. */

import type { Json, Refusal, Seat } from './game.ts';
import { canonicalJson } from './json.ts';

export function illegalMove(error: string): Refusal {
  return { code: 'illegal_move', error };
}

/** Refuses an action that is not legal; null if it is. */
export function refuseUnlisted<Action>(legal: readonly Action[], action: Action): Refusal | null {
  const text = canonicalJson(action as Json);
  if (legal.some((each) => canonicalJson(each as Json) === text)) return null;
  return illegalMove('This action is not legal now');
}

/** Why a seat may not act at all: the game is over, or another seat (`turn`) is to move. */
export function refuseTurn(turn: Seat | null, seat: Seat): Refusal | null {
  if (turn === null) return illegalMove('The game is over');
  if (turn === seat) return null;
  return { code: 'not_your_turn', error: `It is seat ${turn}'s turn` };
}

/** The same for games with `acting`: refuses a seat that may not act now. */
export function refuseSeat(acting: readonly Seat[], seat: Seat): Refusal | null {
  if (acting.length === 0) return illegalMove('The game is over');
  if (acting.includes(seat)) return null;
  return { code: 'not_your_turn', error: `It is the turn of seat ${acting.join(', ')}` };
}
