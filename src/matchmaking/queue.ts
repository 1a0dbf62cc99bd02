/**
 * Which players are seated together: the nearest rating first, in a range that widens with waiting
 * (S2).
 */

/** A pending session with open seats, as far as pairing looks at it. */
export interface WaitingSession {
  readonly session: string;
  /** Mean of the players who wait in it. */
  readonly rating: number;
  /** When the first of them came, ms since 1970. */
  readonly since: number;
  /** Open seats that are not reserved for anybody. */
  readonly free: number;
}

/** A newcomer: one player, or several to be seated together. */
export interface Party {
  readonly rating: number;
  readonly size: number;
}

/**
 * Points of rating within which a session accepts newcomers, at first and per second of waiting.
 */
const RANGE_FRESH = 100;
const RANGE_PER_S = 50;
/** After this time a waiting player accepts any rating. Milliseconds. */
const RANGE_OPEN_MS = 20_000;

/** How far from its own rating a session that has waited so long reaches. Never shrinks. */
export function ratingRange(waitedMs: number): number {
  if (waitedMs >= RANGE_OPEN_MS) return Number.POSITIVE_INFINITY;
  return RANGE_FRESH + (RANGE_PER_S * Math.max(0, waitedMs)) / 1_000;
}

/**
 * The session for a party; null when none has room for all of it. Sessions whose range reaches the
 * party come before others; among each, the nearest rating, then the longest wait. A session out of
 * range is better than none: two players who wait in sessions of their own can never be brought
 * together (decision 0010).
 */
export function chooseSession<T extends WaitingSession>(
  waiting: Iterable<T>,
  party: Party,
  now: number,
): T | null {
  let best: T | null = null;
  for (const each of waiting) {
    if (each.free < party.size) continue;
    if (best === null || comesBefore(each, best, party, now)) best = each;
  }
  return best;
}

function comesBefore(
  one: WaitingSession,
  other: WaitingSession,
  party: Party,
  now: number,
): boolean {
  const [reaches, otherReaches] = [reachesParty(one, party, now), reachesParty(other, party, now)];
  if (reaches !== otherReaches) return reaches;
  const nearer = distance(one, party) - distance(other, party);
  if (nearer !== 0) return nearer < 0;
  if (one.since !== other.since) return one.since < other.since;
  return one.session < other.session;
}

function reachesParty(waiting: WaitingSession, party: Party, now: number): boolean {
  return distance(waiting, party) <= ratingRange(now - waiting.since);
}

function distance(waiting: WaitingSession, party: Party): number {
  return Math.abs(waiting.rating - party.rating);
}
