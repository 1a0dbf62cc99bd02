/** What is counted of a node among others, for metrics. */

export interface ClusterFigures {
  /** Nodes whose lease is valid, this one among them while its own is. */
  readonly nodes: number;
  /** Does this node hold its lease? */
  readonly isHeld: boolean;
  /** Is it connected to the bus? Null where none is configured, for good. */
  readonly isBusUp: boolean | null;
  /** Links to other nodes that broke, since the start. */
  readonly linksLost: number;
  /** Texts that went to other nodes through the store, since the start. */
  readonly mailTexts: number;
}
