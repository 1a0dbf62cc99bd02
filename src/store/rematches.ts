/** The port to what players say about a rematch. It is kept in the row of the ended session (decision 0046). */

import type { Agreement, AgreementRefusal, RematchDo } from '../match/agreement.ts';
import type { Mode } from '../match/record.ts';
import type { KeyMode } from '../tenancy/tenant.ts';

/** A player's rating in the session's game before and after the match, to a tenth of a point. */
export type RatingChange = readonly [before: number, after: number];

export interface RematchSeat {
  readonly isBot: boolean;
  /** Null of an erased player. */
  readonly playerId: string | null;
  /** Has the player any socket open, on whichever node? False of bots. */
  readonly isHere: boolean;
}

/** All that is known of the rematch of a session. */
export interface RematchView {
  readonly tenant: string;
  readonly mode: Mode;
  readonly world: KeyMode;
  readonly agreement: Agreement;
  readonly seats: readonly RematchSeat[];
  readonly isPossible: boolean;
  /** Ms since 1970; null before the end. */
  readonly endedAt: number | null;
  /** The rematch; null where none is made. */
  readonly next: string | null;
  /** By seat; null of a match that did not count. */
  readonly ratings: readonly RatingChange[] | null;
}

/** What one player says. */
export interface RematchStep {
  readonly session: string;
  readonly seat: number;
  /** Whose seat it is; null asks nobody, in tests alone. */
  readonly player: string | null;
  readonly do: RematchDo;
  /** Ms since 1970. */
  readonly now: number;
  /** The id of the event, where the step completes the agreement. */
  readonly eventId: string;
}

/** `done`: it stands, whether or not it changed anything. */
export type RematchOutcome = 'done' | 'unknown_session' | AgreementRefusal;

export interface RematchStore {
  /** One step, which is committed when this resolves. The one that completes the agreement writes its event with it. */
  stepRematch(step: RematchStep): Promise<RematchOutcome>;
  /** Null when there is no such session. */
  findRematch(session: string): Promise<RematchView | null>;
}
