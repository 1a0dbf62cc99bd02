/** The speed at which a player watches replays, kept for the next one. */

import type { Speed } from './film.ts';
import { SPEEDS } from './film.ts';

const STORED = 'matchd.replay.speed';

/** Third-party frames may be denied their storage: asking for it throws then. */
export function readSpeed(): Speed {
  try {
    const stored = Number(localStorage.getItem(STORED));
    return SPEEDS.find((each) => each === stored) ?? 1;
  } catch {
    return 1;
  }
}

export function keepSpeed(speed: Speed): void {
  try {
    localStorage.setItem(STORED, String(speed));
  } catch {
    // Forbidden storage: it holds until the replay is left.
  }
}
