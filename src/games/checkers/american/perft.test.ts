/** The move generators of American checkers against published counts, each other, and a plain implementation. */

import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import type { Random } from '../../../../game/src/random.ts';
import { makeRandom } from '../../../../game/src/random.ts';
import { TEST_SEED } from '../../../testing/test-seed.ts';
import { at } from '../checkers.test-kit.ts';
import type { Position } from './board.ts';
import { cellOfBit, START } from './board.ts';
import { listMoves, piecesOf } from './moves.ts';
import { perft } from './perft.ts';
import { listPlainMoves, makeBoard } from './second-opinion.test-kit.ts';
import { canCapture, canMove, countMoves, SUCCESSORS_MAX, writeSuccessors } from './successors.ts';

/** Published, see docs/games/checkers.md. */
const COUNTS = [7, 49, 302, 1469, 7361, 36_768, 179_740, 845_931];

/** Sequences by the moves as players see them. */
function perftByMoves(position: Position, depth: number): number {
  if (depth === 0) return 1;
  return listMoves(position).reduce((sum, { next }) => sum + perftByMoves(next, depth - 1), 0);
}

/** All squares shuffled; the first few get pieces of any kind that the rules allow there. */
function randomPosition(random: Random): Position {
  const squares = Array.from({ length: 32 }, (_, index) => 1 << index);
  const sides = [0, 0];
  let kings = 0;
  for (let pieces = 2 + random.integer(22); pieces > 0; pieces -= 1) {
    const [bit] = squares.splice(random.integer(squares.length), 1) as [number];
    const seat = random.integer(2);
    if (countBits(sides[seat]!) === 12) continue;
    sides[seat]! |= bit;
    const cell = cellOfBit(bit);
    const isLast = seat === 0 ? cell < 8 : cell >= 56;
    if (isLast || random.integer(3) === 0) kings |= bit;
  }
  const [red, black] = sides as [number, number];
  return { red: red >>> 0, black: black >>> 0, kings: kings >>> 0, turn: random.integer(2) };
}

const countBits = (bits: number): number => [...(bits >>> 0).toString(2)].filter(Number).length;

const fen = (position: Position): string => JSON.stringify(position);

function expectAgreement(position: Position): void {
  const { kings, turn } = position;
  const own = piecesOf(position, turn);
  const other = piecesOf(position, 1 - turn);
  const moves = listMoves(position);
  const plain = listPlainMoves(makeBoard(position), turn);
  const seen = moves.map(({ from, ways, to, next }) =>
    JSON.stringify([[from, ...ways[0], to], makeBoard(next).join('')]),
  );
  const seenPlainly = plain.map(({ cells, board }) => JSON.stringify([cells, board.join('')]));
  expect(seen.sort(), fen(position)).toEqual(seenPlainly.sort());
  const list = new Int32Array(3 * SUCCESSORS_MAX);
  const end = writeSuccessors(list, 0, own, other, kings, turn);
  const fast = Array.from({ length: end / 3 }, (_, n) => [...list.slice(3 * n, 3 * n + 3)].join());
  const slow = moves.map(({ next }) =>
    [piecesOf(next, turn) | 0, piecesOf(next, 1 - turn) | 0, next.kings | 0].join(),
  );
  expect(fast.sort(), fen(position)).toEqual(slow.sort());
  expect(countMoves(own, other, kings, turn), fen(position)).toBe(moves.length);
  expect(canMove(own, other, kings, turn)).toBe(moves.length > 0);
  expect(canCapture(own, other, kings, turn)).toBe(moves.some(({ captured }) => captured !== 0));
}

describe('counts', () => {
  test('[G-CHK] sequences by depth: 7 49 302 1469 7361 36768 179740 845931', () => {
    expect(COUNTS.map((_, index) => perft(START, index + 1))).toEqual(COUNTS);
    expect(perft(START, 0)).toBe(1);
  });

  test('[G-CHK] the moves as players see them give the same counts', () => {
    const counts = [1, 2, 3, 4, 5, 6].map((depth) => perftByMoves(START, depth));
    expect(counts).toEqual(COUNTS.slice(0, 6));
  });

  // A published table; not part of the project.
  const published = new URL('../../../../../shared/data/checkers/perft.json', import.meta.url);
  test.skipIf(!existsSync(published))('[G-CHK] the counts equal the published table', () => {
    const { tables } = JSON.parse(readFileSync(published, 'utf8'));
    const table = tables.find(({ variant }: { variant: string }) => variant === 'Checkers');
    expect(table).toMatchObject({ start: 'initial', pathsApart: true });
    const counts = table.counts.map((_: number, index: number) => perft(START, index + 1));
    expect(counts).toEqual(table.counts);
  });

  test('[G-CHK] captures that differ only in their path count apart', () => {
    expect(perft(at('B:W6,7,14,15:BK2'), 1)).toBe(2);
    expect(perft(at('B:W6,7,14,15,32:B2'), 2)).toBe(2 * 6);
  });
});

describe('generators', () => {
  const RANDOM_POSITIONS = 4_000;

  test(`[G-CHK] all generators agree on random positions with kings (seed ${TEST_SEED})`, () => {
    const random = makeRandom(`${TEST_SEED}`, () => 'checkers positions', 0);
    for (let number = 0; number < RANDOM_POSITIONS; number += 1) {
      expectAgreement(randomPosition(random));
    }
  }, 30_000);

  test(`[G-CHK] counts below random positions are those of the moves (seed ${TEST_SEED})`, () => {
    const random = makeRandom(`${TEST_SEED}`, () => 'checkers depth 3', 0);
    for (let number = 0; number < 200; number += 1) {
      const position = randomPosition(random);
      expect(perft(position, 3), fen(position)).toBe(perftByMoves(position, 3));
    }
  });

  test('[G-CHK] no piece has more than 16 ways to capture, so no list overflows', () => {
    const ways = Array.from({ length: 32 }, (_, index) => countTrails(cellOfBit(1 << index), []));
    expect(Math.max(...ways)).toBe(16);
    expect(SUCCESSORS_MAX).toBeGreaterThanOrEqual(12 * 16);
  });
});

/** Ways to jump on from a cell until no jump is left, where there is always something to jump. */
function countTrails(cell: number, jumped: readonly number[]): number {
  const [row, column] = [Math.floor(cell / 8), cell % 8];
  let count = 0;
  for (const [down, right] of [
    [-1, -1],
    [-1, 1],
    [1, -1],
    [1, 1],
  ] as const) {
    const over = (row + down) * 8 + column + right;
    const [endRow, endColumn] = [row + 2 * down, column + 2 * right];
    const isOn = endRow >= 0 && endRow < 8 && endColumn >= 0 && endColumn < 8;
    if (!isOn || jumped.includes(over)) continue;
    count += countTrails(endRow * 8 + endColumn, [...jumped, over]) || 1;
  }
  return count;
}
