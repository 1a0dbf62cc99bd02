/** The way to one endpoint: reads the log, sends in order, remembers what is still to be sent. */

import type { EventWorld, KeptEvent } from '../../events/event.ts';
import type { EventStore } from '../../store/events.ts';
import type { Attempt, DeliveryProgress, Webhook, WebhookStore } from '../../store/webhooks.ts';
import { makeOutbox, type Outbox } from '../../webhooks/outbox.ts';
import type { Outstanding, Parcel } from '../../webhooks/parcel.ts';
import { DOWN_AFTER, isHopeless, probeMs, retryGapMs } from '../../webhooks/schedule.ts';
import { isWanted } from '../../webhooks/subscription.ts';
import type { Cancel, Clock } from '../ports.ts';
import { judge } from './answer.ts';
import { type Backlog, backlogOf } from './backlog.ts';
import type { Courier } from './courier.ts';
import type { DeliveryListeners } from './delivery-listeners.ts';
import type { FairShare, Sharer } from './fair-share.ts';
import type { SendResult } from './sender.ts';

/** Requests since the process began, by what came of them. */
export interface DeliveryStats {
  delivered: number;
  /** To be retried. */
  failed: number;
  /** Failed for the last time. */
  givenUp: number;
}

export interface LaneDeps extends DeliveryListeners {
  readonly store: Pick<WebhookStore, 'recordProgress'> & Pick<EventStore, 'readEvents'>;
  readonly clock: Clock;
  /** A number drawn from [0, 1). */
  readonly draw: () => number;
  readonly courier: Courier;
  readonly share: FairShare;
  readonly stats: DeliveryStats;
  /**
   * Is a write that failed over, so that it may be written again? Where it may still come late it
   * must not: then the lane ends, and the next one has an epoch of its own.
   */
  readonly mayWriteAgain: boolean;
  /** How often a tenant's deliveries are retried; null while nothing is sent for it. */
  readonly retriesOf: (tenant: string) => Promise<number | null>;
  readonly onError: (webhook: Webhook, error: unknown) => void;
  /** The lane is of no use any more: the webhook is off, gone, or was changed by somebody else. */
  readonly onEnd: (webhook: Webhook) => void;
}

export interface Lane {
  backlog(): Backlog;
  /** The log of its world reaches to `head`. */
  wake(head: number): void;
  /** The same webhook with another address, secret or choice of types. */
  change(webhook: Webhook): void;
  /** Starts nothing more; waits for what is under way and keeps what came of it. */
  close(): Promise<void>;
}

/** Requests to one endpoint at once: begins with one, and one more for each success. */
const CONCURRENCY_MAX = 8;
/** An answer that takes longer makes an endpoint a slow one. */
export const SLOW_MS = 1_000;
/** What came of sending is kept so long after it, all of it in one step. */
const FLUSH_MS = 250;
/** Pause between two looks into the log, as busy worlds write to it every few milliseconds. */
const READ_GAP_MS = 20;
/** Events looked at to find those that were left in the log. */
const LEFT_PAGE = 500;
/** Places passed in the log that are kept even if none of them was to be sent. */
const PASSED_MAX = 1_000;
/** Sessions answered with `Retry-After` in a row that are counted. */
const ASKERS_MAX = 20;
/** Wait after a failure of our own, and for a tenant that may not act. */
const OWN_FAILURE_MS = 1_000;
const SUSPENDED_MS = 60_000;
/** Pause before a write that failed is retried; doubles with each failure. */
const REWRITE_MS = 1_000;
const REWRITE_MS_MAX = 4_000;

interface State {
  readonly deps: LaneDeps;
  readonly outbox: Outbox<KeptEvent>;
  readonly sharer: Sharer;
  readonly timers: { due: Cancel; read: Cancel; flush: Cancel };
  webhook: Webhook;
  head: number;
  concurrency: number;
  underWay: number;
  /** Has it ever answered as it should? Until then it is thought to be troubled. */
  isProven: boolean;
  isSlow: boolean;
  /** Requests that have been under way for long. */
  hanging: number;
  /** Failures since the last success that tell of the endpoint: not those of what is known to fail. */
  failuresInRow: number;
  /** All failures since the last success. */
  failures: number;
  /** Sessions whose deliveries were answered with `Retry-After` since the last success. */
  readonly askers: Set<string>;
  /** Well answered requests; one more if the last before this life was well answered. */
  successes: number;
  failingSince: number | null;
  /** Nothing is sent until then. */
  restUntil: number;
  isReading: boolean;
  /** The next look goes on in the log, though something that was left in it is to be read, too. */
  isAheadNext: boolean;
  flushing: Promise<void> | null;
  isFlushSet: boolean;
  cursor: number;
  attempts: Attempt[];
  /** What could not be written yet: nothing is sent, and nothing else written, before it is. */
  owed: DeliveryProgress | null;
  writeFailures: number;
  disable: 'gone' | 'failing' | null;
  isClosed: boolean;
  /** False once a write was refused or its fate is unknown: what comes after builds on it. */
  mayWrite: boolean;
  whenIdle: (() => void) | null;
}

