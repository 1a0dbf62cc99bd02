/** Plays tic-tac-toe: looks some plies ahead, and sometimes overlooks something. */

import type { Bot, BotLevel } from '../../../game/src/bot.ts';
import { happens, pickOne } from '../../../game/src/bot.ts';
import type { Seat } from '../../../game/src/game.ts';
import { isRefusal } from '../../../game/src/game.ts';
import type { Random } from '../../../game/src/random.ts';
import type { TictactoeAction, TictactoeState } from './tictactoe.ts';
import { EMPTY, tictactoe } from './tictactoe.ts';

/** A level's depth in plies, and the percentage of moves with only one. */
const SIGHT: Readonly<Record<BotLevel, { readonly plies: number; readonly slips: number }>> = {
  easy: { plies: 1, slips: 60 },
  medium: { plies: 2, slips: 15 },
  hard: { plies: 9, slips: 0 },
  perfect: { plies: 9, slips: 0 },
};

/** A faster win counts more: this and the cells left empty. */
const WIN = 10;

/** The worth of boards for the seat that just moved, if searched completely: 5,478 at most. */
type Memory = Map<string, number>;

/** The state after a legal action: it draws no random numbers. */
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

/** A position's worth for the seat that just moved, with `plies` more to search. */
function worth(state: TictactoeState, mover: Seat, plies: number, memory: Memory): number {
  const replies = tictactoe.legalActions(state) ?? [];
  const seesAll = plies >= replies.length;
  const known = seesAll ? memory.get(state.board) : undefined;
  if (known !== undefined) return known;
  const found = worthByReplies(state, mover, plies, replies, memory);
  if (seesAll) memory.set(state.board, found);
  return found;
}

function emptyCells({ board }: TictactoeState): number {
  return board.split(EMPTY).length - 1;
}

function worthByReplies(
  state: TictactoeState,
  mover: Seat,
  plies: number,
  replies: readonly TictactoeAction[],
  memory: Memory,
): number {
  const outcome = tictactoe.outcome(state);
  if (outcome !== null) return outcome.winners.length === 0 ? 0 : WIN + emptyCells(state);
  if (plies === 0) return 0;
  const other = 1 - mover;
  const next = replies.map((each) => after(state, other, each));
  return -Math.max(...next.map((each) => worth(each, other, plies - 1, memory)));
}

/** All actions of the highest worth. */
function bestOf(
  state: TictactoeState,
  seat: Seat,
  plies: number,
  memory: Memory,
): TictactoeAction[] {
  const actions = tictactoe.legalActions(state) ?? [];
  const values = actions.map((each) => worth(after(state, seat, each), seat, plies - 1, memory));
  const best = Math.max(...values);
  return actions.filter((_, index) => values[index] === best);
}

/** All first marks are equally good with perfect play: none is searched. */
function opening(state: TictactoeState, level: BotLevel): TictactoeAction[] | null {
  const isFirst = (tictactoe.legalActions(state) ?? []).length === 9;
  if (!isFirst || SIGHT[level].slips > 0) return null;
  return [0, 2, 4, 6, 8].map((position) => ({ position }));
}

/** Four levels; `hard` and `perfect` search the whole game and never lose. */
export const tictactoeBot: Bot<TictactoeState, TictactoeAction> = {
  makeMind() {
    const memory: Memory = new Map();
    return {
      choose({ state, seat, level }, random) {
        const known = opening(state, level);
        if (known !== null) return pickOne(known, random);
        const { plies, slips } = SIGHT[level];
        const seen = happens(slips, random) ? 1 : plies;
        return pickOne(bestOf(state, seat, seen, memory), random);
      },
    };
  },
};
