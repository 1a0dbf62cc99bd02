/** What an outbox holds: the events of each session in order, and what is to be stored of them. */

import { type Parcel, queueOf, type Sendable } from './parcel.ts';

/**
 * Events read from the log and not passed yet: the most that a crash causes to be sent twice. The
 * same limit applies to left events.
 */
export const WINDOW = 128;
/** Events waiting behind failures. Past it the rest stays in the log, which is as durable. */
export const OUTSTANDING_MAX = 1_000;

/** A session's events in the order of the log; one of no session is alone in its queue. */
export interface Queue<E extends Sendable> {
  readonly parcels: Parcel<E>[];
  /** Null while each of its events is stored by itself. */
  left: Left | null;
}

/** One row stands for all of the queue, so none of its events is stored by itself. */
export interface Left {
  /** The position of that row as it is stored; null when it is not yet. */
  row: number | null;
  hasChanged: boolean;
  /** Its events up to here are in the queue, or done. */
  heldTo: number;
  /** Its events up to here have been seen in the log: those after `heldTo` are left there. */
  seenTo: number;
  /** The last that is done: has the row while the queue is empty. */
  last: Sendable;
}

export interface OutboxState<E extends Sendable> {
  readonly queues: Map<string, Queue<E>>;
  /** Read from the log and not passed by the cursor, in order. */
  fresh: Parcel<E>[];
  /** Stored events whose rows are outdated. */
  changed: Parcel<E>[];
  /** Positions of rows that are not needed any more. */
  settled: number[];
  /** Events done since progress was last stored, of sessions of which some were left. */
  doneBehindFailures: number;
  /** First tries since something that has failed was due and did not go. */
  firstsInRow: number;
  /** What has failed rests until then. */
  retriesFrom: number;
  /** Events in the queues. */
  size: number;
  /** The position that the cursor may have, and the one it was last stored with. */
  passed: number;
  storedCursor: number;
  /** Nothing more is sent: all that is unsent gets a row. */
  isEnding: boolean;
  /** Up to where the log was read. */
  readTo: number;
}

export function ensureQueue<E extends Sendable>(state: OutboxState<E>, of: Sendable): Queue<E> {
  const key = queueOf(of);
  const queue = state.queues.get(key) ?? { parcels: [], left: null };
  state.queues.set(key, queue);
  return queue;
}

export function enqueue<E extends Sendable>(
  state: OutboxState<E>,
  queue: Queue<E>,
  parcel: Parcel<E>,
): void {
  queue.parcels.push(parcel);
  state.size += 1;
}

/** Its row, if it has one, is stored again with the next progress. */
export function touch<E extends Sendable>(state: OutboxState<E>, parcel: Parcel<E>): void {
  if (!parcel.isStored || parcel.hasChanged) return;
  parcel.hasChanged = true;
  state.changed.push(parcel);
}
