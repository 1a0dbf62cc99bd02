/** Tests of the texts about a rematch, for each side. */

import { expect, test } from 'bun:test';
import type { Rematch } from '../protocol.ts';
import {
  ARRIVAL_MS,
  absentAt,
  attendanceAfter,
  NO_ATTENDANCE,
  phaseOf,
  type Sight,
  withdrawnAfter,
} from './phase.ts';

const QUIET: Rematch = {
  asked: [],
  agreed: false,
  declined: null,
  here: [0, 1],
  until: 1_000,
  next: null,
  refused: null,
  ratings: null,
};

const see = (change: Partial<Rematch>, sight: Partial<Sight> = {}) =>
  phaseOf({
    rematch: { ...QUIET, ...change },
    own: 0,
    others: [1],
    away: [],
    withdrawn: [],
    now: 0,
    isLate: false,
    ...sight,
  });

test('[W8] texts are worded for the player who reads them', () => {
  expect(see({}, { rematch: null })).toEqual({ kind: 'none' });
  expect(see({ until: null })).toEqual({ kind: 'none' });
  expect(see({})).toEqual({ kind: 'open', away: [] });
  expect(see({}, { away: [1] })).toEqual({ kind: 'open', away: [1] });
  const waiting = { kind: 'waiting', for: [1], away: [1] } as const;
  expect(see({ asked: [0] }, { away: [1] })).toEqual(waiting);
  expect(see({ asked: [1] })).toEqual({ kind: 'asked', by: [1] });
  expect(see({ declined: 1 })).toEqual({ kind: 'declined', by: 1 });
  expect(see({ asked: [1] }, { now: 1_000 })).toEqual({ kind: 'expired' });
});

test('[W8] an agreement remains after its time limit, and a created rematch remains in any case', () => {
  const late = { now: 9_999 };
  expect(see({ asked: [0, 1], agreed: true }, late)).toEqual({ kind: 'making' });
  expect(see({ asked: [0, 1], agreed: true }, { isLate: true })).toEqual({ kind: 'late' });
  expect(see({ agreed: true, refused: 'busy' })).toEqual({ kind: 'refused' });
  const next = { session: 's', token: 't' };
  expect(see({ next, declined: 1 }, late)).toEqual({ kind: 'ready', token: 't' });
  expect(see({ next: { session: 's' } })).toEqual({ kind: 'ready', token: null });
});

test('[W8] a player is shown as absent only after the time that a page takes to open', () => {
  const at = (before: typeof NO_ATTENDANCE, here: number[], now: number) =>
    attendanceAfter(before, { here }, [1, 2], now);
  const first = at(NO_ATTENDANCE, [0, 2], 100);
  expect(first.seen).toEqual([2]);
  expect(absentAt(first, 100)).toEqual([]);
  expect(absentAt(first, 100 + ARRIVAL_MS - 1)).toEqual([]);
  // Events in between do not extend the time of an absent player, but a player who leaves gets some.
  const second = at(first, [0], 200);
  expect(absentAt(second, 100 + ARRIVAL_MS)).toEqual([1]);
  expect(absentAt(second, 200 + ARRIVAL_MS)).toEqual([1, 2]);
  const third = at(second, [0, 1], 300);
  expect(third.seen).toEqual([1, 2]);
  expect(absentAt(third, 200 + ARRIVAL_MS)).toEqual([2]);
});

test('[W8] a player who withdraws an offer is named until they ask again', () => {
  const asked = { ...QUIET, asked: [1] };
  const withdrawn = withdrawnAfter([], asked, QUIET);
  expect(withdrawn).toEqual([1]);
  expect(see({}, { withdrawn })).toEqual({ kind: 'withdrawn', by: [1] });
  expect(withdrawnAfter(withdrawn, QUIET, asked)).toEqual([]);
});
