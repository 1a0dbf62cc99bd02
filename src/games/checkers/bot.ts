/** Plays checkers: looks ahead, and takes more or less care over which of the good moves it makes. */

import type { Bot, BotLevel, Question } from '../bot.ts';
import { happens, pickOne } from '../bot.ts';
import type { Random } from '../random.ts';
import type { CheckersAction } from './action.ts';
import { makeAction } from './action.ts';
import type { Move } from './moves.ts';
import { listMoves } from './moves.ts';
import type { Search } from './search.ts';
import { makeSearch } from './search.ts';
import type { CheckersState } from './state.ts';

/** How a level plays. */
interface Style {
  /** Plies it looks ahead, captures and threats beyond that not counted. */
  readonly plies: number;
  /** Positions it looks at, at most: some 5, 20 and 100 ms. */
  readonly nodes: number;
  /** In 100 moves, how many are made without thinking. */
  readonly whims: number;
  /** Any move that is worse than the best by no more than this will do; 100 is a man. */
  readonly margin: number;
}

const HARD: Style = { plies: 64, nodes: 500_000, whims: 0, margin: 0 };
const STYLES: Readonly<Record<BotLevel, Style>> = {
  easy: { plies: 1, nodes: 25_000, whims: 20, margin: 30 },
  medium: { plies: 4, nodes: 100_000, whims: 3, margin: 12 },
  hard: HARD,
  perfect: HARD,
};

function chooseMove(
  { state, level, nodesMax }: Question<CheckersState>,
  legal: readonly Move[],
  random: Random,
  search: Search,
): Move {
  const { plies, nodes, whims, margin } = STYLES[level];
  if (legal.length === 1) return legal[0]!;
  if (happens(whims, random)) return pickOne(legal, random);
  const limits = { plies, nodesMax: Math.min(nodes, nodesMax), margin };
  const ranked = search.rank(state, legal, limits, random);
  const best = ranked[0]!.value;
  const good = ranked.filter(({ value }) => value >= best - margin);
  // Without a margin the values of the others are bounds, which may be equal to the best.
  return margin === 0 ? ranked[0]!.move : pickOne(good, random).move;
}

/** Four levels; `perfect` is `hard`, as nobody can play the whole game by heart. */
export const checkersBot: Bot<CheckersState, CheckersAction> = {
  makeMind() {
    const search = makeSearch();
    return {
      choose(question, random) {
        const legal = listMoves(question.state);
        return makeAction(chooseMove(question, legal, random, search), legal);
      },
    };
  },
};
