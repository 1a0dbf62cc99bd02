/** The lane to one endpoint: reads the log, sends in order, stores what is still to be sent. */

import type { EventWorld, StoredEvent } from '../../events/event.ts';
import type { DeliveryProgress, Webhook } from '../../store/webhooks.ts';
import { makeOutbox } from '../../webhooks/outbox.ts';
import type { Outstanding, Parcel } from '../../webhooks/parcel.ts';
import { DOWN_AFTER } from '../../webhooks/schedule.ts';
import { isWanted } from '../../webhooks/subscription.ts';
import type { Cancel } from '../ports.ts';
import { type Backlog, backlogOf } from './backlog.ts';
import { type LaneDeps, type LaneState, SLOW_MS } from './lane-state.ts';
import { recordResult } from './result.ts';

export interface Lane {
  backlog(): Backlog;
  /** The log of its world reaches to `head`. */
  wake(head: number): void;
  /** The same webhook with another URL, secret or selection of types. */
  change(webhook: Webhook): void;
  /** Starts no more requests; waits for those in progress and stores their results. */
  close(): Promise<void>;
}

/** Results are stored this long after the first one, in one batch. */
const FLUSH_MS = 250;
/** Delay between two reads of the log, because busy worlds write to it every few milliseconds. */
const READ_GAP_MS = 20;
/** Events read to find those that were skipped in the log. */
const LEFT_PAGE = 500;
/** The position is stored after this many passed events, even if none of them was to be sent. */
const PASSED_MAX = 1_000;
/** Delay after a failure of our own, and for a suspended tenant. */
const OWN_FAILURE_MS = 1_000;
const SUSPENDED_MS = 60_000;
/** Delay before a failed write is retried; doubles with each failure. */
const REWRITE_MS = 1_000;
const REWRITE_MS_MAX = 4_000;

const NOTHING: Cancel = () => {};

/** `isProven`: the last request before this process succeeded in time. */
export function openLane(
  deps: LaneDeps,
  webhook: Webhook,
  outstanding: readonly Outstanding[],
  isProven: boolean,
): Lane {
  const state: LaneState = {
    deps,
    outbox: makeOutbox<StoredEvent>(webhook.cursor, outstanding),
    sharer: {
      tenant: webhook.tenant,
      isTroubled: () =>
        !state.isProven || state.isSlow || state.hanging > 0 || state.failingSince !== null,
      isReady: () => isReady(state),
      send: (done, slowed) => sendNext(state, done, slowed),
    },
    timers: { due: NOTHING, read: NOTHING, flush: NOTHING },
    webhook,
    head: webhook.cursor,
    concurrency: 1,
    underWay: 0,
    isProven,
    isSlow: false,
    hanging: 0,
    // The number of failures is unknown: assume as many as let the waiting events be sent when it is back.
    ...(webhook.failingSince === null
      ? { failuresInRow: 0, failures: 0 }
      : { failuresInRow: DOWN_AFTER, failures: DOWN_AFTER }),
    askers: new Set(),
    successes: webhook.failingSince === null ? 1 : 0,
    failingSince: webhook.failingSince,
    restUntil: 0,
    isReading: false,
    isAheadNext: true,
    flushing: null,
    isFlushSet: false,
    cursor: webhook.cursor,
    attempts: [],
    unwritten: null,
    writeFailures: 0,
    disable: null,
    isClosed: false,
    mayWrite: true,
    whenIdle: null,
  };
  go(state);
  return {
    wake(head) {
      state.head = Math.max(state.head, head);
      go(state);
    },
    change(next) {
      state.webhook = next;
    },
    close: () => close(state),
    backlog: () => backlogOf(state.outbox, state.head),
  };
}

/** Does all that is possible now, and sets the timer for the next step. */
function go(state: LaneState): void {
  if (state.isClosed) return;
  read(state);
  if (isReady(state)) state.deps.share.ask(state.sharer);
  state.timers.due();
  state.timers.due = NOTHING;
  const next = state.outbox.nextAt();
  if (next === null || state.underWay >= state.concurrency) return;
  const { clock } = state.deps;
  const at = Math.max(next, state.restUntil);
  if (at > clock.now()) state.timers.due = clock.after(at - clock.now(), () => go(state));
}

