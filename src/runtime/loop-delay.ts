/** How late the event loop is: what everybody waits for who is served by this process. */

import type { Cancel, Clock } from './ports.ts';
import type { Timing } from './timings.ts';

/** Ten looks a second cost nothing that can be measured. */
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
