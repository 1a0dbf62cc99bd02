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

/** One event on its way out. */
export interface Parcel<E extends Sendable> extends Sendable {
  /** Null when it has to be read again first. */
  event: E | null;
  /** Failures so far. */
  attempt: number;
  /** When it is due, ms since 1970. */
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
  /** It is delivered or given up. */
  isSettled: boolean;
  /** It has a row of its own. */
  isStored: boolean;
  /** Its row is outdated. */
  hasChanged: boolean;
}

/** Events of one session go one after the other; one of no session goes alone. */
export function queueOf({ session, seq }: Sendable): string {
  return session ?? `#${seq}`;
}

/** An event that was not tried yet; `event` is null when it has to be read first. */
export function makeParcel<E extends Sendable>(
  { seq, id, session }: Sendable,
  event: E | null,
): Parcel<E> {
  return {
    seq,
    id,
    session,
    event,
    attempt: 0,
    nextAt: 0,
    plannedAt: null,
    early: 0,
    notEarlierThan: 0,
    failedAfter: 0,
    isAsked: false,
    isSending: false,
    isSettled: false,
    isStored: false,
    hasChanged: false,
  };
}

/** An undelivered event as its row describes it. */
export function restoreParcel<E extends Sendable>(row: Outstanding): Parcel<E> {
  const parcel = makeParcel<E>(row, null);
  parcel.attempt = row.attempt;
  parcel.nextAt = row.nextAt;
  parcel.notEarlierThan = row.notBefore;
  parcel.isStored = row.standsFor === 'event';
  return parcel;
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
