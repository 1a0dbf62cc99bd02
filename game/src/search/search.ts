/**
 * Monte-Carlo tree search of any game that lists its actions. One iteration plays the game from the
 * question's state: through the tree, where the acting seat chooses by the results of earlier
 * visits, then at random to the end. Each seat maximizes its own reward (max^n).
 *
 * - Chance: the tree is keyed by actions only, and every iteration draws again (open loop, D. Perez
 * et al. 2015).
 * - Hidden information: every iteration imagines the state again, and each seat has its own tree,
 * whose nodes are what that seat sees (information set search with many observers, P. I. Cowling et
 * al. 2012).
 * - Simultaneous actions: the seats act one after another, and none sees the others' actions. Some
 * choices are drawn by visits instead of the bound (Smooth UCT, J. Heinrich and D. Silver 2015), so
 * that the visits approach a mixed equilibrium instead of circling around it.
 */

import type { AnyGame, Json, Seat } from '../game.ts';
import { isRefusal } from '../game.ts';
import type { CountedRandom } from '../random.ts';
import type { Rewards } from './rewards.ts';
import { EVEN, rewardsOf } from './rewards.ts';
import type { Branch, Edge, Node } from './tree.ts';
import { drawByVisits, edgesOf, makeNode, selectEdge } from './tree.ts';

/** What to search, and how far. */
export interface Search {
  readonly game: AnyGame;
  /** With hidden information only `imagine` reads it. */
  readonly state: Json;
  /** The seat that is to act. */
  readonly seat: Seat;
  readonly random: CountedRandom;
  /** The budget: one for each call of `apply`, and one for each iteration. */
  readonly positionsMax: number;
  /** An iteration ends after this many actions. */
  readonly pliesMax: number;
  /** The rewards of a state in which an iteration ends early; equal by default. */
  readonly worth?: ((state: Json) => Rewards) | undefined;
}

/** The result of a search. */
export interface Found {
  /** The decision of the question. */
  readonly root: Node;
  readonly iterations: number;
  readonly positions: number;
}

/** The part of a search that persists. */
interface Growth extends Search {
  readonly root: Node;
  /** One tree for all seats, or one for each. */
  readonly isShared: boolean;
  /** The first branch of each tree. */
  readonly roots: Branch[];
  positions: number;
}

/** One playthrough. */
interface Iteration {
  state: Json;
  /** True while every iteration that takes the same edges reaches the same state. */
  isCertain: boolean;
  plies: number;
  readonly steps: Step[];
  /** By tree: the current branch. Null once its last edge was new, undefined before the first. */
  readonly branches: (Branch | null | undefined)[];
}

interface Step {
  readonly seat: Seat;
  readonly node: Node;
  readonly edge: Edge;
}

/** Whether no seat knows more than another, and seats act alone. Then all share one tree. */
export function isOpen({ openInformation, acting }: AnyGame): boolean {
  return openInformation && acting === undefined;
}

/** Searches until the budget is spent or the outcome is proven. Throws if the game refuses a legal action. */
export function search(asked: Search): Found {
  const root = makeNode();
  const growth: Growth = { ...asked, root, isShared: isOpen(asked.game), roots: [], positions: 0 };
  let iterations = 0;
  let isProven = false;
  while (!isProven && growth.positions < growth.positionsMax) {
    const iteration = begin(growth);
    const rewards = play(growth, iteration);
    if (rewards === undefined) break;
    iterations += 1;
    isProven = backUp(iteration, rewards);
  }
  return { root, iterations, positions: growth.positions };
}

function begin(growth: Growth): Iteration {
  const { game, seat, random, isShared } = growth;
  growth.positions += 1;
  const state = isShared
    ? growth.state
    : (game.imagine?.(growth.state, seat, random) ?? growth.state);
  return { state, isCertain: isShared, plies: 0, steps: [], branches: [] };
}

/** Plays to an end. Null if the end is unknown, undefined if the budget is spent. */
function play(growth: Growth, iteration: Iteration): Rewards | null | undefined {
  for (;;) {
    const seat = seatToAct(growth, iteration);
    if (seat === null) return rewardsAtEnd(growth.game, iteration);
    if (iteration.plies >= growth.pliesMax) return growth.worth?.(iteration.state) ?? null;
    const branch = branchOf(growth, iteration, seat);
    const edge = branch === null ? null : descend(growth, iteration, seat, branch);
    if (edge !== null && edge.proven !== null) return edge.proven;
    const action = edge === null ? drawAction(growth, iteration.state, seat) : edge.action;
    // The game continues, but the seat has nothing to do: the result is unknown.
    if (action === undefined) return null;
    if (!advance(growth, iteration, seat, action, edge)) return undefined;
  }
}

/** The asking seat, then the lowest: a fixed order, because a view may show which seats have acted. */
function seatToAct({ game, seat }: Growth, { state, plies }: Iteration): Seat | null {
  if (plies === 0) return seat;
  if (game.acting === undefined) return game.turn(state);
  const acting = game.acting(state);
  return acting.length === 0 ? null : Math.min(...acting);
}

