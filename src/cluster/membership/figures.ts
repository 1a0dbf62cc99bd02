/** A node's metrics about the cluster. */

import type { LinkFigures } from '../links/links.ts';

export interface ClusterFigures extends LinkFigures {
  /** Nodes whose lease is valid, this one among them while its own is. */
  readonly nodes: number;
  /** Does this node hold its lease? */
  readonly isHeld: boolean;
}
