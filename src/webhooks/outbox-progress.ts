/** What an outbox has to have stored before the webhook's position in the log advances. */

import { takeLeftRows } from './left-events.ts';
import { type OutboxState, touch } from './outbox-state.ts';
import { type Outstanding, type Parcel, queueOf, type Sendable, toOutstanding } from './parcel.ts';

/** What changed since progress was last stored. */
export interface Progress {
  /** Everything up to here in the log is delivered, given up, or stored as outstanding. */
  readonly cursor: number;
  readonly changed: readonly Outstanding[];
  /** Positions of stored events that are not outstanding any more. */
  readonly settled: readonly number[];
}

export function takeProgress<E extends Sendable>(state: OutboxState<E>): Progress | null {
  passFresh(state);
  const leftRows = takeLeftRows(state);
  state.doneBehindFailures = 0;
  const { passed, storedCursor, changed, settled } = state;
  const rows = changed.length + settled.length + leftRows.length;
  if (passed === storedCursor && rows === 0) return null;
  const open = changed.filter(({ isSettled, isStored }) => isStored && !isSettled);
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
function passFresh<E extends Sendable>(state: OutboxState<E>): void {
  let count = 0;
  // The time of a `Retry-After` is stored, so its untried earlier events are stored, too.
  const asked = state.fresh.findLastIndex(({ isSettled, isAsked }) => isAsked && !isSettled);
  for (const parcel of state.fresh) {
    if (!parcel.isSettled) {
      if (!state.isEnding && count > asked && !isHeldUp(state, parcel)) break;
      parcel.isStored = true;
      touch(state, parcel);
    }
    count += 1;
  }
  state.fresh = state.fresh.slice(count);
  state.passed = state.fresh.length === 0 ? state.readTo : state.fresh[0]!.seq - 1;
}

/** It failed, or waits behind one that did: it may take long, so the cursor does not wait for it. */
function isHeldUp<E extends Sendable>({ queues }: OutboxState<E>, parcel: Parcel<E>): boolean {
  return parcel.attempt > 0 || (queues.get(queueOf(parcel))?.parcels[0]?.attempt ?? 0) > 0;
}
