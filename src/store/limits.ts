/** The port to limits that all nodes share (rule H6): counted in rows, taken from them in chunks. */

/** A window of a plan: with the key, its end names the count. */
export interface TokenWindow {
  /** E.g. `ten_a:live`. */
  readonly key: string;
  /** When it is over, ms since 1970: the same on every node. */
  readonly endsAt: number;
}

export interface TokenAsk extends TokenWindow {
  /** How many there are in the window, over all nodes. */
  readonly limit: number;
  readonly wanted: number;
  /** No more is given than this part of what is left, e.g. 8 for an eighth; but one, if one is left. */
  readonly part: number;
}

export interface TokenGrant {
  readonly granted: number;
  /** What is left for all nodes after it. */
  readonly left: number;
}

export interface PlaceAsk {
  /** E.g. `sockets:ten_a:live`. */
  readonly key: string;
  readonly node: string;
  /** How many there are, over all nodes. */
  readonly max: number;
  /** How many of the node's are taken: so many it keeps, whatever others have. */
  readonly taken: number;
  /** How many it wants to have in all. */
  readonly wanted: number;
}

export interface LimitStore {
  /** Takes tokens out of a window. Of a call whose fate is not known they are lost, never given twice. */
  takeTokens(ask: TokenAsk): Promise<TokenGrant>;
  /** Gives back what was not spent. Never to be called again for the same tokens. */
  returnTokens(window: TokenWindow, count: number): Promise<void>;
  /**
   * Sets how many places a node has, and answers the number: `wanted`, or what nodes that live leave of `max`.
   * The number is whole, not a change: a call may be repeated. Null, and nothing is set, when the node's lease is
   * over: its places count for nobody.
   */
  holdPlaces(ask: PlaceAsk): Promise<number | null>;
  /**
   * Removes windows that ended before, and the places and the presence of nodes that have been gone
   * for long; answers how many rows.
   */
  removeLeftovers(endedBefore: number): Promise<number>;
}

/** How much of what is asked for is given when so many are used: one formula for every store. */
export function grantOf(
  { limit, wanted, part }: Omit<TokenAsk, keyof TokenWindow>,
  used: number,
): number {
  const left = Math.max(0, limit - used);
  return Math.min(left, wanted, Math.max(1, Math.floor(left / part)));
}
