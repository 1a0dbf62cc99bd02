/** When a session next needs a look although nobody has sent anything. Times in ms since 1970. */

import type { Seat } from '../games/game.ts';
import { gameOf } from './evolve.ts';
import type { ActiveSession, Session } from './session.ts';

/** The turn's end for the seat to move, and what makes it one. */
export interface TurnDeadline {
  readonly seat: Seat;
  readonly at: number;
  readonly reason: 'afk_timeout' | 'clock_timeout';
}

/** Part of the turn's time after which a player is warned. */
const WARNING_PART = 2 / 3;

/** The end of the running turn; null when nobody is to move or no limit applies. */
export function turnDeadline(session: ActiveSession): TurnDeadline | null {
  const seat = gameOf(session).turn(session.play.state);
  if (seat === null) return null;
  const afkAt = session.setup.afk ? session.turnStartedAt + session.setup.turnTimeoutMs : Infinity;
  const clockAt =
    session.clockMs === null ? Infinity : session.turnStartedAt + session.clockMs[seat]!;
  if (clockAt <= afkAt) {
    return clockAt === Infinity ? null : { seat, at: clockAt, reason: 'clock_timeout' };
  }
  return { seat, at: afkAt, reason: 'afk_timeout' };
}

/** When the seat to move is to be warned of `afk_timeout`; null when that does not threaten. */
export function warningTime(session: ActiveSession): number | null {
  if (!session.setup.afk) return null;
  return gameOf(session).turn(session.play.state) === null
    ? null
    : session.turnStartedAt + Math.floor(session.setup.turnTimeoutMs * WARNING_PART);
}

/** When the grace of a seat without a socket ends; null while it is connected, a bot or out. */
export function graceEnd(session: Session, seat: Seat): number | null {
  const state = session.seats[seat]!;
  if (state.isBot || state.forfeited !== null || state.disconnectedAt === null) return null;
  return state.disconnectedAt + session.setup.disconnectGraceMs;
}

/**
 * The next time at which `decide` of a tick may do something; null when there is none. May be
 * early, never late: a grace that has run out while everyone was away waits for the last one's.
 */
export function nextDeadline(session: Session, now: number): number | null {
  switch (session.status) {
    case 'pending':
      return session.expiresAt;
    case 'ended':
      return null;
    case 'active': {
      const times = session.seats
        .map((_, seat) => graceEnd(session, seat))
        .filter((at): at is number => at !== null && at > now);
      const turn = turnDeadline(session);
      if (turn !== null) times.push(turn.at);
      return times.length === 0 ? null : Math.min(...times);
    }
  }
}
