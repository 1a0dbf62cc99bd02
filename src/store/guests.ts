/** Guests: players whom the service makes up for training, kept as long as their sessions (rule R1). */

import { ID_ALPHABET, REST_DIGITS, TIME_DIGITS } from '../match/id-text.ts';

/** How their ids begin. A tenant may call a player so, too: in training sits none of those. */
export const GUEST_PREFIX = 'guest:';

/** All ids that begin so lie between the two. */
export const GUESTS_END = 'guest;';
/** How the service makes them: a name that a tenant thinks of has another shape. */
const MADE = new RegExp(`^${GUEST_PREFIX}[${ID_ALPHABET}]{${TIME_DIGITS + REST_DIGITS}}$`);

/** What came of a part of all guests. */
export interface GuestSweep {
  readonly removed: number;
  /** The last who was looked at; null when none comes after them. */
  readonly last: string | null;
}

export function isMadeGuestId(playerId: string): boolean {
  return MADE.test(playerId);
}

export function isGuestId(playerId: string): boolean {
  return playerId.startsWith(GUEST_PREFIX);
}
