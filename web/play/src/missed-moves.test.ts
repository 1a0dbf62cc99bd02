/** Tests of the moves that are derived from two states of a session: no impossible move is reported. */

import { describe, expect, test } from 'bun:test';
import { missedMoves } from './missed-moves.ts';
import type { Seat, SessionView } from './protocol.ts';

const [red, black] = [0, 1].map((seat) => ({ seat, king: false }));
const [redKing, blackKing] = [0, 1].map((seat) => ({ seat, king: true }));

interface Position {
  readonly turn: Seat;
  readonly at: Readonly<Record<number, unknown>>;
  readonly variant?: string;
  readonly legal?: readonly unknown[];
}

/** Checkers from a watcher's point of view. */
function sessionOf({ turn, at, variant = 'american', legal }: Position): SessionView {
  const cells = variant === 'international' ? 100 : 64;
  const board = Array.from({ length: cells }, (_, cell) => at[cell] ?? null);
  const session = { turn, seat: null, seats: 2, variant, legal: legal ?? null, view: { board } };
  return session as unknown as SessionView;
}

/** The derived moves, by seat. */
const derived = (before: Position, after: Position) =>
  missedMoves(sessionOf(before), sessionOf(after)).map(({ seat, action }) => [seat, action]);

describe('checkers after a gap', () => {
  test('[W6] two moves of one piece are not described as one impossible move', () => {
    // Red goes 42, 35, 28, and black answers once in between.
    const legal = [
      { from: 42, to: 35 },
      { from: 42, to: 33 },
    ];
    const at = { 42: red, 1: black };
    const after = { turn: 1, at: { 28: red, 10: black } };
    expect(derived({ turn: 0, at, legal }, after)).toEqual([[1, { from: 1, to: 10 }]]);
    // Without legal actions in the view neither is reported.
    expect(derived({ turn: 0, at }, after)).toEqual([[1, { from: 1, to: 10 }]]);
    // Nor when the player who answers has moved twice.
    const twice = { turn: 0, at: { 35: red, 19: black } };
    expect(derived({ turn: 0, at, legal }, twice)).toEqual([[0, { from: 42, to: 35 }]]);
  });

  test('[W6] one move is recognised by its distance if the view has no legal actions', () => {
    const at = { 42: red, 1: black };
    expect(derived({ turn: 0, at }, { turn: 1, at: { 35: red, 1: black } })).toEqual([
      [0, { from: 42, to: 35 }],
    ]);
    const taking = { turn: 0, at: { 42: red, 35: black, 1: black } };
    expect(derived(taking, { turn: 1, at: { 28: red, 1: black } })).toEqual([
      [0, { from: 42, to: 28 }],
    ]);
  });

  test('[W6] a flying king’s move is not reported without legal actions, because it may have moved twice', () => {
    const variant = 'international';
    const at = { 78: redKing, 5: black };
    const near = { turn: 1, at: { 67: redKing, 5: black }, variant };
    expect(derived({ turn: 0, at, variant }, near)).toEqual([]);
    const legal = [{ from: 78, to: 67 }];
    expect(derived({ turn: 0, at, variant, legal }, near)).toEqual([[0, { from: 78, to: 67 }]]);
    // The player who answers has no legal actions in the view yet.
    const answer = { turn: 1, at: { 33: blackKing, 78: red }, variant };
    expect(derived(answer, { turn: 1, at: { 33: blackKing, 67: red }, variant })).toEqual([
      [0, { from: 78, to: 67 }],
    ]);
    const flown = { turn: 0, at: { 33: blackKing, 78: red }, variant };
    expect(derived(flown, { turn: 0, at: { 44: blackKing, 78: red }, variant })).toEqual([]);
  });

  test('[W6] an American king’s step of one square is reported', () => {
    const before = { turn: 1, at: { 42: redKing, 1: black } };
    expect(derived(before, { turn: 1, at: { 51: redKing, 1: black } })).toEqual([
      [0, { from: 42, to: 51 }],
    ]);
  });
});
