/** `matchd solve`: the exact score of a position of connect four, and of each of its columns. */

import { isRefusal } from '../../../game/src/game.ts';
import type { Random } from '../../../game/src/random.ts';
import { analyse } from '../../games/connect4/analyse.ts';
import { makePosition } from '../../games/connect4/bits.ts';
import { type Connect4State, connect4 } from '../../games/connect4/connect4.ts';
import { makeSolver } from '../../games/connect4/solver.ts';
import { type Answer, type Refusal, wrongUsage } from '../terminal/answer.ts';

export const SOLVE_GAMES: readonly string[] = ['connect4'];

/** 128 MB: a search from few stones looks at hundreds of millions of positions. */
const SOLVE_TABLE_BITS = 24;

/** `moves`: columns from 1 to 7, one digit each; empty for the empty board. */
export function solvePosition(game: string, moves: string): Answer {
  if (!SOLVE_GAMES.includes(game)) {
    return wrongUsage(`game "${game}": must be ${SOLVE_GAMES.join(', ')}`);
  }
  const state = play(moves);
  if ('error' in state) return state;
  const solver = makeSolver(SOLVE_TABLE_BITS);
  solver.allow(Number.MAX_SAFE_INTEGER);
  const began = performance.now();
  const found = analyse(solver, makePosition(state))!;
  const ms = Math.round(performance.now() - began);
  const best = found.best + 1;
  const { score, columns } = found;
  return {
    json: { score, best, columns, nodes: solver.nodes(), ms },
    text: [
      `score ${score} for ${state.plies % 2 === 0 ? 'red' : 'yellow'}, best ${best}`,
      `columns ${columns.map((each) => each ?? '-').join(' ')}`,
      `${solver.nodes()} positions in ${ms} ms`,
    ].join('\n'),
  };
}

/** The position after the moves, with a player to move; or the fault of the moves. */
function play(moves: string): Connect4State | Refusal {
  let state = connect4.initial({ variant: 'standard', seats: 2, options: {} });
  for (const [index, digit] of [...moves].entries()) {
    const where = `MOVES "${moves}": move ${index + 1}, "${digit}"`;
    if (!/^[1-7]$/.test(digit)) return wrongUsage(`${where}: must be a column, 1 to 7`);
    const seat = connect4.turn(state);
    if (seat === null) return wrongUsage(`${where}: the game was over before it`);
    const applied = connect4.apply(state, seat, { column: Number(digit) - 1 }, NO_CHANCE);
    if (isRefusal(applied)) return wrongUsage(`${where}: column ${digit} is full`);
    state = applied.state;
  }
  if (connect4.turn(state) !== null) return state;
  return wrongUsage(`MOVES "${moves}": the game is over, there is nothing to solve`);
}

const NO_CHANCE: Random = {
  integer() {
    throw new Error('Connect four draws nothing');
  },
};
