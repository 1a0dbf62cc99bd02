/** Any real-time game, predicted with given rules. */

import { expect, test } from 'bun:test';
import type { ClientMessage } from '../generated/frames.ts';
import type { ConnectionEvent } from './link.ts';
import { makePrediction } from './prediction.ts';

const START = Date.UTC(2026, 10, 14, 12);

/** Each seat continues with its input. */
interface Race {
  readonly ticks: number;
  readonly at: readonly number[];
}

const rulesOf = (ticksPerSecond: number) => ({
  ticks: {
    ticksPerSecond,
    step: ({ ticks, at }: Race, masks: readonly number[]): Race => ({
      ticks: ticks + 1,
      at: at.map((place, seat) => place + masks[seat]!),
    }),
    tickOf: ({ ticks }: Race) => ticks,
    hash: ({ at }: Race) => at.join(),
  },
});

/** A race of three, from the middle seat: its views have more fields than its states. */
function openRace(ticksPerSecond: number) {
  const sent: ClientMessage[] = [];
  let now = START;
  let hear: (event: ConnectionEvent) => void = () => {};
  const prediction = makePrediction(
    rulesOf(ticksPerSecond),
    (view) => {
      const { first: _, ...state } = view as Race & { readonly first: number };
      return state;
    },
    {
      session: 's1',
      serverNow: () => now,
      roundTripMs: () => 0,
      transmit: (message) => sent.push(message) > 0,
      on(listener) {
        hear = listener;
        return () => {};
      },
    },
  );
  return {
    prediction,
    sent,
    state(state: Race) {
      const ticks = { next: state.ticks, at: new Date(now).toISOString() };
      const view = { ...state, first: 0 };
      const graces = [null, null, null];
      const cause = { t: 'state', status: 'active', seat: 1, view, ticks, graces } as never;
      hear({ kind: 'session', session: null as never, cause });
    },
    tell(frame: object) {
      hear({ kind: 'ticks', frame: { t: 'ticks', s: 's1', committed: 0, ...frame } as never });
    },
    pass(ms: number, mask: number) {
      for (let left = ms; left > 0; left -= 10) {
        now += 10;
        prediction.frame(mask);
      }
    },
  };
}

const sends = (sent: readonly ClientMessage[]) => sent.filter(({ t }) => t === 'in');

test('[P8] a game of any number of seats and ticks is predicted by its own rules', () => {
  const race = openRace(20);
  race.state({ ticks: 0, at: [0, 0, 0] });
  race.pass(500, 2);
  expect(race.prediction.frame(2)).toEqual({ ticks: 10, at: [0, 20, 0] });
  race.tell({ from: 0, inputs: [[1, 2, 0, 4]], hash: '4,8,0' });
  expect(race.prediction.confirmed).toEqual({ ticks: 4, at: [4, 8, 0] });
  // Seat 0 continues with its last known input.
  expect(race.prediction.frame(2)).toEqual({ ticks: 10, at: [10, 20, 0] });
  expect(race.prediction.stats).toMatchObject({ rollbacks: 1, resyncs: 0 });
});

test.each([10, 20, 30, 60, 120])(
  '[P9] with %i ticks a second masks go out 10 to 20 times a second',
  (ticksPerSecond) => {
    const race = openRace(ticksPerSecond);
    race.state({ ticks: 0, at: [0, 0, 0] });
    for (let n = 0; n < 20; n += 1) {
      race.pass(50, n % 2);
      const { ticks } = race.prediction.confirmed!;
      const due = race.prediction.frame(n % 2)!.ticks - ticks;
      if (due > 0) race.tell({ from: ticks, inputs: [[0, 0, 0, due]] });
    }
    const count = sends(race.sent).length;
    expect(count).toBeGreaterThanOrEqual(Math.min(10, ticksPerSecond) - 1);
    expect(count).toBeLessThanOrEqual(20);
  },
);
