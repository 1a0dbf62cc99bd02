/** The table of openings against published counts and against itself. */

import { expect, test } from 'bun:test';
import { EMPTY_BOARD, makeCanonical } from './canonical.ts';
import { drop, openColumns } from './moves.ts';
import { OPENING_PLIES, readOpenings } from './opening-signs.ts';
import { findOpening, listOpenings } from './opening-worth.ts';

/** Won, drawn and lost positions for red, by ply (M. Böck, arXiv 2507.05267). */
const PUBLISHED = [
  [1, 0, 0],
  [1, 2, 4],
  [27, 12, 10],
  [35, 58, 145],
  [690, 200, 230],
  [1080, 697, 2486],
  [10_889, 1943, 3590],
];
/** Up to this many stones the table is complete. */
const COMPLETE_PLIES = 5;

/** Both images of a position count. */
function countOutcomes(plies: number): number[] {
  const openings = readOpenings();
  const counts = [0, 0, 0];
  for (const [number, position] of listOpenings(plies)) {
    const opening = openings.get(number);
    if (opening === undefined) continue;
    const forRed = opening.worth * (plies % 2 === 0 ? 1 : -1);
    counts[1 - forRed]! += makeCanonical(position).isSymmetric ? 1 : 2;
  }
  return counts;
}

test(`[G-C4] openings of up to ${COMPLETE_PLIES} stones: won, drawn and lost as published`, () => {
  const plies = Array.from({ length: COMPLETE_PLIES + 1 }, (_, ply) => ply);
  expect(plies.map(countOutcomes)).toEqual(PUBLISHED.slice(0, COMPLETE_PLIES + 1));
});

test('[G-C4] of openings with more stones at most as many are won, drawn and lost as published', () => {
  for (let plies = COMPLETE_PLIES + 1; plies <= OPENING_PLIES; plies += 1) {
    for (const [index, count] of countOutcomes(plies).entries()) {
      expect(count).toBeLessThanOrEqual(PUBLISHED[plies]![index]!);
    }
  }
});

test("[G-C4] an opening's worth agrees with all positions after it", () => {
  const openings = readOpenings();
  for (let plies = 0; plies < OPENING_PLIES; plies += 1) {
    for (const [number, position] of listOpenings(plies)) {
      const opening = openings.get(number);
      if (opening === undefined) continue;
      const open = openColumns(position);
      const after = open.map((column) => findOpening(openings, drop(position, column)));
      const known = after.flatMap((next) => (next === null ? [] : [0 - next.worth]));
      const most = Math.max(-1, ...known);
      if (known.length === open.length) expect([number, most]).toEqual([number, opening.worth]);
      else expect(most).toBeLessThanOrEqual(opening.worth);
      const kept = opening.column === null ? null : after[open.indexOf(opening.column)]!;
      if (kept !== null) expect([number, 0 - kept.worth]).toEqual([number, opening.worth]);
    }
  }
});

test('[G-C4] a mirrored opening is found too, and no position with more stones', () => {
  const openings = readOpenings();
  expect(findOpening(openings, EMPTY_BOARD)).toEqual({ worth: 1, column: 3 });
  for (const position of listOpenings(OPENING_PLIES - 1).values()) {
    const [left, right] = [drop(position, 0), drop(position, 6)];
    expect(openings.has(makeCanonical(left).number)).toBe(findOpening(openings, left) !== null);
    const mirrored = findOpening(openings, right);
    if (mirrored?.column != null) expect(openColumns(right)).toContain(mirrored.column);
  }
  const [beyond] = listOpenings(OPENING_PLIES + 1).values();
  expect(findOpening(openings, beyond!)).toBeNull();
});
