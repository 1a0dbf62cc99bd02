/** Guests: players whom the service makes up for training, kept as long as their sessions (rule R1). */

/** How their ids begin. A tenant may call a player so, too: in training sits none of those. */
export const GUEST_PREFIX = 'guest:';

export function isGuestId(playerId: string): boolean {
  return playerId.startsWith(GUEST_PREFIX);
}
