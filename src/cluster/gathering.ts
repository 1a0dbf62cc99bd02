/** When what has gathered for other nodes is sent: at once while little is, together while much is. */

import type { Clock } from '../runtime/ports.ts';

/**
 * A write to the bus costs more than what is in it. So there is none within so long of the one before
 * it: a move that crosses twice takes as much longer at most, and none does on a quiet node. Ms.
 */
export const GATHER_MS = 2;

/** `atOnce` does something as soon as what is at hand has been dealt with: `setImmediate`. */
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
