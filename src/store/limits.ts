/** The port to limits that all nodes share (rule H6): counted in rows, granted in chunks. */

/** A plan's window. The key and the end identify its count. */
export interface TokenWindow {
  /** E.g. `ten_a:live`. */
  readonly key: string;
  /** When it ends, ms since 1970: the same on every node. */
  readonly endsAt: number;
}

export interface TokenAsk extends TokenWindow {
  /** Tokens in the window, over all nodes. */
  readonly limit: number;
  readonly wanted: number;
  /**
   * The largest share of the rest that one call gets, e.g. 8 for an eighth; at least one token if
   * one is left.
   */
  readonly part: number;
}

export interface TokenGrant {
  readonly granted: number;
  /** What is left for all nodes afterwards. */
  readonly left: number;
}

export interface PlaceAsk {
  /** E.g. `sockets:ten_a:live`. */
  readonly key: string;
  readonly node: string;
  /** The limit over all nodes. */
  readonly max: number;
  /** How many of the node's slots are in use. It keeps these whatever other nodes have. */
  readonly taken: number;
  /** How many it wants in all. */
  readonly wanted: number;
}

export interface LimitStore {
  /**
   * Takes tokens from a window. If the result of a call is unknown, its tokens are lost and never
   * granted twice.
   */
  takeTokens(ask: TokenAsk): Promise<TokenGrant>;
  /** Returns unspent tokens. Must not be repeated for the same tokens. */
  returnTokens(window: TokenWindow, count: number): Promise<void>;
  /**
   * Sets a node's number of slots and returns it: `wanted`, or what live nodes leave of `max`. The
   * number is absolute, so a call may be repeated. Null, with nothing set, when the node's lease
   * has expired: its slots count for nobody.
   */
  holdPlaces(ask: PlaceAsk): Promise<number | null>;
  /**
   * Removes windows that ended before, and the slots and presence of nodes that have been gone for
   * long. Returns how many rows.
   */
  removeLeftovers(endedBefore: number): Promise<number>;
}

/** How much of a request is granted when that much is used: one formula for every store. */
export function grantOf(
  { limit, wanted, part }: Omit<TokenAsk, keyof TokenWindow>,
  used: number,
): number {
  const left = Math.max(0, limit - used);
  return Math.min(left, wanted, Math.max(1, Math.floor(left / part)));
}
