/** The event loop's delay: the wait of everything that this process serves. */

import type { Cancel, Clock } from '../ports.ts';
import type { Timing } from './timings.ts';

/** Ten samples a second have no measurable cost. */
const EVERY_MS = 100;

/** Measures until it is cancelled. */
export function watchLoopDelay(clock: Pick<Clock, 'after'>, delay: Timing): Cancel {
  let cancel: Cancel = () => {};
  const look = (): void => {
    const from = performance.now();
    cancel = clock.after(EVERY_MS, () => {
      delay.observe(Math.max(0, performance.now() - from - EVERY_MS) / 1_000);
      look();
    });
  };
  look();
  return () => cancel();
}
