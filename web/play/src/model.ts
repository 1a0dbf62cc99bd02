/** The page's state in one value: the connection, the session, and commands in progress. */

import { fieldOf, indexesIn } from './field.ts';
import type { BoardModule } from './games/board-view.ts';
import type { Translate } from './i18n/translate.ts';
import type { CommandMessage, ConnectionStatus, Seat, SessionView } from './protocol.ts';
import { playerAt } from './protocol.ts';

export interface Model {
  readonly connection: ConnectionStatus;
  /** Whether the device has a network at all. */
  readonly online: boolean;
  readonly session: SessionView | null;
  /** The session's board; null until it is loaded. */
  readonly board: BoardModule | null;
  /** The player's oldest pending command. */
  readonly sending: CommandMessage | null;
  /** Why the last command was rejected, in words, for a few seconds. */
  readonly refusal: string | null;
  /** The server's own message, until the position changes or another command is sent. */
  readonly refused: string | null;
  /** The last known number of watchers; null before. */
  readonly watchers: number | null;
}

/** Both clocks, ms since 1970: the server's, on which sessions run, and the device's. */
export interface Now {
  readonly server: number;
  readonly own: number;
}

/** A seat's name, also for an open one. */
export function seatName(session: SessionView, seat: Seat, t: Translate): string {
  const player = playerAt(session, seat);
  if (player === null) return t('player.open');
  // Only an erased player has no id (rule R2).
  return player.displayName ?? player.id ?? t('player.erased', { number: seat + 1 });
}

/** The name as addressed to the player: "You" for their own seat. */
export function spokenName(session: SessionView, seat: Seat, t: Translate): string {
  return seat === session.seat ? t('player.you') : seatName(session, seat, t);
}

/** Whether the player can make a move now. */
export function canMove({ connection, session, sending }: Model): boolean {
  const isReady = connection.kind === 'open' && sending === null;
  return isReady && session?.status === 'active' && isToMove(session, session.seat);
}

/** Whether it is this seat's turn, alone or with others. */
export function isToMove({ acting }: SessionView, seat: Seat | null): boolean {
  return seat !== null && acting.includes(seat);
}

/** Whether this seat is out while others play on. A game that allows this shows it in its view. */
export function isOut({ view, seats }: SessionView, seat: Seat | null): boolean {
  return seat !== null && seats > 2 && indexesIn(fieldOf(view, 'out'), seats).includes(seat);
}

/** The seats that are not out. */
export function playingSeats(session: SessionView): Seat[] {
  return Array.from({ length: session.seats }, (_, seat) => seat).filter(
    (seat) => !isOut(session, seat),
  );
}

/**
 * The seats that win at once if the player resigns; none if others then play on. A game of more than two shows in its
 * view
 * which seats have finished or are out. A player who has finished has a place and plays no more.
 */
export function winnersByResigning(session: SessionView): Seat[] {
  const { seat: own, seats, game, variant, view } = session;
  const home = indexesIn(fieldOf(view, 'home'), seats);
  const isOwn = (seat: Seat): boolean => seat === own;
  if (own === null || home.some(isOwn)) return [];
  // A team loses if one of its players leaves.
  if (game === 'ludo' && variant === 'teams') {
    return Array.from({ length: seats }, (_, seat) => seat).filter((seat) => seat % 2 !== own % 2);
  }
  const others = playingSeats(session).filter((seat) => !isOwn(seat) && !home.includes(seat));
  if (others.length > 1) return [];
  return home.length > 0 ? home.slice(0, 1) : others;
}

/** The first other seat: in a game of two, the opponent. */
export function opponentOf(session: SessionView): Seat | null {
  const others = Array.from({ length: session.seats }, (_, seat) => seat).filter(
    (seat) => seat !== session.seat,
  );
  return others[0] ?? null;
}

/** Whether the player of this seat of a running match has never connected. */
export function isAwaited({ status, awaited }: SessionView, seat: Seat): boolean {
  return status === 'active' && awaited?.includes(seat) === true;
}

/** The seat whose player is disconnected, and until when they may return. */
export function awaySeat(session: SessionView): { seat: Seat; until: number | null } | null {
  if (session.status !== 'active') return null;
  const player = session.players.find(
    ({ connected, seat }) => !connected && seat !== session.seat && !isOut(session, seat),
  );
  if (player === undefined) return null;
  return { seat: player.seat, until: session.graces[player.seat] ?? null };
}