function rewardsAtEnd(game: AnyGame, { state, steps, isCertain }: Iteration): Rewards | null {
  const outcome = game.outcome(state);
  if (outcome === null) return null;
  const rewards = rewardsOf(outcome);
  if (isCertain) steps.at(-1)!.edge.proven = rewards;
  return rewards;
}

/** The seat's current branch; null beyond its tree. */
function branchOf({ isShared, roots }: Growth, { branches }: Iteration, seat: Seat): Branch | null {
  const tree = isShared ? 0 : seat;
  const branch = branches[tree];
  if (branch !== undefined) return branch;
  roots[tree] ??= new Map();
  return roots[tree];
}

/** Chooses an edge at the seat's node. Null if there is none. */
function descend(growth: Growth, iteration: Iteration, seat: Seat, branch: Branch): Edge | null {
  const { game, random, isShared } = growth;
  const { state, isCertain } = iteration;
  const node = nodeOf(growth, iteration, seat, branch);
  const edges = node.fixed ?? edgesOf(node, game.legalActions(state, seat) ?? [], isCertain);
  if (edges.length === 0) return null;
  for (const edge of edges) edge.available += 1;
  const choice = { seat, edges, random };
  const isDrawn = !isShared && random.integer(PARTS) >= boundParts(node.visits);
  const edge = (isDrawn ? drawByVisits(choice) : null) ?? selectEdge(choice);
  iteration.steps.push({ seat, node, edge });
  if (edge.visits > 0) edge.branch ??= new Map();
  iteration.branches[isShared ? 0 : seat] = edge.branch;
  return edge;
}

/** In the shared tree, chance may let another seat act after the same actions. */
function nodeOf(
  { game, root, isShared }: Growth,
  { state, plies }: Iteration,
  seat: Seat,
  branch: Branch,
): Node {
  if (plies === 0) return root;
  const key = isShared ? `${seat}` : JSON.stringify(game.view(state, seat));
  const known = branch.get(key);
  if (known !== undefined) return known;
  const node = makeNode();
  branch.set(key, node);
  return node;
}

const PARTS = 1_000;
/** Of `PARTS` choices, how many use the bound: many at first, and fewer with the square root of the visits. */
const BOUND_PARTS = { first: 900, least: 100 } as const;
const BOUND_FALL = 0.01;

function boundParts(visits: number): number {
  const { first, least } = BOUND_PARTS;
  return Math.max(least, first / (1 + BOUND_FALL * Math.sqrt(visits)));
}

function drawAction({ game, random }: Growth, state: Json, seat: Seat): Json | undefined {
  const legal = game.legalActions(state, seat) ?? [];
  return legal.length === 0 ? undefined : legal[random.integer(legal.length)];
}

/** Moves on to the next state; false when the budget is spent. */
function advance(
  growth: Growth,
  iteration: Iteration,
  seat: Seat,
  action: Json,
  edge: Edge | null,
): boolean {
  const { game, random, positionsMax } = growth;
  iteration.plies += 1;
  if (iteration.isCertain && edge?.after !== undefined) {
    iteration.state = edge.after;
    return true;
  }
  if (growth.positions >= positionsMax) return false;
  growth.positions += 1;
  const drawn = random.drawn();
  const applied = game.apply(iteration.state, seat, action, random);
  if (isRefusal(applied)) {
    throw new Error(`${game.id} refuses the legal ${JSON.stringify(action)}: ${applied.error}`);
  }
  iteration.state = applied.state;
  // Beyond the tree the same edges may lead to different states.
  iteration.isCertain &&= edge !== null && random.drawn() === drawn;
  if (iteration.isCertain) edge!.after = applied.state;
  return true;
}

/** Updates every edge on the way; true if that proves the root's outcome. */
function backUp({ steps, isCertain }: Iteration, rewards: Rewards | null): boolean {
  for (const { seat, node, edge } of steps) {
    node.visits += 1;
    edge.visits += 1;
    edge.total += rewards?.[seat] ?? EVEN;
  }
  return isCertain && prove(steps);
}

/** Propagates a proven edge to the edge before it, if its seat cannot do better (M. Winands et al. 2008). */
function prove(steps: readonly Step[]): boolean {
  for (let at = steps.length - 1; at >= 0; at -= 1) {
    const { seat, node, edge } = steps[at]!;
    const proven = edge.proven?.[seat] === 1 ? edge.proven : bestProven(node, seat);
    if (proven === null) return false;
    if (at === 0) return true;
    steps[at - 1]!.edge.proven = proven;
  }
  return false;
}

/** The seat's best edge, if all are proven. */
function bestProven({ fixed }: Node, seat: Seat): Rewards | null {
  let best: Rewards | null = null;
  for (const { proven } of fixed ?? []) {
    if (proven === null) return null;
    if (best === null || proven[seat]! > best[seat]!) best = proven;
  }
  return best;
}
