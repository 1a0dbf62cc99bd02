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

test('[D11] a timeline says who did what, also for erased players and empty seats', () => {
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
    { game: 'tictactoe', players: [ann, { ...ann, id: null, displayName: null, seat: 1 }] },
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

test('[D11] ticks are one line, however many records they have', () => {
  const ticks = (v: number, from: number) => row(v, 'ticks', null, { from, count: 15 });
  const rows = [ticks(1, 0), ticks(2, 15), row(3, 'connected', 0), ticks(4, 30)];
  const lines = timelineWords(rows, { game: 'fight-arena', players: [ann] });
  expect(lines.map(({ v, words }) => [v, words])).toEqual([
    [2, 'Ticks 0 to 29'],
    [3, 'Ann (seat 0) connected'],
    [4, 'Ticks 30 to 44'],
  ]);
});

test('[D11][S9] the rolls of ludo are in the timeline once the seed is known, those of missed turns, too', () => {
  const rows = [
    row(3, 'started'),
    row(4, 'action', 0, { roll: true }),
    row(5, 'action', 0, { token: 2 }),
    row(6, 'missed', 0),
    row(7, 'missed', 0),
  ];
  const of = { game: 'ludo', players: [ann] };
  const wordsOf = (chance: Parameters<typeof timelineWords>[2]) =>
    timelineWords(rows, of, chance).map(({ words }) => words);
  expect(
    wordsOf([
      { v: 4, draws: [[6, 4]] },
      {
        v: 6,
        draws: [
          [6, 5],
          [6, 0],
        ],
      },
    ]),
  ).toEqual([
    'Match started',
    'Ann (seat 0) rolled 5',
    'Ann (seat 0) moved token 3',
    'Ann (seat 0) missed the turn; the service rolled 6, 1',
    'Ann (seat 0) missed the turn',
  ]);
  expect(wordsOf(null).slice(1, 4)).toEqual([
    'Ann (seat 0) rolled',
    'Ann (seat 0) moved token 3',
    'Ann (seat 0) missed the turn',
  ]);
});

test('[D11][S9] the draws of any other game are shown with their range, a whole rack or deck as a number', () => {
  const rows = [row(3, 'started'), row(4, 'action', 0, { guess: 7 }), row(5, 'missed', 0)];
  const rack = Array.from({ length: 30 }, () => [41, 20] as const);
  const lines = timelineWords(rows, { game: 'own', players: [ann] }, [
    { v: 3, draws: rack },
    { v: 4, draws: [[10, 3]] },
    {
      v: 5,
      draws: [
        [10, 3],
        [4, 0],
      ],
    },
  ]);
  expect(lines.map(({ words }) => words)).toEqual([
    'Match started; 30 random values',
    'Ann (seat 0) played guess 7; random value 3 of 0 to 9',
    'Ann (seat 0) missed the turn; random values 3 of 0 to 9, 0 of 0 to 3',
  ]);
});
