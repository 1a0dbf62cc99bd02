/** The tree of a search: what a seat has learned about its actions. */

import type { Json, Seat } from '../game.ts';
import type { Random } from '../random.ts';
import type { Rewards } from './rewards.ts';

/** One action at a node. */
export interface Edge {
  readonly action: Json;
  visits: number;
  /** Visits of the node in which the action was legal. */
  available: number;
  /** Sum of the rewards of the seat that chose it. */
  total: number;
  /** The nodes below it; null until the second visit. */
  branch: Branch | null;
  /** The state after it, if it does not depend on chance. */
  after: Json | undefined;
  /** The rewards under best play, if the rest of the game has been searched. */
  proven: Rewards | null;
}

/** A decision of one seat. */
export interface Node {
  visits: number;
  /** All edges, if every visit finds the same state; null otherwise. */
  fixed: readonly Edge[] | null;
  /** Edges by their action's JSON, if the legal actions differ from visit to visit. */
  readonly found: Map<string, Edge>;
}

/** Nodes by what the next seat sees of its decision. */
export type Branch = Map<string, Node>;

export function makeNode(): Node {
  return { visits: 0, fixed: null, found: new Map() };
}

function makeEdge(action: Json): Edge {
  return {
    action,
    visits: 0,
    available: 0,
    total: 0,
    branch: null,
    after: undefined,
    proven: null,
  };
}

/** The edges of the legal actions. `isFixed`: they are the same at every visit. */
export function edgesOf(node: Node, legal: readonly Json[], isFixed: boolean): readonly Edge[] {
  if (isFixed) {
    node.fixed = legal.map(makeEdge);
    return node.fixed;
  }
  return legal.map((action) => {
    const key = JSON.stringify(action);
    const known = node.found.get(key);
    if (known !== undefined) return known;
    const edge = makeEdge(action);
    node.found.set(key, edge);
    return edge;
  });
}

/** Every edge that a visit has found. */
export function allEdges({ fixed, found }: Node): readonly Edge[] {
  return fixed ?? [...found.values()];
}

/** The seat has to choose among these edges. */
export interface Choice {
  readonly seat: Seat;
  readonly edges: readonly Edge[];
  readonly random: Random;
}

/** Weight of the bound's second term: the best of 0.3 to 1.4 in games of connect four. */
const EXPLORATION = 0.5;

/** An edge without a visit, else the edge with the highest upper confidence bound (UCB1). */
export function selectEdge({ seat, edges, random }: Choice): Edge {
  let untried = 0;
  let fresh: Edge | null = null;
  let best = edges[0]!;
  let highest = -1;
  for (const edge of edges) {
    if (edge.visits === 0) {
      untried += 1;
      if (random.integer(untried) === 0) fresh = edge;
    } else if (fresh === null) {
      const bound = edge.proven === null ? boundOf(edge) : edge.proven[seat]!;
      if (bound > highest) [best, highest] = [edge, bound];
    }
  }
  return fresh ?? best;
}

/** P. Auer et al. (2002), with `available` in place of the node's visits (P. I. Cowling et al., 2012). */
function boundOf({ total, visits, available }: Edge): number {
  return total / visits + EXPLORATION * Math.sqrt(approximateLog(available) / visits);
}

/**
 * The natural logarithm of a whole number from 1 to 2^31 - 1, or up to 0.06 less: straight lines
 * between the powers of two. `Math.log` differs between engines in its last bit, which could change
 * the choice.
 */
export function approximateLog(n: number): number {
  const power = 31 - Math.clz32(n);
  return Math.LN2 * (power + n / (1 << power) - 1);
}

/** A random edge, in proportion to visits. Null if no edge has any. */
export function drawByVisits({ edges, random }: Choice): Edge | null {
  let left = 0;
  for (const { visits } of edges) left += visits;
  if (left === 0) return null;
  left = random.integer(left);
  for (const edge of edges) {
    left -= edge.visits;
    if (left < 0) return edge;
  }
  return null;
}

/** The edge to play: a proven win, otherwise the most visited one that is not a proven loss. */
export function bestEdge(edges: readonly Edge[], seat: Seat): Edge {
  return edges.reduce((best, edge) => {
    const [one, other] = [standing(best, seat), standing(edge, seat)];
    if (one !== other) return other > one ? edge : best;
    if (edge.visits !== best.visits) return edge.visits > best.visits ? edge : best;
    return edge.total > best.total ? edge : best;
  });
}

/** 1 for a proven win, -1 for a proven loss, otherwise 0. */
function standing({ proven }: Edge, seat: Seat): number {
  const reward = proven?.[seat];
  return reward === 1 ? 1 : reward === 0 ? -1 : 0;
}
