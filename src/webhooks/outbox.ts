/**
 * What one webhook still has to be sent, in memory: the order within a session, what may go now,
 * and what has to be on disk before the webhook's place in the log may move on.
 *
 * An event that goes well never costs a row of its own: the place in the log passes it. One that
 * fails gets a row, and so do those of its session that wait behind it; only then does the place
 * move past them. So after a crash everything that was not delivered is found again, as a row or
 * behind the place in the log.
 */

/** What the outbox has to know of an event. */
export interface Sendable {
  readonly seq: number;
  readonly id: string;
  readonly session: string | null;
}

/** An event that is not delivered yet, as it is kept. */
export interface Outstanding extends Sendable {
  /** Failures so far. */
  readonly attempt: number;
  /** When it is due, ms since 1970. */
  readonly nextAt: number;
}

/** What changed since it was last kept. */
export interface Progress {
  /** Everything up to here in the log is delivered, given up, or kept as outstanding. */
  readonly cursor: number;
  readonly changed: readonly Outstanding[];
  /** Places of those that were kept and are not outstanding any more. */
  readonly settled: readonly number[];
}

/** One event on its way out. `event` is null when it has to be read again first. */
export interface Parcel<E extends Sendable> extends Sendable {
  event: E | null;
  attempt: number;
  nextAt: number;
  /** When it would be due had it not been brought forward; null when it was not. */
  plannedAt: number | null;
  /** How often it failed when it had been brought forward, and until when it is not again. */
  early: number;
  notEarlierThan: number;
  /** How often the endpoint had answered well by its last failure; for whoever sends. */
  failedAfter: number;
  isSending: boolean;
  isSettled: boolean;
  isKept: boolean;
  hasChanged: boolean;
}

export interface Outbox<E extends Sendable> {
  /** The next events of the log up to `readTo`, those that are wanted. */
  add(events: readonly E[], readTo: number): void;
  /**
   * What may be sent now; it counts as being sent from then on. The oldest of those that have not
   * failed yet, and every so often of those that have, so that neither waits for the other for good.
   */
  take(now: number): Parcel<E> | null;
  /** When the next one is due; null when nothing waits for a time. */
  nextAt(): number | null;
  /** Delivered, or given up. */
  settle(parcel: Parcel<E>): void;
  /** Failed: again at `nextAt`, or as it was planned if it had been brought forward. */
  retry(parcel: Parcel<E>, nextAt: number, now: number): void;
  /** Was not tried after all: again at `nextAt`, and it does not count. */
  putBack(parcel: Parcel<E>, nextAt: number): void;
  /** The endpoint is back: what waits for a later time is due now. */
  hurry(now: number): void;
  /** What has failed before rests until then, whatever it is due; all else goes on. */
  restRetries(until: number): void;
  /** What is to be kept now, which then counts as kept. Null when there is nothing. */
  progress(): Progress | null;
  /** How many more events may be added. */
  room(): number;
  /** Up to where the log was read. */
  readTo(): number;
  /** How many are not delivered, those under way with them. */
  size(): number;
  /** Nothing more is read before something is settled. */
  isFull(): boolean;
}

/** Events read from the log and not passed yet: what a crash makes to be sent twice at most. */
const WINDOW = 128;
/** Events waiting behind failures. Past it the rest stays in the log, which is as durable. */
const OUTSTANDING_MAX = 1_000;
/** What failed when it was brought forward is not again for so long; doubles with each time. Ms. */
const EARLY_MS = 10 * 60_000;
const EARLY_DOUBLINGS_MAX = 9;
/** Events that may go before one that has failed and is due. */
const FIRSTS_MAX = 7;

interface State<E extends Sendable> {
  /** By session, in the order of the log; an event of no session is alone in its queue. */
  readonly queues: Map<string, Parcel<E>[]>;
  /** Read from the log and not passed by the cursor, in order. */
  fresh: Parcel<E>[];
  /** Kept ones whose rows are behind. */
  changed: Parcel<E>[];
  settled: number[];
  /** First tries since something that has failed was due and did not go. */
  firstsInRow: number;
  /** What has failed rests until then. */
  retriesFrom: number;
  size: number;
  passed: number;
  keptCursor: number;
  readTo: number;
}

/** `kept` in the order of the log, all of it at or before `cursor`. */
export function makeOutbox<E extends Sendable>(
  cursor: number,
  kept: readonly Outstanding[],
): Outbox<E> {
  const state: State<E> = {
    queues: new Map(),
    fresh: [],
    changed: [],
    settled: [],
    firstsInRow: 0,
    retriesFrom: 0,
    size: 0,
    passed: cursor,
    keptCursor: cursor,
    readTo: cursor,
  };
  for (const each of kept) {
    enqueue(state, makeParcel<E>(each, null, each.attempt, each.nextAt, true));
  }
  return {
    add: (events, upTo) => add(state, events, upTo),
    take: (now) => take(state, now),
    nextAt: () => nextAt(state),
    settle: (parcel) => settle(state, parcel),
    retry: (parcel, at, now) => retry(state, parcel, at, now),
    putBack(parcel, at) {
      parcel.isSending = false;
      parcel.nextAt = at;
    },
    hurry: (now) => hurry(state, now),
    restRetries(until) {
      state.retriesFrom = until;
    },
    progress: () => progress(state),
    room: () => Math.max(0, Math.min(WINDOW - state.fresh.length, OUTSTANDING_MAX - state.size)),
    readTo: () => state.readTo,
    size: () => state.size,
    isFull: () => state.size >= OUTSTANDING_MAX,
  };
}

