/** Guests: players that the service creates for training, kept as long as their sessions (rule R1). */

import { ID_ALPHABET, REST_DIGITS, TIME_DIGITS } from '../match/id-text.ts';

/** The prefix of guest ids. A tenant may use it for its own players: they do not play in training. */
export const GUEST_PREFIX = 'guest:';

/** All ids with the prefix sort between the two. */
export const GUESTS_END = 'guest;';
/** The shape of an id that the service makes. Tenants' own ids have another shape. */
const MADE = new RegExp(`^${GUEST_PREFIX}[${ID_ALPHABET}]{${TIME_DIGITS + REST_DIGITS}}$`);

/** The result of one sweep step over all guests. */
export interface GuestSweep {
  readonly removed: number;
  /** The last guest examined; null when there are no more. */
  readonly last: string | null;
}

export function isMadeGuestId(playerId: string): boolean {
  return MADE.test(playerId);
}

export function isGuestId(playerId: string): boolean {
  return playerId.startsWith(GUEST_PREFIX);
}
