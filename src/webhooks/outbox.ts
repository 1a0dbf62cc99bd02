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

import {
  makeParcel,
  type Outstanding,
  type Parcel,
  queueOf,
  type Sendable,
  toOutstanding,
  toRest,
} from './parcel.ts';

/** What changed since progress was last stored. */
export interface Progress {
  /** Everything up to here in the log is delivered, given up, or stored as outstanding. */
  readonly cursor: number;
  readonly changed: readonly Outstanding[];
  /** Positions of stored events that are not outstanding any more. */
  readonly settled: readonly number[];
}

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

/**
 * Events read from the log and not passed yet: the most that a crash causes to be sent twice. The
 * same limit applies to left events.
 */
const WINDOW = 128;
/** Events waiting behind failures. Past it the rest stays in the log, which is as durable. */
const OUTSTANDING_MAX = 1_000;
/** Events of one session that are held behind one that failed. */
const HELD_MAX = 8;
/** Events of one session that are taken at once of those that were left in the log. */
const TAKEN_MAX = 64;
/** What failed when it was brought forward is not again for so long; doubles with each time. Ms. */
const EARLY_MS = 10 * 60_000;
const EARLY_DOUBLINGS_MAX = 9;
/** Events that may go before one that has failed and is due. */
const FIRSTS_MAX = 7;

/** A session's events in the order of the log; one of no session is alone in its queue. */
interface Queue<E extends Sendable> {
  readonly parcels: Parcel<E>[];
  /** Null while each of its events is stored by itself. */
  left: Left | null;
}

/** One row stands for all of the queue, so none of its events is stored by itself. */
interface Left {
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

interface State<E extends Sendable> {
  readonly queues: Map<string, Queue<E>>;
  /** Read from the log and not passed by the cursor, in order. */
  fresh: Parcel<E>[];
  /** Stored events whose rows are outdated. */
  changed: Parcel<E>[];
  settled: number[];
  /** Events done since progress was last stored, of sessions of which some were left. */
  unkept: number;
  /** First tries since something that has failed was due and did not go. */
  firstsInRow: number;
  /** What has failed rests until then. */
  retriesFrom: number;
  size: number;
  passed: number;
  storedCursor: number;
  isEnding: boolean;
  readTo: number;
}

/**
 * `kept` in the order of the log. Rows that stand for a rest may lie after `cursor`, all others may
 * not.
 */
export function makeOutbox<E extends Sendable>(
  cursor: number,
  kept: readonly Outstanding[],
): Outbox<E> {
  const state: State<E> = {
    queues: new Map(),
    fresh: [],
    changed: [],
    settled: [],
    unkept: 0,
    firstsInRow: 0,
    retriesFrom: 0,
    size: 0,
    passed: cursor,
    storedCursor: cursor,
    isEnding: false,
    readTo: cursor,
  };
  for (const each of kept) takeUp(state, each);
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
    progress: () => progress(state),
    room: () => Math.max(0, Math.min(WINDOW - state.fresh.length, OUTSTANDING_MAX - state.size)),
    leftFrom: () => leftFrom(state),
    addLeft: (events, from, upTo) => addLeft(state, events, from, upTo),
    readTo: () => state.readTo,
    size: () => state.size,
    oldest: () => oldest(state),
    isFull: () => state.size >= OUTSTANDING_MAX,
  };
}

function oldest<E extends Sendable>({ queues }: State<E>): Sendable | null {
  let first: Sendable | null = null;
  for (const { parcels } of queues.values()) {
    const [head] = parcels;
    if (head !== undefined && (first === null || head.seq < first.seq)) first = head;
  }
  return first;
}

function takeUp<E extends Sendable>(state: State<E>, row: Outstanding): void {
  const { seq, standsFor, attempt, nextAt, notBefore } = row;
  const queue = ensureQueue(state, row);
  if (standsFor !== 'event') {
    queue.left = { row: seq, hasChanged: false, heldTo: seq, seenTo: state.readTo, last: row };
  }
  if (standsFor === 'rest') return;
  const parcel = makeParcel<E>(row, null, attempt, nextAt, standsFor === 'event');
  parcel.notEarlierThan = notBefore;
  enqueue(state, queue, parcel);
}

