/** PDN-FEN read and written. */

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { anyJunk } from '../../testing/junk.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import { makeRandom } from '../random.ts';
import { START } from './board.ts';
import { after, at, initial } from './checkers.test-kit.ts';
import { checkers } from './checkers.ts';
import { isFenFault, makeFen, parseFen } from './fen.ts';

describe('PDN-FEN', () => {
  test('[G-CHK] the start is B:W21-32:B1-12', () => {
    expect(makeFen(START)).toBe('B:W21-32:B1-12');
    expect(parseFen('B:W21-32:B1-12')).toEqual(START);
  });

  test('[G-CHK] seat 0 is Black, and squares count from its own side', () => {
    expect(makeFen(after(initial, '11-15'))).toBe('W:W21-32:B1-10,12,15');
    expect(makeFen(at('B:W5:BK6,2,K1'))).toBe('B:W5:B2,K1,K6');
  });

  test('[G-CHK] order, colour first named, spaces, runs of kings and a last dot do not matter', () => {
    const fen = 'B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29';
    for (const other of [
      fen,
      'B:BK29,K25,K22,20,16,12:WK15,K10,28,27,24,18.',
      ' B : W18, 24, 27-28, K10, K15 : B12, 16, 20, K22, K25, K29 ',
    ]) {
      expect(makeFen(at(other))).toBe(fen);
    }
    expect(makeFen(at('W:WK1-3:B'))).toBe('W:WK1,K2,K3:B');
  });

  const FAULTS: readonly (readonly [string, string])[] = [
    ['', 'It is not of the form B:W21-32:B1-12'],
    ['B:W21-32', 'It is not of the form B:W21-32:B1-12'],
    ['B:W21-32:W1-12', 'It is not of the form B:W21-32:B1-12'],
    ['X:W21-32:B1-12', 'It is not of the form B:W21-32:B1-12'],
    ['B:W33:B1', 'There are no squares 33, only 1 to 32'],
    ['B:W32-21:B1', 'There are no squares 32-21, only 1 to 32'],
    ['B:W30-99:B1', 'There are no squares 30-99, only 1 to 32'],
    ['B:W0:B1', '"0" is no square'],
    ['B:W5,,6:B1', '"" is no square'],
    ['B:WQ5:B1', '"Q5" is no square'],
    ['B:W21,K21:B1', 'K21 is named twice'],
    ['B:W21:B21', 'Square 21 has two pieces'],
    ['B:W21:B30', 'Black has a man on its king row, 29 to 32'],
    ['B:W3:B21', 'White has a man on its king row, 1 to 4'],
    ['B:W20-32:B1', 'A side has more than 12 pieces'],
    [`B:W21:B1${' '.repeat(400)}`, 'It is too long for a position'],
  ];
  test.each(FAULTS)('[G-CHK] %p is refused: %s', (text, error) => {
    expect(parseFen(text)).toEqual({ error });
  });

  test(`[G-CHK] every position of random games round-trips (seed ${TEST_SEED})`, () => {
    const random = makeRandom(`${TEST_SEED}`, () => 'checkers fen', 0);
    for (let number = 0; number < 20; number += 1) {
      let state = initial;
      while (checkers.outcome(state) === null) {
        const legal = checkers.legalActions(state)!;
        const action = legal[random.integer(legal.length)]!;
        state = after(state, checkers.makeNotation(state, action));
        const { red, black, kings, turn } = state;
        expect(parseFen(makeFen(state))).toEqual({ red, black, kings, turn });
      }
    }
  });

  test(`[G-CHK] junk is refused with a sentence and never throws (seed ${TEST_SEED})`, () => {
    const pieces = fc.stringMatching(/^[BW]:[BW][K0-9,-]{0,20}:[BW][K0-9,-]{0,20}$/);
    const texts = fc.oneof(
      fc.string(),
      pieces,
      anyJunk.map((value) => `${typeof value}`),
    );
    const property = fc.property(texts, (text) => {
      const read = parseFen(text);
      if (isFenFault(read)) expect(read.error).toMatch(/^["A-Z0-9].*[^.]$/);
      else expect(parseFen(makeFen(read))).toEqual(read);
    });
    fc.assert(property, { seed: TEST_SEED, numRuns: 2_000 });
  });
});
