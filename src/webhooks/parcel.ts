/** One event on its way to one webhook, and its row. */

/** What the outbox has to know of an event. */
export interface Sendable {
  readonly seq: number;
  readonly id: string;
  readonly session: string | null;
}

/**
 * What a row stands for: its event, or its event and all later ones of its session, or only the
 * latter, as the event itself is delivered or given up.
 */
export type StandsFor = 'event' | 'event_and_rest' | 'rest';

/** An undelivered event, as it is stored. */
export interface Outstanding extends Sendable {
  readonly standsFor: StandsFor;
  /** Failures so far. */
  readonly attempt: number;
  /** When it is due, ms since 1970. */
  readonly nextAt: number;
  /** It is not brought forward to before this time, ms since 1970; 0: to any. */
  readonly notBefore: number;
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
  /** Its last answer asked for its `notEarlierThan`. */
  isAsked: boolean;
  isSending: boolean;
  isSettled: boolean;
  isKept: boolean;
  hasChanged: boolean;
}

/** Events of one session go one after the other; one of no session goes alone. */
export function queueOf({ session, seq }: Sendable): string {
  return session ?? `#${seq}`;
}

/** `isKept`: it has a row of its own. */
export function makeParcel<E extends Sendable>(
  { seq, id, session }: Sendable,
  event: E | null,
  attempt: number,
  nextAt: number,
  isKept: boolean,
): Parcel<E> {
  const unsent = { isSending: false, isSettled: false, hasChanged: false, plannedAt: null };
  const fresh = { isAsked: false, failedAfter: 0, early: 0, notEarlierThan: 0 };
  return { seq, id, session, event, attempt, nextAt, isKept, ...fresh, ...unsent };
}

/** Its row; when it was brought forward, with the time that was planned. */
export function toOutstanding<E extends Sendable>(
  { seq, id, session, attempt, nextAt, plannedAt, notEarlierThan }: Parcel<E>,
  standsFor: StandsFor,
): Outstanding {
  const times = { nextAt: plannedAt ?? nextAt, notBefore: notEarlierThan };
  return { seq, id, session, standsFor, attempt, ...times };
}

/** The row of one that is done, for what comes after it of its session. */
export function toRest({ seq, id, session }: Sendable): Outstanding {
  return { seq, id, session, standsFor: 'rest', attempt: 0, nextAt: 0, notBefore: 0 };
}
