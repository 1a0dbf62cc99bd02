/** Long tests of connect four: counts and whole published sets. */

import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeRandom } from '../../../game/src/random.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import type { Position } from './bits.ts';
import { makePosition } from './bits.ts';
import { connect4 } from './connect4.ts';
import { drop, openColumns, winsBy } from './moves.ts';
import { makeSolver } from './solver.ts';

setDefaultTimeout(600_000);

const DATA = join(import.meta.dirname, '../../../../shared/data/connect4');
const EMPTY: Position = { ownLo: 0, ownHi: 0, allLo: 0, allHi: 0, plies: 0 };

/** Positions by ply up to `plies`, and how many of each are over. */
function countPositions(plies: number): [total: number, over: number][] {
  const counts: [number, number][] = [[1, 0]];
  let level = [EMPTY];
  for (let ply = 1; ply <= plies; ply += 1) {
    const seen = new Set<number>();
    const next: Position[] = [];
    let over = 0;
    for (const position of level) {
      for (const column of openColumns(position)) {
        const child = drop(position, column);
        const number = (child.ownHi + child.allHi) * 2 ** 28 + child.ownLo + child.allLo;
        if (seen.has(number)) continue;
        seen.add(number);
        if (winsBy(position, column)) over += 1;
        else next.push(child);
      }
    }
    counts.push([seen.size, over]);
    level = next;
  }
  return counts;
}

describe('counts', () => {
  test('[G-C4] distinct positions by ply to 11, and how many of them are over', () => {
    const totals = [
      1, 7, 49, 238, 1120, 4263, 16_422, 54_859, 184_275, 558_186, 1_662_623, 4_568_683,
    ];
    const over = [0, 0, 0, 0, 0, 0, 0, 728, 1892, 19_412, 44_225, 273_261];
    expect(countPositions(11)).toEqual(totals.map((total, ply) => [total, over[ply]!]));
  });

  const perft = (position: Position, plies: number): number => {
    const open = openColumns(position);
    if (plies === 1) return open.length;
    return open.reduce(
      (sum, column) =>
        sum + (winsBy(position, column) ? 0 : perft(drop(position, column), plies - 1)),
      0,
    );
  };
  test('[G-C4] move sequences of 8, 9 and 10 plies', () => {
    const counts = [8, 9, 10].map((plies) => perft(EMPTY, plies));
    expect(counts).toEqual([5_673_234, 39_394_572, 268_031_646]);
  });
});

function positionOf(moves: string): Position {
  let state = connect4.initial({ variant: 'standard', seats: 2, options: {} });
  for (const digit of moves) {
    const applied = connect4.apply(state, state.plies % 2, { column: Number(digit) - 1 }, CHANCE);
    if ('code' in applied) throw new Error(applied.error);
    state = applied.state;
  }
  return makePosition(state);
}
const CHANCE = makeRandom(`${TEST_SEED}`, () => 'connect4 slow', 0);

/** Sets, how many of their positions, and the reference's nodes on average on all 500. */
const SETS = [
  ['Test_L3_R1', 500, 51],
  ['Test_L2_R1', 500, 454],
  ['Test_L2_R2', 500, 39_609],
  ['Test_L1_R1', 500, 3_369],
  ['Test_L1_R2', 500, 1_210_239],
] as const;

describe.skipIf(!existsSync(DATA))('published positions (skipped where the data is not)', () => {
  test.each(SETS)('[G-C4] %s: no wrong score, nodes at most 1.05 times', (name, count, nodes) => {
    const solver = makeSolver();
    const lines = readFileSync(join(DATA, `${name}.txt`), 'utf8')
      .trim()
      .split('\n');
    let sum = 0;
    for (const line of lines.slice(0, count)) {
      const [moves = '', score] = line.split(' ');
      solver.forget();
      solver.allow(Number.MAX_SAFE_INTEGER);
      expect([moves, solver.solve(positionOf(moves))]).toEqual([moves, Number(score)]);
      sum += solver.nodes();
    }
    expect(sum / count).toBeLessThanOrEqual(1.05 * nodes);
  });
});
