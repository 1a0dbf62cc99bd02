/** The rules in which draughts with flying kings differ from American checkers. */

import { describe, expect, test } from 'bun:test';
import { isRefusal } from '../../../../game/src/game.ts';
import { makeRandom } from '../../../../game/src/random.ts';
import type { CheckersAction } from '../action.ts';
import { after, atIn, eventsOf, fenOf, written } from '../checkers.test-kit.ts';
import { checkers } from '../checkers.ts';
import type { DraughtsVariant } from './variant.ts';

const send = (variant: DraughtsVariant, fen: string, action: CheckersAction) => {
  const state = atIn(variant, fen);
  const chance = makeRandom('', () => '', 0);
  return checkers.apply(state, state.turn, action, chance);
};

describe('moves', () => {
  test('[G-CHK] a king flies along a diagonal as far as it is free', () => {
    expect(written(atIn('russian', 'W:WKa1,e5:Bh8'))).toEqual([
      'a1-b2',
      'a1-c3',
      'a1-d4',
      'e5-d6',
      'e5-f6',
    ]);
  });

  test('[G-CHK] a man captures backward as well, and steps forward only', () => {
    expect(written(atIn('international', 'W:W22:B27,1'))).toEqual(['22x31']);
    expect(written(atIn('international', 'W:W22:B1'))).toEqual(['22-17', '22-18']);
  });

  test('[G-CHK] a king captures from a distance and lands anywhere behind, unless it can continue', () => {
    expect(written(atIn('russian', 'W:WKa1:Bd4'))).toEqual(['a1:e5', 'a1:f6', 'a1:g7', 'a1:h8']);
    expect(written(atIn('russian', 'W:WKa1:Bd4,e7'))).toEqual(['a1:d8']);
  });

  test('[G-CHK] with the majority rule the largest capture is compulsory, in russian any is allowed', () => {
    const fen = 'W:W22,27:B17,18,9';
    expect(written(atIn('brazilian', fen)).length).toBe(1);
    expect(written(atIn('russian', fen)).length).toBeGreaterThan(1);
  });

  test('[G-CHK] a man that passes the king row continues as a king in russian, as a man elsewhere', () => {
    const fen = 'W:Wf6:Bc7,e7,h8';
    expect(written(atIn('russian', fen))).toEqual(['f6:a5', 'f6:b6']);
    expect(fenOf(after(atIn('russian', fen), 'f6:a5'))).toBe('B:WKa5:Bh8');
    expect(eventsOf(atIn('russian', fen), 'f6:a5')).toEqual([
      { type: 'checkers.crowned', data: { seat: 0, square: 24 } },
    ]);
    expect(written(atIn('brazilian', fen))).toEqual(['11x9']);
    expect(fenOf(after(atIn('brazilian', fen), '11x9'))).toBe('B:W9:B4');
    expect(fenOf(after(atIn('brazilian', 'W:Wf6:Be7,h8'), '11x2'))).toBe('B:WK2:B4');
  });

  test('[G-CHK] jumped pieces stay in the way until the end, and are jumped once only', () => {
    // From a5 it would capture c3 if d2 were empty by then.
    const state = atIn('russian', 'W:WKc1:Bc3,c7,d2,f6');
    expect(written(state)).toEqual(['c1:a5', 'c1:b6', 'c1:b8']);
    expect(fenOf(after(state, 'c1:a5'))).toBe('B:WKa5:Bc3');
  });
});

describe('captures that share both ends', () => {
  const ROUND = 'W:Wc3:Bb4,b6,d4,d6,h8';
  const FOUR = 'W:WKb6:Bc7,f2,f4,f6,f8';

  test('[G-CHK] captures of the same pieces are one move, read with either path', () => {
    const state = atIn('russian', ROUND);
    expect(written(state)).toEqual(['c3:c3']);
    for (const text of ['c3:a5:c7:e5:c3', 'c3:e5:c7:a5:c3']) {
      expect(checkers.parseNotation(state, text)).toEqual({ from: 42, to: 42 });
    }
    expect(send('russian', ROUND, { from: 42, to: 42, path: [24, 10, 28] })).toMatchObject({
      code: 'illegal_move',
      error: 'Only one move goes from cell 42 to cell 42: leave out the path',
    });
  });

  test('[G-CHK] otherwise the path decides, and is empty for a single jump', () => {
    const legal = checkers.legalActions(atIn('russian', FOUR))!;
    expect(legal.filter(({ to }) => to === 62)).toEqual([
      { from: 17, to: 62, path: [3, 30, 44] },
      { from: 17, to: 62, path: [] },
    ]);
    expect(send('russian', FOUR, { from: 17, to: 62 })).toEqual({
      code: 'ambiguous_move',
      error: 'Several captures go from cell 17 to cell 62: give the path, [3,30,44] or []',
    });
    for (const action of legal) {
      const read = checkers.parseAction(JSON.parse(JSON.stringify(action)));
      expect(isRefusal(send('russian', FOUR, read!))).toBe(false);
    }
    const state = atIn('russian', FOUR);
    expect(checkers.parseNotation(state, 'b6:g1')).toEqual({ from: 17, to: 62, path: [] });
    expect(written(state)).toContain('b6:d8:g5:e3:g1');
  });

  test('[G-CHK] for a capture with several paths one is sent, and the others lead to it', () => {
    const fen = 'W:WKc7:Bd2,d4,d6,f2,f4,g7';
    const legal = checkers.legalActions(atIn('russian', fen))!;
    const told = [28, 42, 60, 46, 28];
    expect(legal.filter(({ to }) => to === 7)).toEqual([
      { from: 10, to: 7, path: [28] },
      { from: 10, to: 7, path: told },
    ]);
    const send7 = (path: readonly number[]) => send('russian', fen, { from: 10, to: 7, path });
    expect(isRefusal(send7(told))).toBe(false);
    expect(send7([28, 46, 60, 42, 28])).toEqual({
      code: 'illegal_move',
      error: 'The capture from cell 10 to cell 7 by that path is sent as [28,42,60,46,28]',
    });
    expect(send7([28, 46])).toMatchObject({
      error: 'No capture from cell 10 to cell 7 goes by that path',
    });
  });

  test('[G-CHK] a refusal says if another capture is compulsory because it takes more', () => {
    const fen = 'W:W22,30:B17,18,9,25';
    const legal = checkers.legalActions(atIn('brazilian', fen))!;
    expect(new Set(legal.map(({ from }) => from)).size).toBe(1);
    const other = legal[0]!.from === 42 ? 58 : 42;
    expect(send('brazilian', fen, { from: other, to: 33 })).toMatchObject({
      error: `The piece on cell ${other} cannot capture as much as another one, which has to`,
    });
  });
});
