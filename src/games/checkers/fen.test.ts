/** PDN-FEN read and written. */

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { makeRandom } from '../../../game/src/random.ts';
import { anyJunk } from '../../../game/src/testing/junk.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import { after, at, fenOf, initial, initialOf } from './checkers.test-kit.ts';
import { checkers } from './checkers.ts';
import { DIALECTS, VARIANTS } from './dialect.ts';
import { isFenFault, makeFen, parseFen } from './fen.ts';
import type { Diagram } from './rule-set.ts';
import { diagramOf } from './rule-set.ts';
import { rulesOf } from './rule-sets.ts';

const parse = (text: string) => parseFen(DIALECTS.american, text);

describe('PDN-FEN', () => {
  test.each(VARIANTS)('[G-CHK] the start of %s is written in its dialect', (variant) => {
    const { start, piecesMax, colours } = DIALECTS[variant];
    expect(fenOf(initialOf(variant))).toBe(start);
    const diagram = parseFen(DIALECTS[variant], start) as Diagram;
    expect(diagram.turn).toBe(0);
    expect(start.startsWith(colours[0])).toBe(true);
    for (const seat of [0, 1]) {
      expect(diagram.board.filter((piece) => piece?.seat === seat)).toHaveLength(piecesMax);
    }
    expect(diagram.board.findIndex((piece) => piece?.seat === 1)).toBe(1);
  });

  test('[G-CHK] russian names squares a1 to h8, and also reads numbers', () => {
    const { russian, brazilian } = DIALECTS;
    const fen = 'W:Wa1,Kh8:Bb6,Ke5';
    const diagram = parseFen(russian, fen) as Diagram;
    expect([diagram.board[56], diagram.board[7], diagram.board[17], diagram.board[28]]).toEqual([
      { seat: 0, king: false },
      { seat: 0, king: true },
      { seat: 1, king: false },
      { seat: 1, king: true },
    ]);
    expect(makeFen(russian, diagram)).toBe(fen);
    expect(parseFen(russian, 'W:W29,K4:B9,K15')).toEqual(diagram);
    expect(makeFen(brazilian, diagram)).toBe('W:W29,K4:B9,K15');
    expect(parseFen(brazilian, fen)).toEqual(diagram);
    expect(parseFen(russian, 'W:W21-32:B1-12')).toEqual(parseFen(russian, russian.start));
  });

  test('[G-CHK] international has fifty squares and twenty pieces per side', () => {
    const { international } = DIALECTS;
    const read = (text: string) => parseFen(international, text);
    expect(makeFen(international, read('B:WK46,50:B1,K5') as Diagram)).toBe('B:W50,K46:B1,K5');
    expect(read('W:W51:B1')).toEqual({ error: 'There are no squares 51, only 1 to 50' });
    expect(read('W:W5:B7')).toEqual({ error: 'White has a man on its king row, 1 to 5' });
    expect(read('W:W7:B46')).toEqual({ error: 'Black has a man on its king row, 46 to 50' });
    expect(read('W:W30-50:B1')).toEqual({ error: 'A side has more than 20 pieces' });
    expect(read('W:Wa1:B7')).toEqual({ error: 'There are no squares a1, only 1 to 50' });
  });

  test('[G-CHK] seat 0 is Black, and squares count from its own side', () => {
    expect(fenOf(after(initial, '11-15'))).toBe('W:W21-32:B1-10,12,15');
    expect(fenOf(at('B:W5:BK6,2,K1'))).toBe('B:W5:B2,K1,K6');
  });

  test('[G-CHK] order, first colour, spaces, runs of kings and a final dot do not matter', () => {
    const fen = 'B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29';
    for (const other of [
      fen,
      'B:BK29,K25,K22,20,16,12:WK15,K10,28,27,24,18.',
      ' B : W18, 24, 27-28, K10, K15 : B12, 16, 20, K22, K25, K29 ',
    ]) {
      expect(fenOf(at(other))).toBe(fen);
    }
    expect(fenOf(at('W:WK1-3:B'))).toBe('W:WK1,K2,K3:B');
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
    expect(parse(text)).toEqual({ error });
  });

  test.each(VARIANTS)(
    `[G-CHK] every position of random games of %s round-trips (seed ${TEST_SEED})`,
    (variant) => {
      const random = makeRandom(`${TEST_SEED}`, () => 'checkers fen', 0);
      for (let number = 0; number < 10; number += 1) {
        let state = initialOf(variant);
        while (checkers.outcome(state) === null) {
          const legal = checkers.legalActions(state)!;
          const action = legal[random.integer(legal.length)]!;
          state = after(state, checkers.makeNotation(state, action));
          const diagram = diagramOf(rulesOf(state), state);
          expect(parseFen(DIALECTS[variant], fenOf(state))).toEqual(diagram);
        }
      }
    },
  );

  test(`[G-CHK] junk is refused with a message and never throws (seed ${TEST_SEED})`, () => {
    const pieces = fc.stringMatching(/^[BW]:[BW][K0-9a-d,-]{0,20}:[BW][K0-9a-d,-]{0,20}$/);
    const texts = fc.oneof(
      fc.string(),
      pieces,
      anyJunk.map((value) => `${typeof value}`),
    );
    const property = fc.property(texts, (text) => {
      for (const variant of VARIANTS) {
        const dialect = DIALECTS[variant];
        const read = parseFen(dialect, text);
        if (isFenFault(read)) expect(read.error).toMatch(/^["A-Za-h0-9].*[^.]$/);
        else expect(parseFen(dialect, makeFen(dialect, read))).toEqual(read);
      }
    });
    fc.assert(property, { seed: TEST_SEED, numRuns: 2_000 });
  });
});