const NOTHING: Cancel = () => {};

/** `isProven`: the last request before this life was answered well and in time. */
export function openLane(
  deps: LaneDeps,
  webhook: Webhook,
  outstanding: readonly Outstanding[],
  isProven: boolean,
): Lane {
  const state: State = {
    deps,
    outbox: makeOutbox<KeptEvent>(webhook.cursor, outstanding),
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
    // Nobody knows how often it failed: as often as makes what waits be sent when it is back.
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
    owed: null,
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

/** Does whatever can be done now, and sets the timer for the next. */
function go(state: State): void {
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

function isReady(state: State): boolean {
  const { isClosed, underWay, concurrency, restUntil, outbox, deps } = state;
  const now = deps.clock.now();
  if (isClosed || underWay >= concurrency || restUntil > now) return false;
  if (state.disable !== null || state.writeFailures > 0) return false;
  return (outbox.nextAt() ?? Number.POSITIVE_INFINITY) <= now;
}

// Reading.

function read(state: State): void {
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

async function readAhead(state: State): Promise<void> {
  const { outbox, deps, head } = state;
  const limit = outbox.room();
  const events = await deps.store.readEvents(worldOf(state), outbox.readTo(), limit);
  if (state.isClosed) return;
  // Fewer than asked for: the rest up to the head that was told is no longer kept.
  const last = events.at(-1)?.seq ?? 0;
  outbox.add(wantedOf(state, events), events.length < limit ? Math.max(last, head) : last);
  if (outbox.readTo() - state.cursor >= PASSED_MAX) setFlush(state);
  go(state);
}

/** What was left in the log behind a failure, when its turn comes. */
async function readLeft(state: State, from: number): Promise<void> {
  const { outbox, deps } = state;
  const events = await deps.store.readEvents(worldOf(state), from, LEFT_PAGE);
  if (state.isClosed) return;
  const upTo = events.length < LEFT_PAGE ? outbox.readTo() : events.at(-1)!.seq;
  outbox.addLeft(wantedOf(state, events), from, upTo);
  setFlush(state);
  go(state);
}

function wantedOf({ webhook }: State, events: readonly KeptEvent[]): readonly KeptEvent[] {
  return events.filter(({ type }) => isWanted(webhook.types, type));
}

function worldOf({ webhook: { tenant, mode } }: State): EventWorld {
  return { tenant, mode };
}

// Sending.

function sendNext(state: State, done: () => void, slowed: () => void): void {
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
    // Ours, not the endpoint's: it does not count.
    deps.onError(state.webhook, error);
    outbox.putBack(parcel, deps.clock.now() + OWN_FAILURE_MS);
    finish();
  });
}

async function deliver(state: State, parcel: Parcel<KeptEvent>): Promise<void> {
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
  // Given up by us, when the process ends: it was not the endpoint that failed.
  if (result === null) outbox.putBack(parcel, at);
  else conclude(state, { parcel, event, at, result, retries });
}

/** Null when the log does not hold it any more. */
async function readAgain(state: State, { seq, id }: Parcel<KeptEvent>): Promise<KeptEvent | null> {
  const [event] = await state.deps.store.readEvents(worldOf(state), seq - 1, 1);
  return event?.id === id ? event : null;
}

interface Sent {
  readonly parcel: Parcel<KeptEvent>;
  readonly event: KeptEvent;
  /** When it began. */
  readonly at: number;
  readonly result: SendResult;
  readonly retries: number;
}

function conclude(state: State, sent: Sent): void {
  const { parcel, event, at, result } = sent;
  const now = state.deps.clock.now();
  const verdict = judge(result, now);
  const attempt = parcel.attempt + 1;
  let nextAt: number | null = null;
  if (verdict.kind === 'failed') nextAt = countFailure(state, sent, verdict.restMs, now);
  else countSuccess(state, parcel, now);
  if (verdict.kind === 'gone') state.disable = 'gone';
  const { stats } = state.deps;
  if (verdict.kind === 'delivered') stats.delivered += 1;
  else if (nextAt === null) stats.givenUp += 1;
  else stats.failed += 1;
  state.deps.onAttempt?.(state.webhook, verdict.kind === 'delivered', now - at);
  state.isSlow = now - at > SLOW_MS;
  state.attempts.push({
    event: event.id,
    type: event.type,
    session: event.session,
    attempt,
    at,
    durationMs: now - at,
    status: 'status' in result ? result.status : null,
    error: verdict.kind === 'failed' ? verdict.error : verdict.kind === 'gone' ? 'gone' : null,
    nextAt,
    response: 'status' in result ? (result.response ?? null) : null,
  });
  setFlush(state);
}

function countSuccess(state: State, parcel: Parcel<KeptEvent>, now: number): void {
  state.outbox.settle(parcel);
  // It is back: what was put off for hours need not wait for it.
  if (state.failures >= DOWN_AFTER) state.outbox.hurry(now);
  state.isProven = true;
  state.failuresInRow = 0;
  state.failures = 0;
  state.askers.clear();
  state.successes += 1;
  state.outbox.restRetries(0);
  state.failingSince = null;
  state.restUntil = 0;
  state.concurrency = Math.min(CONCURRENCY_MAX, state.concurrency + 1);
}

/** When it is retried; null when it is given up. */
function countFailure(
  state: State,
  { parcel, at, retries }: Sent,
  restMs: number,
  now: number,
): number | null {
  const { outbox, deps } = state;
  // The endpoint has answered others well since this one failed: it is the event, not the endpoint.
  const isKnownToFail = parcel.attempt > 0 && parcel.failedAfter < state.successes;
  parcel.failedAfter = state.successes;
  if (!isKnownToFail) {
    state.failuresInRow += 1;
    if (restMs > 0 && state.askers.size < ASKERS_MAX) state.askers.add(parcel.session ?? parcel.id);
  }
  state.failures += 1;
  state.failingSince ??= at;
  state.concurrency = 1;
  // What one session is answered need not hold for the others: they wait when several were so.
  const rest = Math.max(probeMs(state.failuresInRow), probeMs(state.askers.size, restMs));
  if (!isKnownToFail) state.restUntil = Math.max(state.restUntil, now + rest);
  outbox.restRetries(now + probeMs(state.failures));
  if (isHopeless(state.failingSince, now)) state.disable = 'failing';
  // An event that is known to fail gives way where it is one too many: nothing else would be read.
  const isInTheWay = isKnownToFail && outbox.isFull();
  const gap = isInTheWay ? null : retryGapMs(retries, parcel.attempt + 1, deps.draw());
  const isEarly = !isInTheWay && parcel.plannedAt !== null && parcel.plannedAt > now;
  if (gap === null && !isEarly) {
    outbox.settle(parcel);
    return null;
  }
  outbox.retry(parcel, now + (gap ?? 0), now, now + restMs);
  return parcel.nextAt;
}

// Keeping.

function setFlush(state: State, waitMs: number = FLUSH_MS): void {
  if (state.isFlushSet || state.isClosed) return;
  state.isFlushSet = true;
  state.timers.flush = state.deps.clock.after(waitMs, () => {
    state.isFlushSet = false;
    flush(state);
  });
}

/** One at a time, in order: what comes in between goes with the next. */
function flush(state: State): Promise<void> {
  const before = state.flushing ?? Promise.resolve();
  const mine = before.then(() => flushOnce(state));
  state.flushing = mine;
  return mine;
}

async function flushOnce(state: State): Promise<void> {
  if (!state.mayWrite) return;
  const wasOwed = state.owed !== null;
  state.owed ??= collect(state);
  if (state.owed === null) return;
  const { disable } = state.owed;
  const outcome = await write(state, state.owed);
  if (outcome === 'failed' && state.deps.mayWriteAgain) {
    state.writeFailures += 1;
    setFlush(state, Math.min(REWRITE_MS_MAX, REWRITE_MS * 2 ** (state.writeFailures - 1)));
    return;
  }
  state.owed = null;
  state.writeFailures = 0;
  // What is on disk is the truth: another lane starts from there.
  state.mayWrite = outcome === 'kept' && disable === null;
  if (!state.mayWrite) end(state);
  else go(state); // There may be room again.
  // What came meanwhile.
  if (wasOwed) await flushOnce(state);
}

/** What is to be written now; null when there is nothing. */
function collect(state: State): DeliveryProgress | null {
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

/** `void`: it is gone, or was changed by somebody else. `failed`: perhaps it was kept. */
async function write(
  { deps, webhook }: State,
  progress: DeliveryProgress,
): Promise<'kept' | 'void' | 'failed'> {
  try {
    if (!(await deps.store.recordProgress(progress))) return 'void';
    deps.onKept?.(webhook);
    return 'kept';
  } catch (error) {
    deps.onError(webhook, error);
    return 'failed';
  }
}

function end(state: State): void {
  if (state.isClosed) return;
  stop(state);
  state.deps.onEnd(state.webhook);
}

function stop(state: State): void {
  state.isClosed = true;
  for (const cancel of Object.values(state.timers)) cancel();
  state.deps.share.forget(state.sharer);
}

async function close(state: State): Promise<void> {
  stop(state);
  if (state.underWay > 0) {
    await new Promise<void>((resolve) => {
      state.whenIdle = resolve;
    });
  }
  state.outbox.end();
  await flush(state);
}
