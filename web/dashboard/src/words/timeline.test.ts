/** The timeline in words. */

import { expect, test } from 'bun:test';
import type { TimelineRow } from '../types.ts';
import { timelineWords } from './timeline.ts';

const at = '2026-11-27T14:02:11.000Z';
const row = (
  v: number,
  kind: string,
  seat: number | null = null,
  detail: unknown = null,
): TimelineRow => ({ v, at, kind, seat, detail });
const ann = { id: 'ann', displayName: 'Ann', seat: 0, isBot: false, connected: true };

test('[D11] a timeline says who did what; of erased and empty seats, too', () => {
  const lines = timelineWords(
    [
      row(1, 'created', null, { game: 'tictactoe' }),
      row(2, 'connected', 0),
      row(3, 'action', 0, { position: 4 }),
      row(4, 'action', 1, null),
      row(5, 'draw', 1, { do: 'offer' }),
      row(6, 'forfeited', 0, { reason: 'resignation' }),
      row(7, 'ended', null, { reason: 'resignation' }),
      row(8, 'paused', null, { lostMs: 40 }),
    ],
    [ann, { ...ann, id: null, displayName: null, seat: 1 }],
  );
  expect(lines.map(({ words }) => words)).toEqual([
    'Session created',
    'Ann (seat 0) connected',
    'Ann (seat 0) played position 4',
    'erased player (seat 1) played',
    'erased player (seat 1) offered a draw',
    'Ann (seat 0) lost: resigned',
    'Match ended: resigned',
    'The service paused the session; 40 ms are charged to nobody',
  ]);
});

test('[D11] ticks are one line, however many records they come in', () => {
  const ticks = (v: number, from: number) => row(v, 'ticks', null, { from, count: 15 });
  const rows = [ticks(1, 0), ticks(2, 15), row(3, 'connected', 0), ticks(4, 30)];
  const lines = timelineWords(rows, [ann]);
  expect(lines.map(({ v, words }) => [v, words])).toEqual([
    [2, 'Ticks 0 to 29'],
    [3, 'Ann (seat 0) connected'],
    [4, 'Ticks 30 to 44'],
  ]);
});
