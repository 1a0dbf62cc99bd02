/**
 * The rematch agreement of an ended session's players: pure data, stored outside the log, which
 * takes no more records.
 */

import type { Seat } from '../../game/src/game.ts';

/** How long players can agree after the end: as long as tokens open the session (rule P2). Ms. */
export const REMATCH_MS = 600_000;

export type RematchDo = 'offer' | 'withdraw' | 'decline';

/** As stored, in JSON. */
export interface Agreement {
  /** Seats that offered one, in the order of their offers. */
  readonly asked: readonly Seat[];
  /** The seat that declined, which is final. */
  readonly declined: Seat | null;
}

export const NO_AGREEMENT: Agreement = { asked: [], declined: null };

/** The rematch frame (rule P13). */
export interface RematchFrame {
  readonly t: 'rematch';
  readonly s: string;
  /** The id of the frame that it answers; absent in notifications. */
  readonly id?: string;
  readonly asked: readonly Seat[];
  readonly agreed: boolean;
  readonly declined: Seat | null;
  /** Seats of players with a socket open anywhere. */
  readonly here: readonly Seat[];
  /** ISO 8601; null if there can be none. */
  readonly until: string | null;
  readonly next: { readonly session: string; readonly token?: string } | null;
  /** Why the service could not create it; otherwise null. */
  readonly refused: string | null;
  /** By seat: before and after the match. */
  readonly ratings: readonly (readonly [number, number])[] | null;
}

/** What an agreement depends on in its session. */
export interface AgreementContext {
  readonly agreement: Agreement;
  /** Seats of people: bots count as asking. */
  readonly humans: readonly Seat[];
  /** Whether it may have a rematch at all. */
  readonly isPossible: boolean;
  /** Ms since 1970; null before the end. */
  readonly endedAt: number | null;
  /** Whether a rematch exists. */
  readonly hasNext: boolean;
}

/** `no_rematch`: it can have none. `over`: it was declined or agreed on, or its time is up. */
export type AgreementRefusal = 'session_not_ended' | 'no_rematch' | 'rematch_over';

/** The seats that have to agree. */
export function humansOf(seats: readonly { readonly isBot: boolean }[]): readonly Seat[] {
  return seats.flatMap(({ isBot }, seat) => (isBot ? [] : [seat]));
}

export function isAgreed({
  agreement,
  humans,
}: Pick<AgreementContext, 'agreement' | 'humans'>): boolean {
  return humans.length > 0 && humans.every((seat) => agreement.asked.includes(seat));
}

/** The agreement after a step at `now`, ms since 1970, or why the step is refused. */
export function stepAgreement(
  session: AgreementContext,
  seat: Seat,
  step: RematchDo,
  now: number,
): Agreement | AgreementRefusal {
  const { agreement, isPossible, endedAt, hasNext } = session;
  if (endedAt === null) return 'session_not_ended';
  // A late request gets the existing rematch, which cannot be withdrawn.
  if (hasNext || isAgreed(session)) return step === 'offer' ? agreement : 'rematch_over';
  if (!isPossible) return 'no_rematch';
  if (now - endedAt > REMATCH_MS) return 'rematch_over';
  const asked = agreement.asked.filter((each) => each !== seat);
  const { declined } = agreement;
  if (declined !== null) {
    return declined === seat && step === 'decline' ? agreement : 'rematch_over';
  }
  if (step === 'decline') return { asked, declined: seat };
  if (step === 'withdraw') return { ...agreement, asked };
  return agreement.asked.includes(seat) ? agreement : { ...agreement, asked: [...asked, seat] };
}
