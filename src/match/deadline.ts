/** The next deadline of a session without any input. Times in ms since 1970. */

import type { Seat } from '../../game/src/game.ts';
import { gameOf } from './evolve.ts';
import type { ActiveSession, Session } from './session.ts';
import { isOut } from './session.ts';

/** The end of the moving seat's turn, and its reason. */
export interface TurnDeadline {
  readonly seat: Seat;
  readonly at: number;
  readonly reason: 'afk_timeout' | 'clock_timeout';
}

/** The end of one player's grace period, or of all players'. */
type AbsenceDeadline =
  /** A seat has been without a socket for too long, and another player is connected to win, or has won. */
  | { readonly kind: 'grace'; readonly at: number; readonly seat: Seat }
  /** No player is connected, and the last grace period ends. */
  | { readonly kind: 'abandoned'; readonly at: number };

/** What expires, and when: at that time and not a millisecond before. */
export type Deadline =
  /** The session has not become active in time. */
  | { readonly kind: 'pending'; readonly at: number }
  | ({ readonly kind: 'turn' } & TurnDeadline)
  /** The game's own time is up. */
  | { readonly kind: 'play'; readonly at: number }
  | AbsenceDeadline;

/** The share of a turn after which a player is warned. */
const WARNING_PART = 2 / 3;

/** The shortest turn limit that a game may set. */
const TURN_LIMIT_MS_MIN = 1_000;

/** How long the running turn may take, in ms. */
function turnLimit({ setup, play, rules }: ActiveSession): number {
  const limitMs = rules.game.turnLimitMs?.(play.state, setup.turnTimeoutMs) ?? setup.turnTimeoutMs;
  // A limit of zero would end turn after turn at once.
  return Number.isFinite(limitMs) ? Math.max(TURN_LIMIT_MS_MIN, limitMs) : setup.turnTimeoutMs;
}

/**
 * The end of the running turn; null when no seat is to act or no limit applies. If several seats
 * are to act it names the first: all have the same time.
 */
export function turnDeadline(session: ActiveSession): TurnDeadline | null {
  const [seat] = session.play.acting;
  if (seat === undefined) return null;
  const afkAt = session.setup.afk ? session.turnStartedAt + turnLimit(session) : Infinity;
  const clockAt =
    session.clockMs === null ? Infinity : session.turnStartedAt + session.clockMs[seat]!;
  if (clockAt <= afkAt) {
    return clockAt === Infinity ? null : { seat, at: clockAt, reason: 'clock_timeout' };
  }
  return { seat, at: afkAt, reason: 'afk_timeout' };
}

/** When the seat to move is warned of `afk_timeout`; null when that does not threaten. */
export function warningTime(session: ActiveSession): number | null {
  if (turnDeadline(session)?.reason !== 'afk_timeout') return null;
  return session.turnStartedAt + Math.floor(turnLimit(session) * WARNING_PART);
}

/** The shortest grace period of a player whom the service itself disconnected (rule P6). Ms. */
export const RETURN_GRACE_MS = 10_000;

/** When the grace period of a seat without a socket ends; null while it is connected, a bot or out. */
export function graceEnd(session: Session, seat: Seat): number | null {
  const state = session.seats[seat]!;
  if (state.isBot || state.disconnectedAt === null || isOut(session, seat)) return null;
  const { disconnectGraceMs } = session.setup;
  const graceMs = state.putAway ? Math.max(disconnectGraceMs, RETURN_GRACE_MS) : disconnectGraceMs;
  return state.disconnectedAt + graceMs;
}

/** The first deadline; null when there is none. */
export function firstDeadline(session: Session): Deadline | null {
  switch (session.status) {
    case 'pending':
      return { kind: 'pending', at: session.expiresAt };
    case 'ended':
      return null;
    case 'active': {
      const turn = turnDeadline(session);
      const absence = absenceDeadline(session);
      // On a tie absence comes first: when both players are gone, neither wins (rule S8).
      const play = playDeadline(session);
      const made = turn === null ? null : ({ kind: 'turn', ...turn } as const);
      return earlier(absence, earlier(play, made));
    }
  }
}

/** The next time at which a tick changes the session; null when there is none. */
export function nextDeadline(session: Session): number | null {
  return firstDeadline(session)?.at ?? null;
}

function playDeadline({ playEndsAt }: ActiveSession): Deadline | null {
  return playEndsAt === null ? null : { kind: 'play', at: playEndsAt };
}

/** The first on a tie. */
function earlier(first: Deadline | null, second: Deadline | null): Deadline | null {
  if (first === null || second === null) return first ?? second;
  return first.at <= second.at ? first : second;
}

/** Without a connected player or a winner the match waits for the last grace period. */
function absenceDeadline(session: ActiveSession): AbsenceDeadline | null {
  let first: { readonly seat: Seat; readonly at: number } | null = null;
  let last = 0;
  let isSomebodyHere = false;
  for (let seat = 0; seat < session.seats.length; seat += 1) {
    const { connected, isBot } = session.seats[seat]!;
    if ((connected || isBot) && !isOut(session, seat)) isSomebodyHere = true;
    const at = graceEnd(session, seat);
    if (at === null) continue;
    if (first === null || at < first.at) first = { seat, at };
    last = Math.max(last, at);
  }
  if (first === null) return null;
  const { play } = session;
  const isOpen = isSomebodyHere || gameOf(session).hasWinner?.(play.state) === true;
  return isOpen ? { kind: 'grace', ...first } : { kind: 'abandoned', at: last };
}