function ensureQueue<E extends Sendable>(state: State<E>, of: Sendable): Queue<E> {
  const key = queueOf(of);
  const queue = state.queues.get(key) ?? { parcels: [], left: null };
  state.queues.set(key, queue);
  return queue;
}

function enqueue<E extends Sendable>(state: State<E>, queue: Queue<E>, parcel: Parcel<E>): void {
  queue.parcels.push(parcel);
  state.size += 1;
}

function add<E extends Sendable>(state: State<E>, events: readonly E[], upTo: number): void {
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
    const parcel = makeParcel(event, event, 0, 0, false);
    enqueue(state, queue, parcel);
    if (left === null) state.fresh.push(parcel);
  }
  state.readTo = upTo;
}

// The events left in the log.

/** Has it as many as are held while its first one may take long? */
function isLong<E extends Sendable>({ parcels: [head, ...behind], left }: Queue<E>): boolean {
  if (head === undefined) return false;
  if (head.attempt > 0) return behind.length >= HELD_MAX;
  return left !== null && behind.length + 1 >= TAKEN_MAX;
}

/** From now on one row stands for it, and the cursor does not wait for it. */
function leave<E extends Sendable>(state: State<E>, queue: Queue<E>): void {
  const [head, ...behind] = queue.parcels;
  for (const each of behind) {
    if (each.isKept) state.settled.push(each.seq);
    each.isKept = false;
  }
  const row = head!.isKept ? head!.seq : null;
  head!.isKept = false;
  const heldTo = queue.parcels.at(-1)!.seq;
  queue.left = { row, hasChanged: true, heldTo, seenTo: heldTo, last: head! };
  const own = new Set(queue.parcels);
  state.fresh = state.fresh.filter((each) => !own.has(each));
  trim(state, queue);
}

/** Leaves all in the log but as many as are held behind a failure. */
function trim<E extends Sendable>(state: State<E>, { parcels, left }: Queue<E>): void {
  const over = parcels.length - HELD_MAX - 1;
  if (over <= 0) return;
  left!.seenTo = Math.max(left!.seenTo, parcels.at(-1)!.seq);
  parcels.length -= over;
  state.size -= over;
  left!.heldTo = parcels.at(-1)!.seq;
}

/** Is something of it in the log alone? */
function isLeft({ heldTo, seenTo }: Left): boolean {
  return heldTo < seenTo;
}

/** Is something to be read for it? At the latest when nothing is left in memory, even if that is full. */
function isShort<E extends Sendable>({ size }: State<E>, { parcels, left }: Queue<E>): boolean {
  if (left === null || !isLeft(left)) return false;
  if (parcels.length === 0) return true;
  return size < OUTSTANDING_MAX && parcels[0]!.attempt === 0 && parcels.length < HELD_MAX;
}

function leftFrom<E extends Sendable>(state: State<E>): number | null {
  let from: number | null = null;
  for (const queue of state.queues.values()) {
    if (isShort(state, queue))
      from = Math.min(from ?? Number.POSITIVE_INFINITY, queue.left!.heldTo);
  }
  return from;
}

function addLeft<E extends Sendable>(
  state: State<E>,
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
    // One it gets in any case, or it would never end.
    if (isOver && parcels.length > 0) taking.delete(key);
    else {
      if (parcels.length === 0) left.hasChanged = true;
      enqueue(state, queue, makeParcel(event, event, 0, 0, false));
      left.heldTo = event.seq;
    }
  }
  for (const { left } of taking.values()) {
    left!.heldTo = Math.max(left!.heldTo, Math.min(upTo, left!.seenTo));
  }
}

