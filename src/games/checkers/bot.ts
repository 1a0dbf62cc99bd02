/** Plays checkers: searches ahead, and chooses among the good moves by level. */

import type { Bot, BotLevel, Question } from '../../../game/src/bot.ts';
import { happens, pickOne } from '../../../game/src/bot.ts';
import type { Random } from '../../../game/src/random.ts';
import type { CheckersAction } from './action.ts';
import { makeAction } from './action.ts';
import { makeSearch as makeAmericanSearch } from './american/search.ts';
import type { Search } from './deepening.ts';
import type { Variant } from './dialect.ts';
import { makeSearch as makeDraughtsSearch } from './draughts/search.ts';
import type { Move } from './rule-set.ts';
import type { CheckersState } from './rule-sets.ts';
import { rulesOf } from './rule-sets.ts';

/** How a level plays. */
interface Style {
  /** Search depth in plies, without captures and threats beyond it. */
  readonly plies: number;
  /** The same with flying kings, whose games are drawn more easily. */
  readonly draughtsPlies: number;
  /** The most positions it examines: some 5, 20 and 100 ms. With flying kings each takes longer. */
  readonly nodes: number;
  readonly draughtsNodes: number;
  /** The percentage of random moves. */
  readonly whims: number;
  /** Any move within this of the best may be chosen; 100 is a man. */
  readonly margin: number;
}

const HARD: Style = {
  plies: 64,
  draughtsPlies: 64,
  nodes: 350_000,
  draughtsNodes: 90_000,
  whims: 0,
  margin: 0,
};
const STYLES: Readonly<Record<BotLevel, Style>> = {
  easy: { plies: 1, draughtsPlies: 1, nodes: 25_000, draughtsNodes: 6_000, whims: 20, margin: 30 },
  medium: {
    plies: 4,
    draughtsPlies: 3,
    nodes: 100_000,
    draughtsNodes: 24_000,
    whims: 3,
    margin: 12,
  },
  hard: HARD,
  perfect: HARD,
};

/** A search of any variant; it gets only states and moves of its own. */
type AnySearch = Search<CheckersState, Move>;

function makeSearch(variant: Variant): AnySearch {
  return variant === 'american' ? makeAmericanSearch() : makeDraughtsSearch(variant);
}

function chooseMove(
  { state, level, nodesMax }: Question<CheckersState>,
  legal: readonly Move[],
  random: Random,
  search: AnySearch,
): Move {
  const { whims, margin, ...style } = STYLES[level];
  if (legal.length === 1) return legal[0]!;
  if (happens(whims, random)) return pickOne(legal, random);
  const isDraughts = 'variant' in state;
  const plies = isDraughts ? style.draughtsPlies : style.plies;
  const nodes = isDraughts ? style.draughtsNodes : style.nodes;
  const limits = { plies, nodesMax: Math.min(nodes, nodesMax), margin };
  const ranked = search.rank(state, legal, limits, random);
  const best = ranked[0]!.value;
  const good = ranked.filter(({ value }) => value >= best - margin);
  // Without a margin the values of the others are bounds, which may equal the best.
  return margin === 0 ? ranked[0]!.move : pickOne(good, random).move;
}

/** Four levels; `perfect` is `hard`, because checkers has no complete book. */
export const checkersBot: Bot<CheckersState, CheckersAction> = {
  makeMind() {
    const searches = new Map<Variant, AnySearch>();
    return {
      choose(question, random) {
        const { dialect, listMoves } = rulesOf(question.state);
        const search = searches.get(dialect.variant) ?? makeSearch(dialect.variant);
        searches.set(dialect.variant, search);
        const legal = listMoves(question.state);
        return makeAction(chooseMove(question, legal, random, search), legal);
      },
    };
  },
};
