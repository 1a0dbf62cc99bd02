/** The player's speed of replays, stored for the next one. */

import { readStored, store } from '../ui/device-storage.ts';
import type { Speed } from './film.ts';
import { SPEEDS } from './film.ts';

const STORED = 'matchd.replay.speed';

export function readSpeed(): Speed {
  const stored = Number(readStored(STORED));
  return SPEEDS.find((each) => each === stored) ?? 1;
}

export function storeSpeed(speed: Speed): void {
  store(STORED, String(speed));
}
