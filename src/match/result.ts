/** The result of a session as tenants and players read it (rule S8). */

import type { EndedSession, Roster } from './session.ts';

/** One seat's place in the final order. Equal places are shared. */
export interface Placement {
  readonly playerId: string | null;
  readonly seat: number;
  /** 1 for the first. */
  readonly place: number;
}

/** Beside these stands what the game adds, e.g. `line`. */
export interface Result {
  /** The one winner's player id; null when nobody or more than one has won. */
  readonly winner: string | null;
  readonly winners: readonly (string | null)[];
  readonly placements: readonly Placement[];
  readonly reason: string;
  /** From the start to the end; 0 when the match never began. */
  readonly durationMs: number;
  /** Actions committed. */
  readonly moveCount: number;
}

export function makeResult(session: EndedSession, roster: Roster): Result {
  const { outcome } = session;
  const playerId = (seat: number): string | null => roster[seat]?.id ?? null;
  const winners = outcome.winners.map(playerId);
  return {
    ...outcome.detail,
    winner: outcome.winners.length === 1 ? winners[0]! : null,
    winners,
    placements: outcome.places
      .map((place, seat) => ({ playerId: playerId(seat), seat, place }))
      .filter((placement) => roster[placement.seat] != null)
      .sort((a, b) => a.place - b.place || a.seat - b.seat),
    reason: outcome.reason,
    durationMs: session.startedAt === null ? 0 : session.endedAt - session.startedAt,
    moveCount: session.play?.moveCount ?? 0,
  };
}
