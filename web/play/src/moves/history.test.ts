/** Tests of the moves that the page stores: only those it has seen. */

import { describe, expect, test } from 'bun:test';
import type { Seat, ServerFrame, SessionView } from '../protocol.ts';
import { BLANK_SESSION } from '../session.test-kit.ts';
import type { History } from './history.ts';
import { historyAfter, NO_MOVES } from './history.ts';

const BLANK: SessionView = { ...BLANK_SESSION, players: [], view: { n: 0 } };

const at = (n: number, part: Partial<SessionView> = {}): SessionView => ({
  ...BLANK,
  v: 2 + n,
  view: { n },
  ...part,
});
const frame = (t: string, more: object = {}): ServerFrame => ({ t, ...more }) as ServerFrame;
const update = (seat: Seat, action: unknown): ServerFrame => frame('update', { seat, action });

/** The histories after each of some steps. */
function begin(): History {
  return historyAfter(NO_MOVES, { before: null, session: at(0), cause: frame('state') });
}

describe('the stored moves', () => {
  test('[W6] begin at the first position, and contain each position as it was shown', () => {
    const first = historyAfter(begin(), {
      before: at(0),
      session: at(1),
      cause: update(0, { p: 1 }),
    });
    const second = historyAfter(first, { before: at(1), session: at(2), cause: update(1, null) });
    expect(second.start).toEqual(at(0));
    expect(second.moves.map(({ seat, action }) => [seat, action])).toEqual([
      [0, { p: 1 }],
      [1, null],
    ]);
    expect(second.moves.map(({ after }) => after?.view)).toEqual([{ n: 1 }, { n: 2 }]);
  });

  test('[W6] exclude draw offers, presence and the end', () => {
    const history = begin();
    const steps = [
      update(0, { draw: 'offer' }),
      update(0, { forfeit: 'resignation' }),
      frame('presence', { seat: 1, connected: false }),
      frame('over'),
    ];
    for (const cause of steps) {
      expect(historyAfter(history, { before: at(0), session: at(1), cause })).toBe(history);
    }
    const missed = update(0, { missed: 'afk' });
    expect(
      historyAfter(history, { before: at(0), session: at(1), cause: missed }).moves,
    ).toHaveLength(1);
  });

  test('[W6] of a page that is opened later begin with the last one, without a start', () => {
    const lastMove = { v: 5, seat: 1, action: { p: 3 } } as const;
    const late = historyAfter(NO_MOVES, {
      before: null,
      session: at(3, { lastMove }),
      cause: frame('state'),
    });
    expect(late.start).toBeNull();
    expect(late.moves).toEqual([{ ...lastMove, before: null, after: at(3, { lastMove }) }]);
  });

  test('[W6] name what was missed in a gap; only the last has a position', () => {
    const missedMoves = () => [
      { seat: 0 as Seat, action: { p: 1 }, before: at(0) },
      { seat: 1 as Seat, action: { p: 2 }, before: at(0) },
    ];
    const { moves } = historyAfter(begin(), {
      before: at(0),
      session: at(2),
      cause: frame('state'),
      missedMoves,
    });
    expect(moves.map(({ after }) => after?.v ?? null)).toEqual([null, 4]);
  });

  test('[W6] are limited: the oldest are dropped, and with them the start', () => {
    let history = begin();
    for (let n = 1; n <= 700; n += 1) {
      history = historyAfter(history, {
        before: at(n - 1),
        session: at(n),
        cause: update(0, { n }),
      });
    }
    expect(history.moves).toHaveLength(600);
    expect(history.start).toBeNull();
    expect(history.moves.at(-1)?.action).toEqual({ n: 700 });
  });
});
