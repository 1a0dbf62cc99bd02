/** The moves of draughts against published counts, and against a plain implementation. */

import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import type { Random } from '../../../../game/src/random.ts';
import { makeRandom } from '../../../../game/src/random.ts';
import { TEST_SEED } from '../../../testing/test-seed.ts';
import { atIn } from '../checkers.test-kit.ts';
import { DIALECTS } from '../dialect.ts';
import { canCapture, canMove, countMoves, MOVE_LENGTH, writeMoves } from './lister.ts';
import { listMoves } from './moves.ts';
import { perft } from './perft.ts';
import type { DraughtsPosition } from './position.ts';
import { makeBoard, readSquares } from './position.ts';
import { listPlainMoves } from './second-opinion.test-kit.ts';
import type { DraughtsVariant } from './variant.ts';
import { DRAUGHTS } from './variant.ts';

const VARIANTS = Object.keys(DRAUGHTS) as DraughtsVariant[];

interface Table {
  readonly variant: DraughtsVariant;
  readonly fen: string;
  /** Sequences by depth from 1; paths counted separately. */
  readonly counts: readonly number[];
}

/** Published in the tables of dctl (R. Halbersma) and, for the large board, on the FMJD's forum. */
const TABLES: readonly Table[] = [
  {
    variant: 'russian',
    fen: DIALECTS.russian.start,
    counts: [7, 49, 302, 1469, 7482, 37_986, 190_146, 929_905],
  },
  {
    variant: 'brazilian',
    fen: DIALECTS.brazilian.start,
    counts: [7, 49, 302, 1469, 7473, 37_628, 187_302, 907_836],
  },
  {
    variant: 'international',
    fen: DIALECTS.international.start,
    counts: [9, 81, 658, 4265, 27_117, 167_140, 1_049_442],
  },
  {
    variant: 'international',
    fen: 'W:W6,7,8,9,10:B41,42,43,44,45',
    counts: [9, 81, 795, 7578, 86_351, 936_311],
  },
];

/** The same, with captures that have the same result counted once; in most positions they are rare. */
const MERGED: readonly Table[] = [
  {
    variant: 'international',
    fen: 'B:BK17,K24:W6,9,10,11,20,21,22,23,30,K31,33,37,41,42,43,44,46',
    counts: [14, 55, 1168, 5432, 87_195],
  },
  {
    variant: 'international',
    fen: 'W:B12,13,14,16,18,19,21,23,24,26:W25,27,28,30,32,33,34,35,37,38',
    counts: [6, 12, 30, 73, 215, 590, 1944, 6269, 22_369],
  },
  { ...TABLES[3]!, counts: [9, 81, 795, 7578] },
];

function mergedPerft(position: DraughtsPosition, depth: number): number {
  const moves = listMoves(position);
  if (depth === 1) return moves.length;
  return moves.reduce((sum, { next }) => sum + mergedPerft(next, depth - 1), 0);
}

const upTo = (depth: number, count: (depth: number) => number): readonly number[] =>
  Array.from({ length: depth }, (_, index) => count(index + 1));

describe('counts', () => {
  test.each(TABLES)('[G-CHK] sequences of $variant from $fen are as published', (table) => {
    const { variant, fen, counts } = table;
    const state = atIn(variant, fen);
    expect(upTo(counts.length, (depth) => perft(state, depth))).toEqual([...counts]);
    expect(perft(state, 0)).toBe(1);
  });

  test.each(MERGED)('[G-CHK] moves of $variant from $fen are as published', (table) => {
    const { variant, fen, counts } = table;
    const state = atIn(variant, fen);
    expect(upTo(counts.length, (depth) => mergedPerft(state, depth))).toEqual([...counts]);
  });

  // Published tables; not part of the project.
  const published = new URL('../../../../../shared/data/checkers/perft.json', import.meta.url);
  test.skipIf(!existsSync(published))('[G-CHK] the counts equal the published tables', () => {
    const { tables } = JSON.parse(readFileSync(published, 'utf8'));
    for (const variant of VARIANTS) {
      const table = tables.find((each: Table) => each.variant.toLowerCase() === variant);
      expect(table).toMatchObject({ start: 'initial', pathsApart: true });
      const state = atIn(variant, DIALECTS[variant].start);
      expect(upTo(table.counts.length, (depth) => perft(state, depth))).toEqual(table.counts);
    }
  });
});

/** Pieces of any kind that the rules allow there, on a few squares. */
function randomPosition(variant: DraughtsVariant, random: Random): DraughtsPosition {
  const { edge, piecesMax } = DIALECTS[variant];
  const count = (edge * edge) / 2;
  const squares: string[] = Array(count).fill('.');
  const left = [piecesMax, piecesMax];
  for (let pieces = 2 + random.integer(2 * piecesMax - 2); pieces > 0; pieces -= 1) {
    const index = random.integer(count);
    const seat = random.integer(2);
    if (squares[index] !== '.' || left[seat] === 0) continue;
    left[seat]! -= 1;
    const isLast = seat === 0 ? index < edge / 2 : index >= count - edge / 2;
    const isKing = isLast || random.integer(4) === 0;
    squares[index] = 'wbWB'[seat + (isKing ? 2 : 0)]!;
  }
  return { variant, squares: squares.join(''), turn: random.integer(2) };
}

function expectAgreement(position: DraughtsPosition): void {
  const { variant, squares, turn } = position;
  const { dialect, majority, crownsInPassing } = DRAUGHTS[variant];
  const moves = listMoves(position);
  const seen = moves.flatMap(({ from, ways, to, next }) =>
    ways.map((way) => JSON.stringify([[from, ...way, to], next.squares])),
  );
  const rules = { edge: dialect.edge, majority, crownsInPassing };
  const plain = listPlainMoves(squares, turn, rules).map(({ cells, squares: after }) =>
    JSON.stringify([cells, after]),
  );
  expect(seen.sort(), JSON.stringify(position)).toEqual(plain.sort());
  const board = makeBoard(position);
  expect(countMoves(board, turn)).toBe(seen.length);
  expect(writeMoves(board, 0, turn)).toBe(seen.length * MOVE_LENGTH);
  expect(canMove(board, turn)).toBe(seen.length > 0);
  expect(canCapture(board, turn)).toBe(moves.some(({ isCapture }) => isCapture));
  expect(readSquares(board)).toBe(squares);
}

describe('lists', () => {
  test.each(VARIANTS)(
    `[G-CHK] moves of random positions of %s equal those of the plain implementation (seed ${TEST_SEED})`,
    (variant) => {
      const random = makeRandom(`${TEST_SEED}`, () => `${variant} positions`, 0);
      for (let number = 0; number < 1_500; number += 1) {
        expectAgreement(randomPosition(variant, random));
      }
    },
  );

  test('[G-CHK] a list grows when it is full', () => {
    const position = atIn('international', 'W:WK3,K6,K11,K12,K26,K36,K44,K47,K48,K49,K50:B7');
    const board = makeBoard(position);
    const length = board.moves.length;
    const end = writeMoves(board, length - MOVE_LENGTH, position.turn);
    expect(end).toBeGreaterThan(length);
    expect(board.moves.length).toBeGreaterThan(length);
    const here = board.moves.slice(length - MOVE_LENGTH, end);
    writeMoves(board, 0, position.turn);
    const part = (moves: Int16Array) => upTo(5, (n) => moves[n - 1]!);
    for (let at = 0; at < here.length; at += MOVE_LENGTH) {
      expect(part(here.subarray(at))).toEqual(part(board.moves.subarray(at)));
    }
  });
});
