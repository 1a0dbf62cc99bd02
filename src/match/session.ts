/** A session as folded from its log: a union of what is valid while pending, active and ended. */

import type { Json, Outcome, Seat } from '../../game/src/game.ts';
import type { Rules } from '../games/games.ts';
import type { BotDifficulty, ForfeitReason, SessionSetup } from './record.ts';

export interface SeatState {
  readonly taken: boolean;
  readonly isBot: boolean;
  /** The service's playing strength on the seat; null for other players. */
  readonly level: BotDifficulty | null;
  /** Whether this seat's player has ever had a socket open. */
  readonly everConnected: boolean;
  readonly connected: boolean;
  /** When the last socket closed, in ms since 1970; null while connected or never connected. */
  readonly disconnectedAt: number | null;
  /** Absent since a process took the session over or lost it, which was not the player's doing. */
  readonly putAway: boolean;
  /** Why the seat is out of the game; null while it is in. */
  readonly forfeited: ForfeitReason | null;
  /** The player's entropy for the match, added before the start (rule S9). */
  readonly entropy: string;
}

interface SessionBase {
  readonly id: string;
  /** The rules it is played by. */
  readonly rules: Rules;
  /** Version of the last record. The first record has version 0. */
  readonly v: number;
  /** Time of the last record, ms since 1970. */
  readonly at: number;
  readonly setup: SessionSetup;
  readonly createdAt: number;
  readonly seats: readonly SeatState[];
  /** How many times the session has been taken over. */
  readonly epoch: number;
  /** The process that owns it. */
  readonly node: string;
}

export interface PendingSession extends SessionBase {
  readonly status: 'pending';
  /** The setup's, moved by lost time. */
  readonly expiresAt: number;
}

/** The running game and what the match stores beside it. */
export interface Play {
  readonly state: Json;
  /** The seat to move; null when no seat moves alone. */
  readonly turn: Seat | null;
  /** The seats that may act: the one to move, or several at the same time. */
  readonly acting: readonly Seat[];
  /** How many random values have been drawn. */
  readonly drawn: number;
  /** Committed actions, or ticks; resignations and the like do not count. */
  readonly moveCount: number;
}

export interface ActiveSession extends SessionBase {
  readonly status: 'active';
  readonly startedAt: number;
  /** When the game's time limit ends, moved by lost time; null if it has none. */
  readonly playEndsAt: number | null;
  readonly play: Play;
  /** When the current turn started, moved by lost time. */
  readonly turnStartedAt: number;
  /** Time left by seat at `turnStartedAt`; null without a clock. */
  readonly clockMs: readonly number[] | null;
  /** The seat with an open draw offer. */
  readonly drawOfferedBy: Seat | null;
  /** `moveCount` at each seat's last offer; null before its first. */
  readonly drawOfferedAtMove: readonly (number | null)[];
}

export interface EndedSession extends SessionBase {
  readonly status: 'ended';
  /** Null when it never became active. */
  readonly startedAt: number | null;
  readonly endedAt: number;
  /** The game at the end; null when it never began. */
  readonly play: Play | null;
  readonly outcome: Outcome;
  readonly clockMs: readonly number[] | null;
}

export type Session = PendingSession | ActiveSession | EndedSession;
export type SessionStatus = Session['status'];

/** A seat's player: stored beside the log, never in it. An erased player is all null. */
export interface Player {
  readonly id: string | null;
  readonly displayName: string | null;
}
/** By seat; null is an open seat. */
export type Roster = readonly (Player | null)[];

/** The entropy of all seats in one text: besides the seed, the input of the match's random values. */
export function entropyOf(session: Session): string {
  return JSON.stringify(session.seats.map((seat) => seat.entropy));
}

/** The first acting seat that the service itself plays; null for none. */
export function serviceSeatToMove(session: Session): Seat | null {
  if (session.status !== 'active') return null;
  const isServed = (seat: Seat): boolean => {
    const { level, forfeited } = session.seats[seat]!;
    return level !== null && forfeited === null;
  };
  return session.play.acting.find(isServed) ?? null;
}

/** Whether the seat is out: its player has left, or the game has eliminated it. */
export function isOut(session: Session, seat: Seat): boolean {
  if (session.seats[seat]!.forfeited !== null) return true;
  if (session.status !== 'active') return false;
  return session.rules.game.isOut?.(session.play.state, seat) ?? false;
}
