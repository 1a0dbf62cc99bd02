/** When collected messages for other nodes are sent: at once under light load, in batches under heavy load. */

import type { Clock } from '../../runtime/ports.ts';

/**
 * A write to the bus costs more than its content, so the next one waits this long: a move that crosses twice is
 * delayed by twice this at most, and on a quiet node not at all. Ms.
 */
export const GATHER_MS = 2;

/** `atOnce` runs a callback as soon as pending events are handled: `setImmediate`. */
export function makeGathering(
  clock: Clock,
  atOnce: (act: () => void) => void,
): (act: () => void) => void {
  let sentAt = -Infinity;
  return (act) => {
    const send = (): void => {
      sentAt = clock.now();
      act();
    };
    const waitMs = sentAt + GATHER_MS - clock.now();
    if (waitMs > 0) clock.after(waitMs, send);
    else atOnce(send);
  };
}
