/** Ids as they were made in the past: they sort by their time. */

import { type MakeId, makeIds } from '../../runtime/ids.ts';
import type { Randomness } from '../../runtime/ports.ts';

/** `now` answers the time that the next id is of, ms since 1970. */
export function makeIdsAt(now: () => number, randomness: Randomness): MakeId {
  return makeIds({ now, after: () => () => {} }, randomness);
}
