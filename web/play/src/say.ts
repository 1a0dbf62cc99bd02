/** What to tell those who hear the page when a frame has changed the session. Pure. */

import { fieldOf } from './field.ts';
import type { BoardModule } from './games/board-view.ts';
import type { Translate } from './i18n/translate.ts';
import { spokenName } from './model.ts';
import type { Seat, ServerFrame, SessionView, UpdateFrame } from './protocol.ts';
import { drawStepOf, isMove } from './protocol.ts';
import { headlineOf, reasonOf } from './result-words.ts';

export interface Change {
  readonly before: SessionView | null;
  readonly session: SessionView;
  readonly cause: ServerFrame;
  readonly board: BoardModule | null;
  /** The server's time, ms since 1970. */
  readonly now: number;
}

export interface Said {
  /** It cannot wait for what is being said. */
  readonly urgent: boolean;
  readonly texts: readonly string[];
}

export function sayOf(change: Change, t: Translate): Said {
  const { before, session, cause } = change;
  const { result } = session;
  if (session.status === 'ended' && before?.status !== 'ended' && result !== null) {
    const headline = headlineOf(session, result, t);
    const reason = reasonOf(session, result, t);
    return { urgent: true, texts: [t('say.result', { headline, reason })] };
  }
  switch (cause.t) {
    case 'update':
      return calm([...sayStep(change, cause, t), ...sayTurn(before, session, t)]);
    case 'state':
      return calm(sayState(before, session, t));
    case 'presence': {
      if (cause.seat === session.seat || session.status !== 'active') return calm([]);
      const name = spokenName(session, cause.seat, t);
      return calm([t(cause.connected ? 'say.back' : 'say.away', { name })]);
    }
    case 'warning':
      return sayWarning(change, t);
    default:
      return calm([]);
  }
}

function sayWarning({ session, now }: Change, t: Translate): Said {
  const { warned, seat, deadline } = session;
  if (warned === null || warned !== seat || deadline === null) return calm([]);
  const time = t.spoken(deadline - now);
  return { urgent: true, texts: [t('status.afkYou', { time })] };
}

function calm(texts: readonly string[]): Said {
  return { urgent: false, texts };
}

/** What somebody did, as an `update` shows it. */
export function sayStep(
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

function sayTurn(before: SessionView | null, session: SessionView, t: Translate): string[] {
  if (session.turn === null || before?.turn === session.turn) return [];
  if (session.turn === session.seat) return [t('status.yourTurn')];
  return before === null
    ? [t('status.theirTurn', { name: spokenName(session, session.turn, t) })]
    : [];
}

function sayState(before: SessionView | null, session: SessionView, t: Translate): string[] {
  if (session.status !== 'active') return [];
  const begins = before?.status === 'pending' ? [t('say.started')] : [];
  return [...begins, ...sayTurn(before, session, t)];
}
