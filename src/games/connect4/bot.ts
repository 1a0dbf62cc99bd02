/** Plays connect four: by patterns, by search, or by solving the rest of the game. */

import type { Bot, BotLevel, Question } from '../../../game/src/bot.ts';
import { happens, pickOne } from '../../../game/src/bot.ts';
import type { Random } from '../../../game/src/random.ts';
import type { Position } from './bits.ts';
import { makePosition } from './bits.ts';
import type { Book } from './book.ts';
import { findInBook, obviousColumn } from './book.ts';
import { readBook } from './book-moves.ts';
import type { Connect4Action, Connect4State } from './connect4.ts';
import { keepingColumn } from './keep-worth.ts';
import { lookAhead, soundColumns } from './look-ahead.ts';
import { openColumns, otherSide, winsBy } from './moves.ts';
import { readOpenings } from './opening-signs.ts';
import type { Openings } from './opening-worth.ts';
import { findOpening } from './opening-worth.ts';
import { quickestWin } from './quick-win.ts';
import type { Solver } from './solver.ts';
import { makeSolver } from './solver.ts';

/** The percentage of fours that a level misses: its own, and the opponent's threats. */
const MISSES = {
  easy: { own: 15, other: 40 },
  medium: { own: 0, other: 4 },
  hard: { own: 0, other: 0 },
} as const;
/** Plies a level looks ahead. */
const PLIES = { easy: 1, medium: 3, hard: 14 } as const;
/** The most positions a level examines. */
const NODES = { easy: 50, medium: 2_000, hard: 60_000 } as const;
/** The percentage of moves in which a level plays what merely looks good. */
const WHIMS = { easy: 70, medium: 15, hard: 0 } as const;
/** With this many stones on the board `hard` can mostly search to the end. */
const HARD_SOLVES_FROM = 24;
/** The most positions `perfect` examines: under two seconds on an idle core. */
const PROOF_NODES = 11_000_000;
/** If nothing can be proved within that, it looks ahead. */
const UNPROVED_NODES = 300_000;
const UNPROVED_PLIES = 20;

/** Columns as a casual player prefers them: each occurs as often as it is liked. */
const LIKED = [0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 5, 5, 6];

/** The levels that play by what they see; `perfect` knows. */
type SeeingLevel = Exclude<BotLevel, 'perfect'>;

/** An immediate four to make or to block, if the level sees it. Null if there is neither. */
function atHand(position: Position, level: SeeingLevel, random: Random): number | null {
  const open = openColumns(position);
  const winning = open.find((column) => winsBy(position, column));
  if (winning !== undefined && !happens(MISSES[level].own, random)) return winning;
  const others = otherSide(position);
  const losing = open.find((column) => winsBy(others, column));
  return losing !== undefined && !happens(MISSES[level].other, random) ? losing : null;
}

function byWhim(position: Position, level: SeeingLevel, random: Random): number {
  const columns = level === 'easy' ? openColumns(position) : soundColumns(position);
  return pickOne(
    LIKED.filter((column) => columns.includes(column)),
    random,
  );
}

/** The caches: solved positions, and the openings. */
interface Memory {
  solver(): Solver;
  book(seat: number): Book;
  openings(): Openings;
}

function chooseColumn(
  { level, state, seat, nodesMax }: Question<Connect4State>,
  random: Random,
  memory: Memory,
): number {
  const position = makePosition(state);
  if (level === 'perfect') return choosePerfectly(position, seat, nodesMax, memory);
  const seen = atHand(position, level, random);
  if (seen !== null) return seen;
  if (happens(WHIMS[level], random)) return byWhim(position, level, random);
  if (level === 'hard' && state.plies >= HARD_SOLVES_FROM) {
    const column = keepingColumn(memory.solver(), position, nodesMax);
    if (column !== null) return column;
  }
  const nodes = Math.min(NODES[level], nodesMax);
  return lookAhead(position, soundColumns(position), PLIES[level], nodes);
}

function choosePerfectly(
  position: Position,
  seat: number,
  nodesMax: number,
  memory: Memory,
): number {
  const known =
    quickestWin(position) ?? obviousColumn(position) ?? findInBook(memory.book(seat), position);
  if (known !== null) return known;
  const opening = findOpening(memory.openings(), position);
  if (opening !== null && opening.column !== null) return opening.column;
  const proofNodes = Math.min(PROOF_NODES, nodesMax);
  const column = keepingColumn(memory.solver(), position, proofNodes, opening !== null);
  if (column !== null) return column;
  const nodes = Math.min(UNPROVED_NODES, nodesMax);
  return lookAhead(position, soundColumns(position), UNPROVED_PLIES, nodes);
}

/**
 * Four levels. `perfect` takes a win that is near; otherwise it plays its book, or its table of
 * openings; otherwise it keeps the exact score, or at least the worth, as far as its budget can
 * solve; otherwise it looks ahead.
 */
export const connect4Bot: Bot<Connect4State, Connect4Action> = {
  makeMind() {
    // Large, so created on first use: solving needs a table, openings need a book.
    let solver: Solver | null = null;
    let openings: Openings | null = null;
    const books = new Map<number, Book>();
    const memory: Memory = {
      solver: () => (solver ??= makeSolver()),
      openings: () => (openings ??= readOpenings()),
      book(seat) {
        const book = books.get(seat) ?? readBook(seat);
        books.set(seat, book);
        return book;
      },
    };
    return { choose: (question, random) => ({ column: chooseColumn(question, random, memory) }) };
  },
};
