/** Drawn seats: fair, fixed by the seed before anybody joins, and verified by every check. */

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { shippedGames } from '../games/registry.ts';
import {
  follow,
  makeTestRoster,
  makeTestSetup,
  openTrace,
  T0,
  TEST_SECRET,
} from '../testing/matches/session-trace.ts';
import { TEST_SEED } from '../testing/test-seed.ts';
import { BrokenLogError, foldSession } from './evolve.ts';
import type { Entry } from './record.ts';
import { makeReplay, verifyReplay } from './replay/replay.ts';
import { drawSeats, openSeats } from './seating.ts';

const seeds = fc.string({ minLength: 1, maxLength: 64 });

test(`[S9] drawn seats are a permutation, the same for the same seed (seed ${TEST_SEED})`, () => {
  fc.assert(
    fc.property(seeds, fc.integer({ min: 1, max: 8 }), (seed, seats) => {
      const order = drawSeats(seed, seats);
      expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: seats }, (_, i) => i));
      expect(drawSeats(seed, seats)).toEqual(order);
    }),
    { seed: TEST_SEED },
  );
});

test('[S9] every order of seats is equally likely', () => {
  for (const [seats, orders] of [
    [2, 2],
    [3, 6],
    [4, 24],
  ] as const) {
    const draws = 24_000;
    const seen = new Map<string, number>();
    for (let i = 0; i < draws; i++) {
      const order = drawSeats(`seed ${i}`, seats).join();
      seen.set(order, (seen.get(order) ?? 0) + 1);
    }
    expect(seen.size).toBe(orders);
    const expected = draws / orders;
    const squares = [...seen.values()].reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0);
    // Chi-squared: four standard deviations above its mean.
    expect(squares).toBeLessThan(orders - 1 + 4 * Math.sqrt(2 * orders));
  }
});

const drawn = (seats: number) =>
  makeTestSetup({ matchType: 'matchmaking', seats, seating: 'drawn' });
const JOIN = { kind: 'join', bot: false } as const;

test('[S2] every newcomer takes the next seat of the draw, parties and bots too', () => {
  const setup = drawn(4);
  const [first, second, third, fourth] = drawSeats(setup.seed, 4);
  const opened = openTrace(setup, [first!]);
  expect(openSeats(opened.session)).toEqual([second!, third!, fourth!]);
  const party = follow(opened, { ...JOIN, count: 2 }, T0);
  expect(party.entries.slice(1).map(({ record }) => record)).toEqual([
    { k: 'joined', seat: second!, bot: false },
    { k: 'joined', seat: third!, bot: false },
  ]);
  const full = follow(party, { kind: 'join', bot: true }, T0);
  expect(full.session.seats.every(({ taken }) => taken)).toBe(true);
  expect(full.session.seats[fourth!]!.isBot).toBe(true);
});

test('[S5] a party that does not fit is not seated at all', () => {
  const opened = openTrace(drawn(4), drawSeats(TEST_SECRET, 4).slice(0, 2));
  const refused = follow(opened, { ...JOIN, count: 3 }, T0);
  expect(refused.commands[0]!.decision).toEqual({
    steps: [],
    rejection: { code: 'room_full', error: 'Room is already full' },
  });
});

/** A log of two players who joined one after the other, on the given seats. */
function logOf(first: number, second: number): readonly Entry[] {
  const setup = drawn(2);
  return [
    { v: 0, at: T0, record: { k: 'created', setup, taken: [first], bots: [], node: 'a' } },
    { v: 1, at: T0, record: { k: 'joined', seat: second, bot: false } },
  ];
}

test('[S9] a log with other seats than the drawn ones is broken', () => {
  const [first, second] = drawSeats(TEST_SECRET, 2) as [number, number];
  expect(
    foldSession(shippedGames.findPlayed, 'ses_test', logOf(first, second)).seats.every(
      ({ taken }) => taken,
    ),
  ).toBe(true);
  expect(() => foldSession(shippedGames.findPlayed, 'ses_test', logOf(second, first))).toThrow(
    BrokenLogError,
  );
  expect(() => foldSession(shippedGames.findPlayed, 'ses_test', logOf(first, first))).toThrow(
    'is not the one drawn',
  );
});

test('[S7][S9] a replay shows the draw, and its verifier finds changed seats', () => {
  const [first, second] = drawSeats(TEST_SECRET, 2) as [number, number];
  const entries = logOf(first, second);
  const replay = makeReplay(
    foldSession(shippedGames.findPlayed, 'ses_test', entries),
    makeTestRoster(2),
    entries,
  );
  expect(replay.drawnSeats).toEqual([first, second]);
  expect(verifyReplay(shippedGames, replay, TEST_SECRET).ok).toBe(true);
  // Without the seed the draw cannot be checked yet.
  const swapped = { ...replay, drawnSeats: [second, first] };
  expect(verifyReplay(shippedGames, swapped).ok).toBe(true);
  expect(verifyReplay(shippedGames, swapped, TEST_SECRET)).toMatchObject({
    ok: false,
    error: 'The seats are not those that the seed draws',
  });
  expect(verifyReplay(shippedGames, { ...replay, drawnSeats: [first] }, TEST_SECRET)).toMatchObject(
    {
      ok: false,
      error: 'The players do not sit on the seats that were drawn',
    },
  );
});

test('[S1] undrawn seats follow the order of joining', () => {
  const opened = openTrace(makeTestSetup({ seats: 4 }), [0]);
  expect(openSeats(opened.session)).toEqual([1, 2, 3]);
  const entries = opened.entries;
  expect(makeReplay(opened.session, makeTestRoster(4), entries).drawnSeats).toBeNull();
});