function isReady(state: LaneState): boolean {
  const { isClosed, underWay, concurrency, restUntil, outbox, deps } = state;
  const now = deps.clock.now();
  if (isClosed || underWay >= concurrency || restUntil > now) return false;
  if (state.disable !== null || state.writeFailures > 0) return false;
  return (outbox.nextAt() ?? Number.POSITIVE_INFINITY) <= now;
}

// Reading.

function read(state: LaneState): void {
  const { outbox, head, deps } = state;
  if (state.isReading) return;
  const isAhead = outbox.readTo() < head && outbox.room() > 0;
  const left = isAhead && state.isAheadNext ? null : outbox.leftFrom();
  if (!isAhead && left === null) return;
  state.isAheadNext = left !== null;
  state.isReading = true;
  const again = (): void => {
    state.isReading = false;
    go(state);
  };
  const reading = left === null ? readAhead(state) : readLeft(state, left);
  reading.then(
    () => {
      state.timers.read = deps.clock.after(READ_GAP_MS, again);
    },
    (error: unknown) => {
      deps.onError(state.webhook, error);
      state.timers.read = deps.clock.after(OWN_FAILURE_MS, again);
    },
  );
}

async function readAhead(state: LaneState): Promise<void> {
  const { outbox, deps, head } = state;
  const limit = outbox.room();
  const events = await deps.store.readEvents(worldOf(state), outbox.readTo(), limit);
  if (state.isClosed) return;
  // Fewer than requested: the rest up to the known head is no longer stored.
  const last = events.at(-1)?.seq ?? 0;
  outbox.add(wantedOf(state, events), events.length < limit ? Math.max(last, head) : last);
  if (outbox.readTo() - state.cursor >= PASSED_MAX) setFlush(state);
  go(state);
}

/** Events that were skipped in the log behind a failure, when their turn comes. */
async function readLeft(state: LaneState, from: number): Promise<void> {
  const { outbox, deps } = state;
  const events = await deps.store.readEvents(worldOf(state), from, LEFT_PAGE);
  if (state.isClosed) return;
  const upTo = events.length < LEFT_PAGE ? outbox.readTo() : events.at(-1)!.seq;
  outbox.addLeft(wantedOf(state, events), from, upTo);
  setFlush(state);
  go(state);
}

function wantedOf({ webhook }: LaneState, events: readonly StoredEvent[]): readonly StoredEvent[] {
  return events.filter(({ type }) => isWanted(webhook.types, type));
}

function worldOf({ webhook: { tenant, mode } }: LaneState): EventWorld {
  return { tenant, mode };
}

// Sending.

function sendNext(state: LaneState, done: () => void, slowed: () => void): void {
  const { outbox, deps } = state;
  const parcel = outbox.take(deps.clock.now());
  if (parcel === null) {
    done();
    return;
  }
  state.underWay += 1;
  let isHanging = false;
  const cancel = deps.clock.after(SLOW_MS, () => {
    isHanging = true;
    state.hanging += 1;
    slowed();
  });
  const finish = (): void => {
    cancel();
    if (isHanging) state.hanging -= 1;
    state.underWay -= 1;
    done();
    if (state.underWay === 0) state.whenIdle?.();
    go(state);
  };
  deliver(state, parcel).then(finish, (error: unknown) => {
    // Our failure, not the endpoint's: it does not count.
    deps.onError(state.webhook, error);
    outbox.putBack(parcel, deps.clock.now() + OWN_FAILURE_MS);
    finish();
  });
}

