/** The result of a session as tenants and players read it (rule S8). */

import type { Outcome } from '../../game/src/game.ts';
import type { EndedSession, Roster } from './session.ts';

/** One seat's place in the final order. Equal places are shared. */
export interface Placement {
  readonly playerId: string | null;
  readonly seat: number;
  readonly isBot: boolean;
  /** 1 for the first. */
  readonly place: number;
  /** Points, in games that count them. */
  readonly score?: number;
}

/** The length of a match. */
export interface Effort {
  /** From the start to the end; 0 when the match never began. */
  readonly durationMs: number;
  /** Committed actions, or ticks in a tick game. */
  readonly moveCount: number;
}

/** The game adds its own fields, e.g. `line`. */
export interface Result extends Effort {
  /** The one winner's player id; null for no winner or several. */
  readonly winner: string | null;
  readonly winners: readonly (string | null)[];
  readonly placements: readonly Placement[];
  readonly reason: string;
}

export function makeResult(session: EndedSession, roster: Roster): Result {
  const { outcome, startedAt, endedAt, play } = session;
  const durationMs = startedAt === null ? 0 : endedAt - startedAt;
  const effort = { durationMs, moveCount: play?.moveCount ?? 0 };
  return nameOutcome(outcome, roster, effort, (seat) => session.seats[seat]?.isBot === true);
}

/** An outcome with players in place of seats. Open seats have no place. */
export function nameOutcome(
  outcome: Outcome,
  roster: Roster,
  effort: Effort,
  isBot: (seat: number) => boolean,
): Result {
  const playerId = (seat: number): string | null => roster[seat]?.id ?? null;
  const winners = outcome.winners.map(playerId);
  return {
    ...outcome.detail,
    winner: winners.length === 1 ? winners[0]! : null,
    winners,
    placements: outcome.places
      .map((place, seat) => ({
        playerId: playerId(seat),
        seat,
        isBot: isBot(seat),
        place,
        ...(outcome.scores === undefined ? null : { score: outcome.scores[seat]! }),
      }))
      .filter((placement) => roster[placement.seat] != null)
      .sort((a, b) => a.place - b.place || a.seat - b.seat),
    reason: outcome.reason,
    durationMs: effort.durationMs,
    moveCount: effort.moveCount,
  };
}
