/** Games of `perfect`, and the worth it lost in them. */

import type { BotLevel } from '../../../game/src/bot.ts';
import { NODES_MAX } from '../../../game/src/bot.ts';
import { isRefusal } from '../../../game/src/game.ts';
import type { Random } from '../../../game/src/random.ts';
import type { Position } from './bits.ts';
import { makePosition } from './bits.ts';
import { connect4Bot } from './bot.ts';
import { type Connect4State, connect4 } from './connect4.ts';
import type { Worth } from './keep-worth.ts';
import { makeOpeningSearch } from './opening-search.ts';
import { readOpenings } from './opening-signs.ts';
import { findOpening } from './opening-worth.ts';
import { makeSolver } from './solver.ts';

/** 128 MB. */
const JUDGE_TABLE_BITS = 24;

/** A position's worth for the side to move, however long that takes. */
export type Judge = (position: Position) => Worth;

export function makeJudge(): Judge {
  const openings = readOpenings();
  const search = makeOpeningSearch(makeSolver(JUDGE_TABLE_BITS));
  return (position) => findOpening(openings, position)?.worth ?? search.worthOf(position, -1);
}

/** `perfect` starts after that many random stones, and plays against moves of this kind. */
export interface Trial {
  readonly games: number;
  readonly randomPlies: number;
  readonly opponent: BotLevel | 'random';
}

export interface JudgedGame {
  /** Columns from 1. */
  readonly moves: string;
  /** The worth for `perfect` of each position with it to move, and last the result. */
  readonly worths: readonly Worth[];
}

/** It lost something if its worth was ever lower after the opponent's move than before its own. */
export function gaveUp({ worths }: JudgedGame): boolean {
  return worths.some((worth, index) => index > 0 && worth < worths[index - 1]!);
}

/** `perfect` on both seats in turn; `time` gets the duration of each answer. */
export function playTrial(
  { games, randomPlies, opponent }: Trial,
  random: Random,
  judge: Judge,
  time: (ms: number, plies: number) => void = () => {},
): JudgedGame[] {
  const own = connect4Bot.makeMind();
  const other = connect4Bot.makeMind();
  const choose = (state: Connect4State, level: BotLevel, mind: typeof own): number => {
    const seat = state.plies % 2;
    return mind.choose({ state, seat, level, nodesMax: NODES_MAX[level] }, random).column;
  };
  const answer = (state: Connect4State): number => {
    if (opponent !== 'random' && state.plies >= randomPlies) return choose(state, opponent, other);
    const legal = connect4.legalActions(state)!;
    return legal[random.integer(legal.length)]!.column;
  };
  return Array.from({ length: games }, (_, game) => {
    const seat = game % 2;
    const worths: Worth[] = [];
    let state = connect4.initial({ variant: 'standard', seats: 2, options: {} });
    let moves = '';
    while (connect4.turn(state) !== null) {
      const isOwn = state.plies % 2 === seat && state.plies >= randomPlies;
      if (isOwn) worths.push(judge(makePosition(state)));
      const began = performance.now();
      const column = isOwn ? choose(state, 'perfect', own) : answer(state);
      if (isOwn) time(performance.now() - began, state.plies);
      moves += String(column + 1);
      const applied = connect4.apply(state, state.plies % 2, { column }, random);
      if (isRefusal(applied)) throw new Error(applied.error);
      state = applied.state;
    }
    const { winners } = connect4.outcome(state)!;
    if (worths.length > 0) worths.push(winners.length === 0 ? 0 : winners[0] === seat ? 1 : -1);
    return { moves, worths };
  });
}
