/** Ended tickets are stored for a week, and waiting ones without limit (rules R1, M6). */

import { expect, test } from 'bun:test';
import { T0 } from '../../store/contract/stage.ts';
import { makeManualClock } from '../../testing/manual-clock.ts';
import { sweepTickets } from '../sweeper.ts';

const DAY_MS = 86_400_000;

test('[R1] tickets are swept seven days after their end, in small steps', async () => {
  const asked: (readonly [number, number])[] = [];
  let left = 450;
  const store = {
    async removeTickets(endedBefore: number, limit: number) {
      asked.push([endedBefore, limit]);
      const count = Math.min(left, limit);
      left -= count;
      return count;
    },
  };
  expect(await sweepTickets(store, makeManualClock(T0 + 7 * DAY_MS))).toBe(450);
  expect(asked).toEqual([
    [T0, 200],
    [T0, 200],
    [T0, 200],
    [T0, 200],
  ]);
});
