/** Plays tic-tac-toe: looks so many plies ahead, and sometimes overlooks what it could have seen. */

import type { Bot, BotLevel } from '../bot.ts';
import { happens, pickOne } from '../bot.ts';
import type { Seat } from '../game.ts';
import { isRefusal } from '../game.ts';
import type { Random } from '../random.ts';
import type { TictactoeAction, TictactoeState } from './tictactoe.ts';
import { tictactoe } from './tictactoe.ts';

/** How a level sees: plies ahead, and how often in 100 it looks no further than the next one. */
const SIGHT: Readonly<Record<BotLevel, { readonly plies: number; readonly slips: number }>> = {
  easy: { plies: 1, slips: 60 },
  medium: { plies: 2, slips: 15 },
  hard: { plies: 9, slips: 0 },
  perfect: { plies: 9, slips: 0 },
};

/** A win counts more the sooner it comes. */
const WIN = 10;

/** The state after a legal action: it draws no chance. */
function after(state: TictactoeState, seat: Seat, action: TictactoeAction): TictactoeState {
  const applied = tictactoe.apply(state, seat, action, NO_CHANCE);
  if (isRefusal(applied)) throw new Error(applied.error);
  return applied.state;
}

const NO_CHANCE: Random = {
  integer() {
    throw new Error('Tic-tac-toe draws nothing');
  },
};

/** What the position is worth to the seat that just moved, looking `plies` further. */
function worth(state: TictactoeState, mover: Seat, plies: number): number {
  const outcome = tictactoe.outcome(state);
  if (outcome !== null) return outcome.winners.length === 0 ? 0 : WIN + plies;
  if (plies === 0) return 0;
  const other = 1 - mover;
  const replies = tictactoe.legalActions(state) ?? [];
  return -Math.max(...replies.map((each) => worth(after(state, other, each), other, plies - 1)));
}

/** All actions that are worth the most. */
function bestOf(state: TictactoeState, seat: Seat, plies: number): TictactoeAction[] {
  const actions = tictactoe.legalActions(state) ?? [];
  const values = actions.map((action) => worth(after(state, seat, action), seat, plies - 1));
  const best = Math.max(...values);
  return actions.filter((_, index) => values[index] === best);
}

/** A first mark is as good in one place as in another for whoever sees it all: none is searched. */
function opening(state: TictactoeState, level: BotLevel): TictactoeAction[] | null {
  const isFirst = (tictactoe.legalActions(state) ?? []).length === 9;
  if (!isFirst || SIGHT[level].slips > 0) return null;
  return [0, 2, 4, 6, 8].map((position) => ({ position }));
}

/** Four levels; `hard` and `perfect` see the whole game and never lose it. */
export const tictactoeBot: Bot<TictactoeState, TictactoeAction> = {
  makeMind: () => ({
    choose({ state, seat, level }, random) {
      const known = opening(state, level);
      if (known !== null) return pickOne(known, random);
      const { plies, slips } = SIGHT[level];
      return pickOne(bestOf(state, seat, happens(slips, random) ? 1 : plies), random);
    },
  }),
};
