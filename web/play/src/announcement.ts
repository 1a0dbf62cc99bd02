/** Announcements for screen readers after a frame has changed the session. Pure. */

import { fieldOf } from './field.ts';
import type { BoardModule } from './games/board-view.ts';
import type { Translate } from './i18n/translate.ts';
import { isAwaited, isOut, isToMove, playingSeats, seatName, spokenName } from './model.ts';
import type { PlayerFrame, Seat, ServerFrame, SessionView, UpdateFrame } from './protocol.ts';
import { drawStepOf, isMove, playerAt } from './protocol.ts';
import { headlineOf, reasonOf } from './result-words.ts';

export interface Change {
  readonly before: SessionView | null;
  readonly session: SessionView;
  readonly cause: ServerFrame;
  readonly board: BoardModule | null;
  /** The server's time, ms since 1970. */
  readonly now: number;
}

export interface Announcement {
  /** It interrupts the current announcement. */
  readonly urgent: boolean;
  readonly texts: readonly string[];
  /** The visible part: the event itself, without whose turn it is. */
  readonly event: string | null;
}

export function announcementOf(change: Change, t: Translate): Announcement {
  const { before, session, cause } = change;
  const { result } = session;
  if (session.status === 'ended' && before?.status !== 'ended' && result !== null) {
    const headline = headlineOf(session, result, t);
    const reason = reasonOf(session, result, t);
    const missed = cause.t === 'state' ? describeMissed(change, t) : [];
    const texts = [[...missed, t('say.result', { headline, reason })].join('. ')];
    return { urgent: true, texts, event: missed.length > 0 ? missed.join('. ') : null };
  }
  switch (cause.t) {
    case 'update':
      return polite(describeStep(change, cause, t), describeTurn(before, session, t));
    case 'state':
      return describeState(change, t);
    case 'presence':
      return polite(session.status === 'ended' ? [] : describePresence(before, session, cause, t));
    case 'warning':
      return describeWarning(change, t);
    default:
      return polite([]);
  }
}

function describeWarning({ session, now }: Change, t: Translate): Announcement {
  const { warned, seat, deadline } = session;
  if (warned === null || warned !== seat || deadline === null) return polite([]);
  const time = t.spoken(deadline - now);
  return { urgent: true, texts: [t('status.afkYou', { time })], event: null };
}

function polite(events: readonly string[], turn: readonly string[] = []): Announcement {
  const event = events.length > 0 ? events.join('. ') : null;
  return { urgent: false, texts: [...events, ...turn], event };
}

/** A player's action, as an `update` shows it. */
export function describeStep(
  { before, session, board }: Pick<Change, 'before' | 'session' | 'board'>,
  { seat, action }: Pick<UpdateFrame, 'seat' | 'action'>,
  t: Translate,
): string[] {
  const name = spokenName(session, seat, t);
  const step = drawStepOf(action);
  if (step === 'offer') return [t('say.drawOffered', { name })];
  if (step === 'decline') return [t('say.drawDeclined', { name })];
  if (fieldOf(action, 'forfeit') !== undefined) return [t('say.left', { name })];
  if (board === null || !(isMove(action) || fieldOf(action, 'missed') !== undefined)) return [];
  const shown = {
    before: before?.view ?? null,
    view: session.view,
    variant: session.variant,
    nameOf: (other: Seat) => spokenName(session, other, t),
  };
  return [board.describeMove(action, seat, name, t, shown)];
}

function describeTurn(before: SessionView | null, session: SessionView, t: Translate): string[] {
  const { seat, turn } = session;
  if (isToMove(session, seat)) {
    return before !== null && isToMove(before, seat) ? [] : [t('status.yourTurn')];
  }
  if (before !== null || turn === null) return [];
  return [t('status.theirTurn', { name: spokenName(session, turn, t) })];
}

function describePresence(
  before: SessionView | null,
  session: SessionView,
  { seat, connected }: { readonly seat: Seat; readonly connected: boolean },
  t: Translate,
): string[] {
  if (seat === session.seat) return [];
  const name = spokenName(session, seat, t);
  const isFirst = session.status === 'pending' || (before !== null && isAwaited(before, seat));
  const back = isFirst ? 'say.arrived' : 'say.back';
  return [t(connected ? back : 'say.away', { name })];
}

/** Players who joined and left a match that waits for players. */
function describeRoom(before: SessionView, session: SessionView, t: Translate): string[] {
  const isIn = (view: SessionView, { seat, id }: PlayerFrame): boolean =>
    playerAt(view, seat)?.id === id;
  const left = before.players.filter((player) => !isIn(session, player));
  const joined = session.players.filter((player) => !isIn(before, player));
  return [
    ...left.map(({ seat }) => t('say.leftRoom', { name: seatName(before, seat, t) })),
    ...joined.map(({ seat }) => t('say.joined', { name: seatName(session, seat, t) })),
  ];
}

/** A whole state arrives at the start and after a gap: what was not known before is announced. */
function describeState(change: Change, t: Translate): Announcement {
  const { before, session } = change;
  if (session.status === 'pending' && before !== null)
    return polite(describeRoom(before, session, t));
  if (session.status !== 'active') return polite([]);
  if (before === null) return polite(describeAwaited(session, t), describeTurn(before, session, t));
  const moves = describeMissed(change, t);
  // After a move the turn is announced, even if it is the same player's again.
  const turn = describeTurn(moves.length > 0 ? { ...before, acting: [] } : before, session, t);
  if (before.status === 'pending') return polite([t('say.started'), ...moves], turn);
  const offered = session.drawOfferedBy === before.drawOfferedBy ? null : session.drawOfferedBy;
  const offers =
    offered === null ? [] : [t('say.drawOffered', { name: spokenName(session, offered, t) })];
  const arrivals = session.players
    .filter(({ seat, connected }) => playerAt(before, seat)?.connected === !connected)
    .flatMap((player) => describePresence(before, session, player, t));
  return polite([...moves, ...offers, ...arrivals], turn);
}

/** The players still awaited in a match that began without them. */
function describeAwaited(session: SessionView, t: Translate): string[] {
  return playingSeats(session)
    .filter((seat) => seat !== session.seat && isAwaited(session, seat))
    .map((seat) => t('status.absent', { name: seatName(session, seat, t) }));
}

/** The moves that a state implies, and players who have left the game meanwhile. */
function describeMissed({ before, session, board }: Change, t: Translate): string[] {
  if (before === null) return [];
  const left = playingSeats(before).filter((seat) => isOut(session, seat));
  return [
    ...(board?.missedMoves?.(before, session) ?? []).flatMap((move) =>
      describeStep({ before: move.before, session, board }, move, t),
    ),
    ...left.map((seat) => t('say.left', { name: spokenName(session, seat, t) })),
  ];
}
