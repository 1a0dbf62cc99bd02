/** Plays ludo: at random, by a rule of thumb, or by looking some rolls ahead. */

import type { Bot, BotLevel, Question } from '../../../game/src/bot.ts';
import { happens, pickOne } from '../../../game/src/bot.ts';
import type { Random } from '../../../game/src/random.ts';
import { makeForesight } from './foresight.ts';
import type { LudoAction } from './ludo.ts';
import { movable } from './moves.ts';
import { makeCells, makeRace } from './race.ts';
import type { LudoState } from './state.ts';
import { chooseByThumb } from './thumb.ts';

/** The percentage of a level's random moves. */
const WHIMS: Readonly<Record<BotLevel, number>> = { easy: 75, medium: 10, hard: 0, perfect: 0 };
/** The most positions `hard` examines: some milliseconds. More hardly win more. */
const NODES_MAX = 60_000;

/** One of `tokens`, of which there are at least two. */
function chooseToken(
  { state, seat, level, nodesMax }: Question<LudoState>,
  tokens: readonly number[],
  random: Random,
): number {
  if (happens(WHIMS[level], random)) return pickOne(tokens, random);
  if (level === 'easy' || level === 'medium') return chooseByThumb(state);
  const foresight = makeForesight(makeRace(state), makeCells(state), seat);
  // The first is the fallback if the budget is too small, or nothing is better.
  const first = chooseByThumb(state);
  const others = tokens.filter((token) => token !== first);
  return foresight.choose(
    [first, ...others],
    state.die!,
    state.sixes,
    Math.min(nodesMax, NODES_MAX),
  );
}

/** Three levels; ludo is not solved, so `perfect` is `hard`. */
export const ludoBot: Bot<LudoState, LudoAction> = {
  makeMind: () => ({
    choose(question, random) {
      const { state, seat } = question;
      if (state.die === null) return { roll: true };
      const tokens = movable(state, seat, state.die);
      return { token: tokens.length === 1 ? tokens[0]! : chooseToken(question, tokens, random) };
    },
  }),
};
