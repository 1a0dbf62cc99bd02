/** Tests of a delayed end: a result is announced once the board has shown it, in its latest form. */

import { expect, jest, test } from 'bun:test';
import type { BoardModule } from './games/board-view.ts';
import { makeHeldEnd } from './held-end.ts';
import type { ConnectionEvent, SessionView } from './protocol.ts';

type SessionEvent = Extract<ConnectionEvent, { kind: 'session' }>;

const ended = (v: number, reason = 'rounds_won') =>
  ({
    kind: 'session',
    session: { v, status: 'ended', result: { reason } },
  }) as unknown as SessionEvent;
const active = { status: 'active' } as SessionView;
const board = {
  endingMs: ({ reason }: { reason: string }) => (reason === 'rounds_won' ? 3_000 : 0),
} as unknown as BoardModule;

test('[WEB] is released when the board has shown it, with the newest session', () => {
  jest.useFakeTimers();
  try {
    const released: number[] = [];
    const held = makeHeldEnd(({ session }) => released.push(session.v));
    expect(held.holds(ended(7), active, board)).toBe(true);
    expect(held.session?.v).toBe(7);
    jest.advanceTimersByTime(2_000);
    expect(held.holds(ended(8), active, board)).toBe(true);
    jest.advanceTimersByTime(900);
    expect(released).toEqual([]);
    jest.advanceTimersByTime(200);
    expect(released).toEqual([8]);
    expect(held.session).toBeNull();
  } finally {
    jest.useRealTimers();
  }
});

test('[WEB] is not delayed if the board has nothing to show', () => {
  const held = makeHeldEnd(() => {});
  const after = { status: 'ended' } as SessionView;
  expect(held.holds(ended(1), null, board)).toBe(false);
  expect(held.holds(ended(1), after, board)).toBe(false);
  expect(held.holds(ended(1, 'resignation'), active, board)).toBe(false);
  expect(held.holds(ended(1), active, {} as BoardModule)).toBe(false);
  expect(held.holds(ended(1), active, null)).toBe(false);
  expect(held.session).toBeNull();
});