function enqueue<E extends Sendable>(state: State<E>, parcel: Parcel<E>): void {
  const key = queueOf(parcel);
  const queue = state.queues.get(key);
  if (queue === undefined) state.queues.set(key, [parcel]);
  else queue.push(parcel);
  state.size += 1;
}

function add<E extends Sendable>(state: State<E>, events: readonly E[], upTo: number): void {
  for (const event of events) {
    const parcel = makeParcel(event, event, 0, 0, false);
    enqueue(state, parcel);
    state.fresh.push(parcel);
  }
  state.readTo = upTo;
}

function take<E extends Sendable>(state: State<E>, now: number): Parcel<E> | null {
  let first: Parcel<E> | null = null;
  let retry: Parcel<E> | null = null;
  for (const [head] of state.queues.values()) {
    if (head!.isSending || dueAt(state, head!) > now) continue;
    if (head!.attempt === 0) first ??= head!;
    else retry ??= head!;
    if (first !== null && retry !== null) break;
  }
  const isFirst = first !== null && (retry === null || state.firstsInRow < FIRSTS_MAX);
  state.firstsInRow = isFirst && retry !== null ? state.firstsInRow + 1 : 0;
  const next = isFirst ? first : retry;
  if (next !== null) next.isSending = true;
  return next;
}

function nextAt<E extends Sendable>(state: State<E>): number | null {
  let next: number | null = null;
  for (const [head] of state.queues.values()) {
    if (head!.isSending) continue;
    const at = dueAt(state, head!);
    if (next === null || at < next) next = at;
  }
  return next;
}

function dueAt<E extends Sendable>({ retriesFrom }: State<E>, parcel: Parcel<E>): number {
  return parcel.attempt === 0 ? parcel.nextAt : Math.max(parcel.nextAt, retriesFrom);
}

function settle<E extends Sendable>(state: State<E>, parcel: Parcel<E>): void {
  const key = queueOf(parcel);
  const queue = state.queues.get(key)!;
  queue.shift();
  if (queue.length === 0) state.queues.delete(key);
  state.size -= 1;
  parcel.isSettled = true;
  parcel.isSending = false;
  if (parcel.isKept) state.settled.push(parcel.seq);
}

function retry<E extends Sendable>(
  state: State<E>,
  parcel: Parcel<E>,
  at: number,
  now: number,
): void {
  const isEarly = parcel.plannedAt !== null && parcel.plannedAt > now;
  if (!isEarly) parcel.attempt += 1;
  else {
    parcel.notEarlierThan = now + EARLY_MS * 2 ** Math.min(parcel.early, EARLY_DOUBLINGS_MAX);
    parcel.early += 1;
  }
  parcel.nextAt = isEarly ? parcel.plannedAt! : at;
  parcel.plannedAt = null;
  parcel.isSending = false;
  parcel.event = null; // It may be long until then: it stays in the log.
  touch(state, parcel);
}

function hurry<E extends Sendable>({ queues }: State<E>, now: number): void {
  for (const [head] of queues.values()) {
    if (head!.isSending || head!.nextAt <= now) continue;
    const at = Math.max(now, head!.notEarlierThan);
    if (at >= head!.nextAt) continue;
    head!.plannedAt ??= head!.nextAt;
    head!.nextAt = at;
  }
}

function progress<E extends Sendable>(state: State<E>): Progress | null {
  passFresh(state);
  const { passed, keptCursor, changed, settled } = state;
  if (passed === keptCursor && changed.length === 0 && settled.length === 0) return null;
  const open = changed.filter(({ isSettled }) => !isSettled);
  for (const each of open) each.hasChanged = false;
  state.changed = [];
  state.settled = [];
  state.keptCursor = passed;
  return { cursor: passed, changed: open.map(toOutstanding), settled };
}

/** Moves the cursor over what is settled, and over what is held up, which is kept instead. */
function passFresh<E extends Sendable>(state: State<E>): void {
  let count = 0;
  for (const parcel of state.fresh) {
    if (!parcel.isSettled) {
      if (!isHeldUp(state, parcel)) break;
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
  return parcel.attempt > 0 || (queues.get(queueOf(parcel))?.[0]?.attempt ?? 0) > 0;
}

function touch<E extends Sendable>(state: State<E>, parcel: Parcel<E>): void {
  if (!parcel.isKept || parcel.hasChanged) return;
  parcel.hasChanged = true;
  state.changed.push(parcel);
}

function queueOf({ session, seq }: Sendable): string {
  return session ?? `#${seq}`;
}

function makeParcel<E extends Sendable>(
  { seq, id, session }: Sendable,
  event: E | null,
  attempt: number,
  nextAt: number,
  isKept: boolean,
): Parcel<E> {
  const unsent = { isSending: false, isSettled: false, hasChanged: false, plannedAt: null };
  const fresh = { failedAfter: 0, early: 0, notEarlierThan: 0 };
  return { seq, id, session, event, attempt, nextAt, isKept, ...fresh, ...unsent };
}

function toOutstanding<E extends Sendable>(parcel: Parcel<E>): Outstanding {
  const { seq, id, session, attempt, nextAt, plannedAt } = parcel;
  return { seq, id, session, attempt, nextAt: plannedAt ?? nextAt };
}
