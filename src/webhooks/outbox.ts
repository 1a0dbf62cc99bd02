/**
 * What one webhook still has to be sent, in memory: the order within a session, what may be sent
 * now, and what has to be on disk before the webhook's position in the log may advance.
 *
 * A successful event never needs a row of its own: the position in the log passes it. A failed one
 * gets a row, and so do those of its session that wait behind it; only then does the position move
 * past them. So after a crash every undelivered event is found again, as a row or after the
 * position in the log.
 *
 * Of a session with many events behind a failed one only a few are held: the others are left in the
 * log, and read again when their turn comes. Such a session has one row, which also stands for all
 * later events of that session, until the position in the log has passed them all.
 */

import { addLeft, isLeft, isLong, leave, leftFrom, trim } from './left-events.ts';
import { type Progress, takeProgress } from './outbox-progress.ts';
import {
  enqueue,
  ensureQueue,
  OUTSTANDING_MAX,
  type OutboxState,
  touch,
  WINDOW,
} from './outbox-state.ts';
import {
  makeParcel,
  type Outstanding,
  type Parcel,
  queueOf,
  restoreParcel,
  type Sendable,
} from './parcel.ts';

export interface Outbox<E extends Sendable> {
  /** The next events of the log up to `readTo`, those that are wanted. */
  add(events: readonly E[], readTo: number): void;
  /**
   * What may be sent now; it counts as being sent from then on. Of those that have not failed yet,
   * and every so often of those that have, so that neither waits for the other for good; sessions
   * take turns.
   */
  take(now: number): Parcel<E> | null;
  /** When the next one is due; null when nothing waits for a time. */
  nextAt(): number | null;
  /** Delivered, or given up. */
  settle(parcel: Parcel<E>): void;
  /**
   * Failed: again at `nextAt`, or as it was planned if it had been brought forward; in no case before
   * `notBefore`.
   */
  retry(parcel: Parcel<E>, nextAt: number, now: number, notBefore?: number): void;
  /** Was not tried after all: again at `nextAt`, and it does not count. */
  putBack(parcel: Parcel<E>, nextAt: number): void;
  /** The endpoint is back: what waits for a later time is due now. */
  hurry(now: number): void;
  /** Failed events rest until then, even if they are due; all others continue. */
  restRetries(until: number): void;
  /** What is to be stored now, which then counts as stored. Null when there is nothing. */
  progress(): Progress | null;
  /** Nothing more is sent: unsent events are stored, so that nothing after them is sent again. */
  end(): void;
  /** How many more events may be added. */
  room(): number;
  /**
   * The position after which the log has to be read again, for events that were left in it; null:
   * none.
   */
  leftFrom(): number | null;
  /** All wanted events of the log after `from` and up to `upTo`: takes those that were left. */
  addLeft(events: readonly E[], from: number, upTo: number): void;
  /** Up to where the log was read. */
  readTo(): number;
  /** How many are not delivered, those under way with them. */
  size(): number;
  /** The oldest of them in the log; null when there is none. */
  oldest(): Sendable | null;
  /** Nothing more is read before something is settled. */
  isFull(): boolean;
}

/** What failed when it was brought forward is not again for so long; doubles with each time. Ms. */
const EARLY_MS = 10 * 60_000;
const EARLY_DOUBLINGS_MAX = 9;
/** Events that may go before one that has failed and is due. */
const FIRSTS_MAX = 7;

/**
 * `stored` in the order of the log. Rows that stand for a rest may lie after `cursor`, all others may
 * not.
 */
export function makeOutbox<E extends Sendable>(
  cursor: number,
  stored: readonly Outstanding[],
): Outbox<E> {
  const state: OutboxState<E> = {
    queues: new Map(),
    fresh: [],
    changed: [],
    settled: [],
    doneBehindFailures: 0,
    firstsInRow: 0,
    retriesFrom: 0,
    size: 0,
    passed: cursor,
    storedCursor: cursor,
    isEnding: false,
    readTo: cursor,
  };
  for (const row of stored) restore(state, row);
  return {
    add: (events, upTo) => add(state, events, upTo),
    take: (now) => take(state, now),
    nextAt: () => nextAt(state),
    settle: (parcel) => settle(state, parcel),
    retry: (parcel, at, now, notBefore = 0) => retry(state, parcel, { at, now, notBefore }),
    putBack(parcel, at) {
      parcel.isSending = false;
      parcel.nextAt = at;
    },
    hurry: (now) => hurry(state, now),
    restRetries(until) {
      state.retriesFrom = until;
    },
    end() {
      state.isEnding = true;
    },
    progress: () => takeProgress(state),
    room: () => Math.max(0, Math.min(WINDOW - state.fresh.length, OUTSTANDING_MAX - state.size)),
    leftFrom: () => leftFrom(state),
    addLeft: (events, from, upTo) => addLeft(state, events, from, upTo),
    readTo: () => state.readTo,
    size: () => state.size,
    oldest: () => oldest(state),
    isFull: () => state.size >= OUTSTANDING_MAX,
  };
}

function oldest<E extends Sendable>({ queues }: OutboxState<E>): Sendable | null {
  let first: Sendable | null = null;
  for (const { parcels } of queues.values()) {
    const [head] = parcels;
    if (head !== undefined && (first === null || head.seq < first.seq)) first = head;
  }
  return first;
}