async function deliver(state: LaneState, parcel: Parcel<StoredEvent>): Promise<void> {
  const { deps, outbox, webhook } = state;
  const { clock } = deps;
  const retries = await deps.retriesOf(webhook.tenant);
  if (retries === null) {
    state.restUntil = clock.now() + SUSPENDED_MS;
    outbox.putBack(parcel, clock.now() + SUSPENDED_MS);
    return;
  }
  const event = parcel.event ?? (await readAgain(state, parcel));
  if (event === null) {
    outbox.settle(parcel);
    setFlush(state);
    return;
  }
  const at = clock.now();
  const result = await deps.courier.deliver(webhook, event);
  // Cancelled by the shutdown: the endpoint did not fail.
  if (result === null) outbox.putBack(parcel, at);
  else {
    recordResult(state, { parcel, event, at, result, retries });
    setFlush(state);
  }
}

/** Null when the log does not have it any more. */
async function readAgain(
  state: LaneState,
  { seq, id }: Parcel<StoredEvent>,
): Promise<StoredEvent | null> {
  const [event] = await state.deps.store.readEvents(worldOf(state), seq - 1, 1);
  return event?.id === id ? event : null;
}

// Storing results.

function setFlush(state: LaneState, waitMs: number = FLUSH_MS): void {
  if (state.isFlushSet || state.isClosed) return;
  state.isFlushSet = true;
  state.timers.flush = state.deps.clock.after(waitMs, () => {
    state.isFlushSet = false;
    flush(state);
  });
}

/** One at a time, in order: later results go with the next write. */
function flush(state: LaneState): Promise<void> {
  const before = state.flushing ?? Promise.resolve();
  const mine = before.then(() => flushOnce(state));
  state.flushing = mine;
  return mine;
}

async function flushOnce(state: LaneState): Promise<void> {
  if (!state.mayWrite) return;
  const wasUnwritten = state.unwritten !== null;
  state.unwritten ??= collect(state);
  if (state.unwritten === null) return;
  const { disable } = state.unwritten;
  const outcome = await write(state, state.unwritten);
  if (outcome === 'failed' && state.deps.mayWriteAgain) {
    state.writeFailures += 1;
    setFlush(state, Math.min(REWRITE_MS_MAX, REWRITE_MS * 2 ** (state.writeFailures - 1)));
    return;
  }
  state.unwritten = null;
  state.writeFailures = 0;
  // The stored row is the truth: another lane starts from there.
  state.mayWrite = outcome === 'kept' && disable === null;
  if (!state.mayWrite) end(state);
  else go(state); // There may be room again.
  // Write what was collected meanwhile.
  if (wasUnwritten) await flushOnce(state);
}

/** The next write; null when there is nothing to write. */
function collect(state: LaneState): DeliveryProgress | null {
  const { outbox, webhook, attempts, failingSince, disable } = state;
  const progress = outbox.progress();
  if (progress === null && attempts.length === 0 && disable === null) return null;
  state.attempts = [];
  state.cursor = progress?.cursor ?? state.cursor;
  const { changed = [], settled = [] } = progress ?? {};
  const { id, epoch } = webhook;
  const outcome = { attempts, failingSince, disable };
  return { webhook: id, epoch, cursor: state.cursor, changed, settled, ...outcome };
}

/** `void`: the webhook is gone, or was changed elsewhere. `failed`: it may have been written. */
async function write(
  { deps, webhook }: LaneState,
  progress: DeliveryProgress,
): Promise<'kept' | 'void' | 'failed'> {
  try {
    if (!(await deps.store.recordProgress(progress))) return 'void';
    deps.onStored?.(webhook);
    return 'kept';
  } catch (error) {
    deps.onError(webhook, error);
    return 'failed';
  }
}

function end(state: LaneState): void {
  if (state.isClosed) return;
  stop(state);
  state.deps.onEnd(state.webhook);
}

function stop(state: LaneState): void {
  state.isClosed = true;
  for (const cancel of Object.values(state.timers)) cancel();
  state.deps.share.forget(state.sharer);
}

async function close(state: LaneState): Promise<void> {
  stop(state);
  if (state.underWay > 0) {
    await new Promise<void>((resolve) => {
      state.whenIdle = resolve;
    });
  }
  state.outbox.end();
  await flush(state);
}
