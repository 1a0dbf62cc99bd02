/** The port to players' rematch requests, stored in the row of the ended session (decision 0046). */

import type { Agreement, AgreementRefusal, RematchDo } from '../match/agreement.ts';
import type { Mode } from '../match/record.ts';
import type { KeyMode } from '../tenancy/tenant.ts';

/** A player's rating in the session's game before and after the match, rounded to a tenth. */
export type RatingChange = readonly [before: number, after: number];

export interface RematchSeat {
  readonly isBot: boolean;
  /** Null for an erased player. */
  readonly playerId: string | null;
  /** Whether the player has a socket open on any node. False for bots. */
  readonly isHere: boolean;
}

/** Everything about the rematch of a session. */
export interface RematchView {
  readonly tenant: string;
  readonly mode: Mode;
  readonly world: KeyMode;
  readonly agreement: Agreement;
  readonly seats: readonly RematchSeat[];
  readonly isPossible: boolean;
  /** Ms since 1970; null before the end. */
  readonly endedAt: number | null;
  /** The rematch session; null when there is none. */
  readonly next: string | null;
  /** By seat; null for a match that was not rated. */
  readonly ratings: readonly RatingChange[] | null;
}

/** One player's request. */
export interface RematchStep {
  readonly session: string;
  readonly seat: number;
  /** The player who must have the seat; null skips the check, in tests only. */
  readonly player: string | null;
  readonly do: RematchDo;
  /** Ms since 1970. */
  readonly now: number;
  /** The id for the event, if the step completes the agreement. */
  readonly eventId: string;
}

/** `done`: the request stands, whether or not it changed anything. */
export type RematchOutcome = 'done' | 'unknown_session' | AgreementRefusal;

export interface RematchStore {
  /** Atomic, and committed when this resolves. The step that completes the agreement writes its event with it. */
  stepRematch(step: RematchStep): Promise<RematchOutcome>;
  /** Null when there is no such session. */
  findRematch(session: string): Promise<RematchView | null>;
}
