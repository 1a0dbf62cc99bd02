/**
 * The events that were left in the log: of a session with many events behind a failed one only a few are held in
 * memory, and one row stands for all.
 */

import {
  enqueue,
  type Left,
  OUTSTANDING_MAX,
  type OutboxState,
  type Queue,
} from './outbox-state.ts';
import {
  makeParcel,
  type Outstanding,
  queueOf,
  type Sendable,
  toOutstanding,
  toRest,
} from './parcel.ts';

/** Events of one session that are held behind one that failed. */
const HELD_MAX = 8;
/** Events of one session that are taken at once of those that were left in the log. */
const TAKEN_MAX = 64;

/** Does the session have as many events as are held while its first one may take long? */
export function isLong<E extends Sendable>({
  parcels: [head, ...behind],
  left,
}: Queue<E>): boolean {
  if (head === undefined) return false;
  if (head.attempt > 0) return behind.length >= HELD_MAX;
  return left !== null && behind.length + 1 >= TAKEN_MAX;
}

/** From now on one row stands for the whole queue, and the cursor does not wait for it. */
export function leave<E extends Sendable>(state: OutboxState<E>, queue: Queue<E>): void {
  const [head, ...behind] = queue.parcels;
  for (const each of behind) {
    if (each.isStored) state.settled.push(each.seq);
    each.isStored = false;
  }
  const row = head!.isStored ? head!.seq : null;
  head!.isStored = false;
  const heldTo = queue.parcels.at(-1)!.seq;
  queue.left = { row, hasChanged: true, heldTo, seenTo: heldTo, last: head! };
  const own = new Set(queue.parcels);
  state.fresh = state.fresh.filter((each) => !own.has(each));
  trim(state, queue);
}

/** Leaves the events in the log that are more than may be held behind a failure. */
export function trim<E extends Sendable>(state: OutboxState<E>, { parcels, left }: Queue<E>): void {
  const over = parcels.length - HELD_MAX - 1;
  if (over <= 0) return;
  left!.seenTo = Math.max(left!.seenTo, parcels.at(-1)!.seq);
  parcels.length -= over;
  state.size -= over;
  left!.heldTo = parcels.at(-1)!.seq;
}

/** Are some of its events in the log alone? */
export function isLeft({ heldTo, seenTo }: Left): boolean {
  return heldTo < seenTo;
}

/** Should left events be read? At the latest when the queue is empty, even if the outbox is full. */
function isShort<E extends Sendable>(
  { size }: OutboxState<E>,
  { parcels, left }: Queue<E>,
): boolean {
  if (left === null || !isLeft(left)) return false;
  if (parcels.length === 0) return true;
  return size < OUTSTANDING_MAX && parcels[0]!.attempt === 0 && parcels.length < HELD_MAX;
}

export function leftFrom<E extends Sendable>(state: OutboxState<E>): number | null {
  let from: number | null = null;
  for (const queue of state.queues.values()) {
    if (isShort(state, queue))
      from = Math.min(from ?? Number.POSITIVE_INFINITY, queue.left!.heldTo);
  }
  return from;
}

export function addLeft<E extends Sendable>(
  state: OutboxState<E>,
  events: readonly E[],
  from: number,
  upTo: number,
): void {
  const taking = new Map(
    [...state.queues].filter(([, queue]) => isShort(state, queue) && from <= queue.left!.heldTo),
  );
  for (const event of events) {
    const key = queueOf(event);
    const queue = taking.get(key);
    if (queue === undefined) continue;
    const { parcels } = queue;
    const left = queue.left!;
    if (event.seq <= left.heldTo || event.seq > left.seenTo) continue;
    const isOver = parcels.length >= TAKEN_MAX || state.size >= OUTSTANDING_MAX;
    // An empty queue gets one in any case, or its session would wait without limit.
    if (isOver && parcels.length > 0) taking.delete(key);
    else {
      if (parcels.length === 0) left.hasChanged = true;
      enqueue(state, queue, makeParcel(event, event));
      left.heldTo = event.seq;
    }
  }
  for (const { left } of taking.values()) {
    left!.heldTo = Math.max(left!.heldTo, Math.min(upTo, left!.seenTo));
  }
}

/** The outdated rows of sessions with left events; afterwards they count as stored. */
export function takeLeftRows<E extends Sendable>(state: OutboxState<E>): readonly Outstanding[] {
  const rows: Outstanding[] = [];
  for (const [key, { parcels, left }] of state.queues) {
    if (left === null) continue;
    const [head] = parcels;
    // All of it is done, and nothing of it would be read from the log again after a crash.
    const isOver = head === undefined && !isLeft(left) && left.last.seq <= state.passed;
    if (!isOver && !left.hasChanged) continue;
    const row = head === undefined ? toRest(left.last) : toOutstanding(head, 'event_and_rest');
    if (left.row !== null && (isOver || left.row !== row.seq)) state.settled.push(left.row);
    left.row = row.seq;
    left.hasChanged = false;
    if (isOver) state.queues.delete(key);
    else rows.push(row);
  }
  return rows;
}
