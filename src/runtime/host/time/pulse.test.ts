/** Which stalls are lost time: a client must not be able to cause any. */

import { expect, test } from 'bun:test';
import { makeManualClock } from '../../../testing/manual-clock.ts';
import { BUSY_LOST_MS_MAX, makePulse } from './pulse.ts';

const BUSY_MS = 2_000;

function makeWorld() {
  const clock = makeManualClock();
  const lost: number[] = [];
  const charged: number[] = [];
  let busyMs = 0;
  const pulse = makePulse({
    clock,
    busyMs: () => busyMs,
    onStall: (from, to) => void lost.push(to - from),
    onCharged: (from, to) => void charged.push(to - from),
  });
  pulse.start();
  return {
    clock,
    pulse,
    lost,
    charged,
    /** No timer fires for this long, while the process uses the processor for `share` of it. */
    standStill(ms: number, share: number) {
      clock.skip(ms);
      busyMs += ms * share;
      pulse.check(clock.now());
      clock.advance(250);
    },
  };
}

test('[P6] of stalls at work 10 s an hour are lost time, and no more', () => {
  const { clock, lost, charged, standStill } = makeWorld();
  for (let n = 0; n < 20; n++) standStill(BUSY_MS, 1);
  expect(lost).toEqual(Array(BUSY_LOST_MS_MAX / BUSY_MS).fill(BUSY_MS));
  expect(charged).toHaveLength(15);
  clock.advance(3_600_000);
  standStill(BUSY_MS, 1);
  expect(lost).toHaveLength(BUSY_LOST_MS_MAX / BUSY_MS + 1);
});

test("[P6] a stall longer than the rest of the hour's allowance is not lost time", () => {
  const { lost, charged, standStill } = makeWorld();
  standStill(BUSY_LOST_MS_MAX + 1, 1);
  expect([lost, charged]).toEqual([[], [BUSY_LOST_MS_MAX + 1]]);
});

test('[P6] a process that was stopped or suspended has lost all of that time, however often', () => {
  const { lost, charged, standStill } = makeWorld();
  // It may have been at work for the beat before.
  for (let n = 0; n < 50; n++) standStill(60_000, 0.004);
  expect([lost.length, charged.length]).toEqual([50, 0]);
});

test('[P6] it reports until when the last stall at work was charged', () => {
  const { clock, pulse, standStill } = makeWorld();
  for (let n = 0; n < BUSY_LOST_MS_MAX / BUSY_MS; n++) standStill(BUSY_MS, 1);
  expect(pulse.chargedUntil()).toBe(0);
  const askedAt = clock.now();
  standStill(BUSY_MS, 1);
  expect(pulse.chargedUntil()).toBe(askedAt + BUSY_MS);
  clock.advance(5_000);
  expect(pulse.chargedUntil()).toBe(askedAt + BUSY_MS);
});
