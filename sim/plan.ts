/** A seed's plan: a random subset of all features and faults (swarm testing), as plain data. */

import type { GameId } from '../game/src/game.ts';
import { type Chance, makeChance } from './kernel/chance.ts';

/** All faults; each may be removed, to find which ones a failure needs. */
const FAULTS = [
  /** Store: a call is lost, done without an answer, done after its error; slow; cut off. */
  'lost',
  'unanswered',
  'late',
  'slow',
  'cut',
  /** The store itself: unavailable for every node at once. */
  'away',
  /** Processes: killed and restarted, paused for a while, with wrong clocks, told to stop. */
  'crash',
  'pause',
  'skew',
  'drain',
  /** A node's clock is set forward or back while it runs. */
  'jumps',
  /** Clients: sockets that break, that break unnoticed, commands and requests sent twice. */
  'drops',
  'halfOpen',
  'twice',
  /** The receiver of webhooks answers badly or not at all. */
  'receiver',
  /** The bus between nodes: loses, repeats, delays, is down, is cut between two in one direction. */
  'busLoss',
  'busDown',
  'busCut',
] as const;
export type Fault = (typeof FAULTS)[number];

/** What clients and tenants do. */
const FEATURES = [
  'private',
  'rooms',
  'queue',
  'hosted',
  'webhooks',
  'ends',
  'gestures',
  'watchers',
  'limits',
  /**
   * Clients reuse an id for another command; request missed frames late, or by `hello`; both
   * players leave permanently.
   */
  'reuses',
  'lazy',
  'leavers',
  /** Seats that the service plays, and matches that run by the clock. */
  'bots',
  'ticks',
  /** Players who miss a turn, or nearly. */
  'dreamers',
] as const;
export type Feature = (typeof FEATURES)[number];

export interface Plan {
  readonly seed: string;
  readonly nodes: number;
  /** Several nodes share the store; with a single one it is part of the process. */
  readonly isCluster: boolean;
  readonly tenants: number;
  /** Matches that are created. */
  readonly matches: number;
  readonly games: readonly GameId[];
  readonly features: readonly Feature[];
  readonly faults: readonly Fault[];
  /** Faults and new matches stop after this time, ms. */
  readonly activeMs: number;
  /** Then everything has this long to settle, ms. */
  readonly quietMs: number;
  /** Time between two moves of a player, about; ms. */
  readonly paceMs: number;
}

/**
 * Mostly short ones: a match that begins, is taken over or ends shows more than its hundredth move.
 */
const GAMES: readonly GameId[] = [
  ...(['tictactoe', 'tictactoe', 'tictactoe', 'tictactoe'] as const),
  ...(['connect4', 'connect4', 'checkers', 'ludo', 'sealed-bids'] as const),
];
/** The numbers of nodes in a cluster. */
const NODES = [2, 2, 2, 3, 4];

export function makePlan(seed: string, isCluster: boolean): Plan {
  const chance = makeChance(`plan/${seed}`);
  const features = some(chance, FEATURES);
  const isPlaying = features.some((each) => each === 'private' || each === 'hosted');
  return {
    seed,
    nodes: isCluster ? chance.pick(NODES) : 1,
    isCluster,
    tenants: 1 + chance.below(2),
    // A cluster has enough to do by itself.
    matches: isCluster ? 1 + chance.below(4) : 3 + chance.below(12),
    games: [chance.pick(GAMES), chance.pick(GAMES)],
    features: isPlaying ? features : ['private', ...features],
    faults: chooseFaults(chance),
    activeMs: 40_000,
    quietMs: 45_000,
    paceMs: chance.pick([50, 200, 800]),
  };
}

/**
 * Faults that separate no node from the store or from the others: their possible effects are known
 * more closely.
 */
const CALM: ReadonlySet<Fault> = new Set<Fault>([
  ...(['crash', 'drain', 'drops', 'halfOpen', 'twice', 'receiver'] as const),
]);

export function isCalm({ faults }: Pick<Plan, 'faults'>): boolean {
  return faults.every((each) => CALM.has(each));
}

/** Client faults only: the service itself is never interrupted by them. */
export const CLIENT_FAULTS: ReadonlySet<Fault> = new Set<Fault>(['drops', 'halfOpen', 'twice']);

function chooseFaults(chance: Chance): Fault[] {
  if (chance.hit(0.05)) return [];
  const faults = some(chance, FAULTS);
  return chance.hit(0.1) ? faults.filter((each) => CALM.has(each)) : faults;
}

/** Each is chosen by a coin, so that runs differ in what they leave out. */
function some<T>(chance: Chance, all: readonly T[]): T[] {
  return all.filter(() => chance.hit(0.5));
}
