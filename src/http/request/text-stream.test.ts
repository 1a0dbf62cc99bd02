/** Text streams: how they wait, and that they leave nothing behind. */

import { expect, test } from 'bun:test';
import { makeManualClock } from '../../testing/manual-clock.ts';
import { makeTextStream } from './text-stream.ts';

test('[E2] a wait that is over at once leaves no timer behind', async () => {
  const clock = makeManualClock();
  const texts = ['', '', '', 'a'];
  const timers: (number | null)[] = [];
  const stream = makeTextStream(clock, {
    first: 'first',
    heartbeat: 'heartbeat',
    async next() {
      timers.push(clock.nextAt());
      return texts.shift() ?? null;
    },
    wait(wake) {
      wake();
      return () => {};
    },
    opened: () => {},
    closed: () => {},
  });
  expect(await new Response(stream).text()).toBe('firsta');
  expect([...timers, clock.nextAt()]).toEqual([null, null, null, null, null, null]);
});