/** The outdated rows of such sessions; they count as stored then. */
function takeLeftRows<E extends Sendable>(state: State<E>): readonly Outstanding[] {
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

// Sending.

function take<E extends Sendable>(state: State<E>, now: number): Parcel<E> | null {
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

function nextAt<E extends Sendable>(state: State<E>): number | null {
  let next: number | null = null;
  for (const head of sendable(state)) {
    const at = dueAt(state, head);
    if (next === null || at < next) next = at;
  }
  return next;
}

/** The first of each session. */
function* headsOf<E extends Sendable>({ queues }: State<E>): Generator<Parcel<E>> {
  for (const { parcels } of queues.values()) {
    const [head] = parcels;
    if (head !== undefined) yield head;
  }
}

/** Those that are not under way, and of which a crash would not repeat too many. */
function* sendable<E extends Sendable>(state: State<E>): Generator<Parcel<E>> {
  for (const { parcels, left } of state.queues.values()) {
    const [head] = parcels;
    if (head === undefined || head.isSending) continue;
    if (left === null || state.unkept < WINDOW) yield head;
  }
}

function dueAt<E extends Sendable>({ retriesFrom }: State<E>, parcel: Parcel<E>): number {
  return parcel.attempt === 0 ? parcel.nextAt : Math.max(parcel.nextAt, retriesFrom);
}

function settle<E extends Sendable>(state: State<E>, parcel: Parcel<E>): void {
  const key = queueOf(parcel);
  const { parcels, left } = state.queues.get(key)!;
  parcels.shift();
  state.size -= 1;
  parcel.isSettled = true;
  parcel.isSending = false;
  if (parcel.isKept) state.settled.push(parcel.seq);
  if (left !== null) {
    left.last = parcel;
    state.unkept += 1;
    left.hasChanged = true;
  } else if (parcels.length === 0) state.queues.delete(key);
}

function retry<E extends Sendable>(
  state: State<E>,
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

function hurry<E extends Sendable>(state: State<E>, now: number): void {
  for (const head of headsOf(state)) {
    if (head.isSending || head.nextAt <= now) continue;
    const at = Math.max(now, head.notEarlierThan);
    if (at >= head.nextAt) continue;
    head.plannedAt ??= head.nextAt;
    head.nextAt = at;
  }
}

// Keeping.

function progress<E extends Sendable>(state: State<E>): Progress | null {
  passFresh(state);
  const leftRows = takeLeftRows(state);
  state.unkept = 0;
  const { passed, storedCursor, changed, settled } = state;
  const rows = changed.length + settled.length + leftRows.length;
  if (passed === storedCursor && rows === 0) return null;
  const open = changed.filter(({ isSettled, isKept }) => isKept && !isSettled);
  for (const each of changed) each.hasChanged = false;
  state.changed = [];
  state.settled = [];
  state.storedCursor = passed;
  return {
    cursor: passed,
    changed: [...open.map((each) => toOutstanding(each, 'event')), ...leftRows],
    settled,
  };
}

/** Moves the cursor over settled events, and over held-up ones, which are stored instead. */
function passFresh<E extends Sendable>(state: State<E>): void {
  let count = 0;
  // The time of a `Retry-After` is stored, so its untried earlier events are stored, too.
  const asked = state.fresh.findLastIndex(({ isSettled, isAsked }) => isAsked && !isSettled);
  for (const parcel of state.fresh) {
    if (!parcel.isSettled) {
      if (!state.isEnding && count > asked && !isHeldUp(state, parcel)) break;
      parcel.isKept = true;
      touch(state, parcel);
    }
    count += 1;
  }
  state.fresh = state.fresh.slice(count);
  state.passed = state.fresh.length === 0 ? state.readTo : state.fresh[0]!.seq - 1;
}

/** It failed, or waits behind one that did: it may take long, so the cursor does not wait for it. */
function isHeldUp<E extends Sendable>({ queues }: State<E>, parcel: Parcel<E>): boolean {
  return parcel.attempt > 0 || (queues.get(queueOf(parcel))?.parcels[0]?.attempt ?? 0) > 0;
}

function touch<E extends Sendable>(state: State<E>, parcel: Parcel<E>): void {
  if (!parcel.isKept || parcel.hasChanged) return;
  parcel.hasChanged = true;
  state.changed.push(parcel);
}
