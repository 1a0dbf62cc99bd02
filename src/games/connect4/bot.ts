/** Plays connect four: by sight, by looking ahead, or by solving what is left of the game. */

import type { Bot, BotLevel, Question } from '../bot.ts';
import { happens, pickOne } from '../bot.ts';
import type { Random } from '../random.ts';
import type { Position } from './bits.ts';
import { makePosition } from './bits.ts';
import type { Connect4Action, Connect4State } from './connect4.ts';
import { lookAhead, soundColumns } from './look-ahead.ts';
import { drop, losesAtOnce, openColumns, winsBy } from './moves.ts';
import type { Solver } from './solver.ts';
import { makeSolver, SCORE_MAX } from './solver.ts';

/** How often in 100 a level does not see a four: its own, and one that the other side threatens. */
const MISSES: Readonly<Record<BotLevel, { readonly own: number; readonly other: number }>> = {
  easy: { own: 15, other: 40 },
  medium: { own: 0, other: 4 },
  hard: { own: 0, other: 0 },
  perfect: { own: 0, other: 0 },
};
/** Plies a level looks ahead. */
const PLIES = { easy: 1, medium: 3, hard: 14 } as const;
/** Positions a level looks at, at most. */
const NODES = { easy: 50, medium: 2_000, hard: 60_000 } as const;
/** Where a player of that strength now and then plays what merely looks good. In 100 moves. */
const WHIMS = { easy: 70, medium: 15, hard: 0 } as const;
/** With so many stones on the board `hard` can mostly see to the end. */
const HARD_SOLVES_FROM = 24;
/** With fewer stones there is more to solve than any budget allows: `perfect` looks ahead. */
const SOLVES_FROM = 6;
const OPENING_NODES = 600_000;
const OPENING_PLIES = 20;

/** Columns as a casual eye prefers them: each stands here as often as it is liked. */
const LIKED = [0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 5, 5, 6];

/** What is at hand: a four to make or to stop, if the level sees it. Null when there is neither. */
function atHand(position: Position, level: BotLevel, random: Random): number | null {
  const open = openColumns(position);
  const winning = open.find((column) => winsBy(position, column));
  if (winning !== undefined && !happens(MISSES[level].own, random)) return winning;
  const { ownLo, ownHi, allLo, allHi } = position;
  const others = { ...position, ownLo: ownLo ^ allLo, ownHi: ownHi ^ allHi };
  const losing = open.find((column) => winsBy(others, column));
  return losing !== undefined && !happens(MISSES[level].other, random) ? losing : null;
}

function byWhim(position: Position, level: BotLevel, random: Random): number {
  const columns = level === 'easy' ? openColumns(position) : soundColumns(position);
  return pickOne(
    LIKED.filter((column) => columns.includes(column)),
    random,
  );
}

/**
 * A column that keeps the exact score of the position: the sooner win, the later loss. First the
 * outcome alone, which costs much less, so that a budget that ends keeps at least that. Null when
 * it is not enough even for this.
 */
function bySolving(solver: Solver, position: Position): number | null {
  const columns = openColumns(position).filter((column) => !losesAtOnce(position, column));
  if (columns.length <= 1) return columns[0] ?? null;
  let outcome = -2;
  let keeping: number[] = [];
  for (const column of columns) {
    const score = scoreOf(solver, drop(position, column), Math.max(-1, outcome - 1), 1);
    if (score === null) return null;
    if (score === outcome) keeping.push(column);
    if (score <= outcome) continue;
    outcome = score;
    keeping = [column];
  }
  return outcome === 0 ? keeping[0]! : soonest(solver, position, keeping, outcome);
}

/** Of columns with the same outcome, a win or a loss, the one with the best score. */
function soonest(
  solver: Solver,
  position: Position,
  columns: readonly number[],
  outcome: number,
): number {
  const high = outcome > 0 ? SCORE_MAX : 0;
  let best = outcome > 0 ? 0 : -SCORE_MAX;
  let bestColumn = columns[0]!;
  for (const column of columns) {
    const score = scoreOf(solver, drop(position, column), best, high);
    if (score === null) break;
    if (score <= best) continue;
    best = score;
    bestColumn = column;
  }
  return bestColumn;
}

/**
 * The score of a position for the side that has just moved, cut off at `low` and `high`. Null when
 * the nodes ran out.
 */
function scoreOf(solver: Solver, position: Position, low: number, high: number): number | null {
  let min = low;
  let max = high;
  while (min < max) {
    const middle = Math.floor((min + max) / 2);
    const score = solver.search(position, -middle - 1, -middle);
    if (score === null) return null;
    if (-score > middle) min = middle + 1;
    else max = middle;
  }
  return min;
}

function chooseColumn(
  question: Question<Connect4State>,
  random: Random,
  solverOf: () => Solver,
): number {
  const { level, state, nodesMax } = question;
  const position = makePosition(state);
  const seen = atHand(position, level, random);
  if (seen !== null) return seen;
  if (level !== 'perfect' && happens(WHIMS[level], random)) {
    return byWhim(position, level, random);
  }
  const solvesFrom = { easy: 42, medium: 42, hard: HARD_SOLVES_FROM, perfect: SOLVES_FROM }[level];
  if (state.plies >= solvesFrom) {
    const solver = solverOf();
    solver.allow(nodesMax);
    const column = bySolving(solver, position);
    if (column !== null) return column;
  }
  const columns = soundColumns(position);
  const [plies, nodes] =
    level === 'perfect' ? [OPENING_PLIES, OPENING_NODES] : [PLIES[level], NODES[level]];
  return lookAhead(position, columns, plies, Math.min(nodes, nodesMax));
}

/**
 * Four levels. `perfect` keeps the exact score of every position from the sixth stone on that its
 * budget lets it solve; before that, and beyond, it looks ahead.
 */
export const connect4Bot: Bot<Connect4State, Connect4Action> = {
  makeMind() {
    let solver: Solver | null = null;
    // Its table is large: only who has to solve something gets one.
    const solverOf = (): Solver => (solver ??= makeSolver());
    return { choose: (question, random) => ({ column: chooseColumn(question, random, solverOf) }) };
  },
};
