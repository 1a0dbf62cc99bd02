/** A node's metrics about the cluster. */

export interface ClusterFigures {
  /** Nodes whose lease is valid, this one among them while its own is. */
  readonly nodes: number;
  /** Does this node hold its lease? */
  readonly isHeld: boolean;
  /** Is it connected to the bus? Null when none is configured. */
  readonly isBusUp: boolean | null;
  /** Links to other nodes that broke, since the start. */
  readonly linksLost: number;
  /** Texts that went to other nodes through the store, since the start. */
  readonly mailTexts: number;
}
