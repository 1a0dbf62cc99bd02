/**
 * Service of a match is continuous or interrupted (rule P6). An interruption is charged to nobody: the
 * next record of the match gives back its length, and whoever has to find the match again has ten seconds.
 *
 * Three things interrupt, and each is noticed where it happens:
 * - the process stands still, or its store does, for all its matches at once (`Downtime.noteStall`);
 * - one commit takes a second or more (`noteCommit`);
 * - a match has to be loaded that somebody held, or that was due before (`interruptedSince`).
 *
 * All times are milliseconds since 1970, all lengths milliseconds.
 */

import { nextDeadline, RETURN_GRACE_MS } from '../../../match/deadline.ts';
import type { Session } from '../../../match/session.ts';

/** A shorter interruption goes unnoticed. */
export const INTERRUPTION_MS = 1_000;
/** A sleeping match that is woken this late after its deadline was not served at its deadline. */
const LATE_MS = 2_000;

/** Time without service since the match's last record. Only this file changes the fields. */
export interface LostTime {
  /** By interruptions of this match alone. */
  ownMs: number;
  /** `Downtime.stillMs` when its last record was written. */
  stillBefore: number;
  /** A minimum, if the match was loaded since: the next deadline leaves ten seconds from then on. */
  comeBackMs: number;
}

/** The interruptions that affect all matches of this process. */
export interface Downtime {
  /** How long it has stood still in all, since it began. */
  readonly stillMs: () => number;
  /** No match was served between these times. Overlapping reports count once. Returns the newly counted time. */
  noteStall(from: number, to: number): number;
  /** When the service last failed: the store failed, or took a second or more. 0 for never. */
  readonly troubleAt: () => number;
  noteTrouble(now: number): void;
}

export function makeDowntime(): Downtime {
  let stillMs = 0;
  /** The latest stretch. Reports that overlap it extend it both ways. */
  let counted = { from: -Infinity, to: -Infinity };
  let troubleAt = 0;
  return {
    stillMs: () => stillMs,
    troubleAt: () => troubleAt,
    noteTrouble(now) {
      troubleAt = now;
    },
    noteStall(from, to) {
      troubleAt = Math.max(troubleAt, to);
      // It ended before the latest began, and was counted then.
      if (to < counted.from) return 0;
      const known = from > counted.to ? { from, to: from } : counted;
      counted = { from: Math.min(from, known.from), to: Math.max(to, known.to) };
      const newMs = counted.to - counted.from - (known.to - known.from);
      stillMs += newMs;
      return newMs;
    },
  };
}

/** A match that was served until now. */
export function noLostTime(downtime: Downtime): LostTime {
  return { ownMs: 0, stillBefore: downtime.stillMs(), comeBackMs: 0 };
}

/** Called for each match every second, and twice for each move, so it does not read the clock. */
export function wasInterrupted(
  downtime: Downtime,
  { ownMs, stillBefore, comeBackMs }: LostTime,
): boolean {
  return comeBackMs > 0 || ownMs > 0 || downtime.stillMs() > stillBefore;
}

/**
 * The time that a record of the match at `now` gives back: at most the time since the last record, or what leaves
 * ten seconds. Does not call the engine, so an engine that throws cannot prevent the end of its match.
 */
export function lostMs(downtime: Downtime, lost: LostTime, session: Session, now: number): number {
  const sumMs = lost.ownMs + downtime.stillMs() - lost.stillBefore;
  return Math.max(0, Math.min(sumMs, now - session.at), lost.comeBackMs);
}

/** A commit was written, which took `waitMs`: it gave back what was lost before it was sent. */
export function noteCommit(downtime: Downtime, lost: LostTime, waitMs: number): void {
  lost.ownMs = waitMs >= INTERRUPTION_MS ? waitMs : 0;
  lost.stillBefore = downtime.stillMs();
  lost.comeBackMs = 0;
}

/** The match was loaded, and had no service since `since`. Throws what its engine throws. */
export function noteInterruption(
  lost: LostTime,
  session: Session,
  since: number,
  now: number,
): void {
  const leftMs = (nextDeadline(session) ?? Infinity) - now;
  lost.ownMs = Math.max(0, now - Math.max(since, session.at));
  lost.comeBackMs = Math.max(0, RETURN_GRACE_MS - leftMs);
}

/** How a match comes into memory. */
export type Arrival =
  /** Nobody owned it. Its next check was due then; null for never. */
  | { readonly from: 'sleep'; readonly wakeAt: number | null }
  /** Its holder served it until then; null where nobody can say until when. */
  | { readonly from: 'holder'; readonly servedUntil: number | null }
  /** This process holds it: it has made it and not taken it in yet, or has let go of what it held. */
  | { readonly from: 'self' };

/**
 * Since when a match that is loaded now had no service; null if its service was continuous. Throws what its engine
 * throws.
 */
export function interruptedSince(
  downtime: Downtime,
  arrival: Arrival,
  session: Session,
  now: number,
): number | null {
  if (arrival.from === 'holder') return arrival.servedUntil ?? session.at;
  if (arrival.from === 'self') return now - session.at < INTERRUPTION_MS ? null : session.at;
  return wokenLate(downtime, arrival.wakeAt, session, now);
}

function wokenLate(
  downtime: Downtime,
  wakeAt: number | null,
  session: Session,
  now: number,
): number | null {
  // Created for players on other nodes, who could not reach it yet: they lost ten seconds at most.
  const isUntouched =
    session.status === 'active' &&
    session.at === session.createdAt &&
    session.seats.every(({ everConnected }) => !everConnected);
  if (isUntouched && now - session.at >= INTERRUPTION_MS) return now - RETURN_GRACE_MS;
  if (wakeAt === null) return null;
  const deadline = nextDeadline(session) ?? Infinity;
  // It slept through outages under a version that stopped sleeping matches' clocks (decision 0039): it still gets
  // that time.
  if (wakeAt > now) return wakeAt > deadline ? now - (wakeAt - deadline) : null;
  // A match that is due before any deadline was given away: its players are looking for it.
  const isGivenAway = wakeAt < deadline;
  const isLate = now - wakeAt >= LATE_MS || wakeAt <= downtime.troubleAt();
  return isGivenAway || isLate ? wakeAt : null;
}
