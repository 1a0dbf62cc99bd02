/** Games of `perfect`, and what each of its moves gave up. */

import { isRefusal } from '../game.ts';
import type { Random } from '../random.ts';
import { makePosition } from './bits.ts';
import { connect4Bot } from './bot.ts';
import { type Connect4State, connect4 } from './connect4.ts';
import { canWin, drop, winsBy } from './moves.ts';
import { makeSolver } from './solver.ts';

/** What the service allows. */
const NODES_MAX = 12_000_000;
/** 128 MB. */
const JUDGE_TABLE_BITS = 24;

export interface JudgedMove {
  /** The moves of the game so far, columns from 1. */
  readonly moves: string;
  /** Scores for the side that moved, before and after. */
  readonly before: number;
  readonly after: number;
}

/** `perfect` sits down when so many stones lie, drawn at random; every move of its is judged. */
export interface Trial {
  readonly games: number;
  readonly randomPlies: number;
}

/** `perfect` on both seats in turn against random moves; `time` is told what each answer took. */
export function playTrial(
  { games, randomPlies }: Trial,
  random: Random,
  time: (ms: number, plies: number) => void = () => {},
): JudgedMove[] {
  const solver = makeSolver(JUDGE_TABLE_BITS);
  solver.allow(Number.MAX_SAFE_INTEGER);
  const judged: JudgedMove[] = [];
  const mind = connect4Bot.makeMind();
  for (let game = 0; game < games; game += 1) {
    let state = connect4.initial({ variant: 'standard', seats: 2, options: {} });
    let moves = '';
    while (connect4.turn(state) !== null) {
      const seat = state.plies % 2;
      const isOwn = seat === game % 2 && state.plies >= randomPlies;
      const legal = connect4.legalActions(state)!;
      const began = performance.now();
      const { column } = isOwn
        ? mind.choose({ state, seat, level: 'perfect', nodesMax: NODES_MAX }, random)
        : legal[random.integer(legal.length)]!;
      if (isOwn) time(performance.now() - began, state.plies);
      moves += String(column + 1);
      if (isOwn) judged.push({ moves, ...judge(solver, state, column) });
      const applied = connect4.apply(state, seat, { column }, random);
      if (isRefusal(applied)) throw new Error(applied.error);
      state = applied.state;
    }
  }
  return judged;
}

function judge(
  solver: ReturnType<typeof makeSolver>,
  state: Connect4State,
  column: number,
): { readonly before: number; readonly after: number } {
  const position = makePosition(state);
  const before = solver.solve(position)!;
  if (winsBy(position, column)) return { before, after: (43 - position.plies) >> 1 };
  const next = drop(position, column);
  if (next.plies === 42) return { before, after: 0 };
  const score = canWin(next) ? (43 - next.plies) >> 1 : solver.solve(next)!;
  return { before, after: 0 - score };
}
