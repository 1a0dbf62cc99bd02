/** How the result of one request changes its lane: counters, pauses, and the event's retry. */

import type { StoredEvent } from '../../events/event.ts';
import type { Parcel } from '../../webhooks/parcel.ts';
import { DOWN_AFTER, isHopeless, probeMs, retryGapMs } from '../../webhooks/schedule.ts';
import { type LaneState, SLOW_MS } from './lane-state.ts';
import { judge } from './sending/answer.ts';
import type { SendResult } from './sending/sender.ts';

/** Concurrent requests to one endpoint: one at first, and one more for each success. */
const CONCURRENCY_MAX = 8;
/** Consecutive sessions answered with `Retry-After` that are counted. */
const ASKERS_MAX = 20;

export interface Sent {
  readonly parcel: Parcel<StoredEvent>;
  readonly event: StoredEvent;
  /** When it began. */
  readonly at: number;
  readonly result: SendResult;
  readonly retries: number;
}

/** Counts the result of a request, and decides when, if at all, its event is sent again. */
export function recordResult(state: LaneState, sent: Sent): void {
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
}

function countSuccess(state: LaneState, parcel: Parcel<StoredEvent>, now: number): void {
  state.outbox.settle(parcel);
  // It is back: events delayed for hours need not wait for it.
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
  state: LaneState,
  { parcel, at, retries }: Sent,
  restMs: number,
  now: number,
): number | null {
  const { outbox, deps } = state;
  // The endpoint has accepted other events since this one failed: the event is at fault, not the endpoint.
  const isKnownToFail = parcel.attempt > 0 && parcel.failedAfter < state.successes;
  parcel.failedAfter = state.successes;
  if (!isKnownToFail) {
    state.failuresInRow += 1;
    if (restMs > 0 && state.askers.size < ASKERS_MAX) state.askers.add(parcel.session ?? parcel.id);
  }
  state.failures += 1;
  state.failingSince ??= at;
  state.concurrency = 1;
  // One session's answer need not apply to the others: they wait when several sessions got it.
  const rest = Math.max(probeMs(state.failuresInRow), probeMs(state.askers.size, restMs));
  if (!isKnownToFail) state.restUntil = Math.max(state.restUntil, now + rest);
  outbox.restRetries(now + probeMs(state.failures));
  if (isHopeless(state.failingSince, now)) state.disable = 'failing';
  // An event that is known to fail gives up its slot when there are too many: nothing else would be read.
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