function restore<E extends Sendable>(state: OutboxState<E>, row: Outstanding): void {
  const { seq, standsFor } = row;
  const queue = ensureQueue(state, row);
  if (standsFor !== 'event') {
    queue.left = { row: seq, hasChanged: false, heldTo: seq, seenTo: state.readTo, last: row };
  }
  if (standsFor !== 'rest') enqueue(state, queue, restoreParcel<E>(row));
}

function add<E extends Sendable>(state: OutboxState<E>, events: readonly E[], upTo: number): void {
  for (const event of events) {
    const queue = ensureQueue(state, event);
    if (queue.left === null && isLong(queue)) leave(state, queue);
    const { left } = queue;
    if (left !== null) {
      if (event.seq <= left.heldTo) continue;
      const isBehind = isLeft(left); // Left events come first.
      left.seenTo = event.seq;
      if (isBehind || isLong(queue)) continue;
      left.heldTo = event.seq;
    }
    const parcel = makeParcel(event, event);
    enqueue(state, queue, parcel);
    if (left === null) state.fresh.push(parcel);
  }
  state.readTo = upTo;
}

function take<E extends Sendable>(state: OutboxState<E>, now: number): Parcel<E> | null {
  let first: Parcel<E> | null = null;
  let retry: Parcel<E> | null = null;
  for (const head of sendable(state)) {
    if (dueAt(state, head) > now) continue;
    if (head.attempt === 0) first ??= head;
    else retry ??= head;
    if (first !== null && retry !== null) break;
  }
  const isFirst = first !== null && (retry === null || state.firstsInRow < FIRSTS_MAX);
  state.firstsInRow = isFirst && retry !== null ? state.firstsInRow + 1 : 0;
  const next = isFirst ? first : retry;
  if (next === null) return null;
  next.isSending = true;
  // To the end: another session's turn comes first.
  const key = queueOf(next);
  const queue = state.queues.get(key)!;
  state.queues.delete(key);
  state.queues.set(key, queue);
  return next;
}

function nextAt<E extends Sendable>(state: OutboxState<E>): number | null {
  let next: number | null = null;
  for (const head of sendable(state)) {
    const at = dueAt(state, head);
    if (next === null || at < next) next = at;
  }
  return next;
}

/** The first of each session. */
function* headsOf<E extends Sendable>({ queues }: OutboxState<E>): Generator<Parcel<E>> {
  for (const { parcels } of queues.values()) {
    const [head] = parcels;
    if (head !== undefined) yield head;
  }
}

/** Those that are not under way, and of which a crash would not repeat too many. */
function* sendable<E extends Sendable>(state: OutboxState<E>): Generator<Parcel<E>> {
  for (const { parcels, left } of state.queues.values()) {
    const [head] = parcels;
    if (head === undefined || head.isSending) continue;
    if (left === null || state.doneBehindFailures < WINDOW) yield head;
  }
}

function dueAt<E extends Sendable>({ retriesFrom }: OutboxState<E>, parcel: Parcel<E>): number {
  return parcel.attempt === 0 ? parcel.nextAt : Math.max(parcel.nextAt, retriesFrom);
}

function settle<E extends Sendable>(state: OutboxState<E>, parcel: Parcel<E>): void {
  const key = queueOf(parcel);
  const { parcels, left } = state.queues.get(key)!;
  parcels.shift();
  state.size -= 1;
  parcel.isSettled = true;
  parcel.isSending = false;
  if (parcel.isStored) state.settled.push(parcel.seq);
  if (left !== null) {
    left.last = parcel;
    state.doneBehindFailures += 1;
    left.hasChanged = true;
  } else if (parcels.length === 0) state.queues.delete(key);
}

function retry<E extends Sendable>(
  state: OutboxState<E>,
  parcel: Parcel<E>,
  { at, now, notBefore }: { readonly at: number; readonly now: number; readonly notBefore: number },
): void {
  const isEarly = parcel.plannedAt !== null && parcel.plannedAt > now;
  if (!isEarly) parcel.attempt += 1;
  else {
    parcel.notEarlierThan = now + EARLY_MS * 2 ** Math.min(parcel.early, EARLY_DOUBLINGS_MAX);
    parcel.early += 1;
  }
  parcel.notEarlierThan = Math.max(parcel.notEarlierThan, notBefore);
  parcel.isAsked = notBefore > now;
  parcel.nextAt = Math.max(isEarly ? parcel.plannedAt! : at, notBefore);
  parcel.plannedAt = null;
  parcel.isSending = false;
  parcel.event = null; // It may be long until then: it stays in the log.
  const queue = state.queues.get(queueOf(parcel))!;
  if (queue.left === null && isLong(queue)) leave(state, queue);
  else if (queue.left === null) touch(state, parcel);
  else {
    queue.left.hasChanged = true;
    trim(state, queue);
  }
}

function hurry<E extends Sendable>(state: OutboxState<E>, now: number): void {
  for (const head of headsOf(state)) {
    if (head.isSending || head.nextAt <= now) continue;
    const at = Math.max(now, head.notEarlierThan);
    if (at >= head.nextAt) continue;
    head.plannedAt ??= head.nextAt;
    head.nextAt = at;
  }
}
