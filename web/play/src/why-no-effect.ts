/** Why a tap on the board has no effect now, whatever was tapped. Pure. */

import type { Translate } from './i18n/translate.ts';
import type { Model } from './model.ts';
import { isOut, isToMove } from './model.ts';

/** Null if the player may move, so that the reason is the tapped thing; empty if no explanation is needed. */
export function whyNoEffect({ connection, session, sending }: Model, t: Translate): string | null {
  // The status line already shows it.
  if (connection.kind !== 'open' || session === null || session.status === 'ended') return '';
  if (session.seat === null) return t('hint.watching');
  if (session.status === 'pending') return t('reject.session_not_active');
  if (isOut(session, session.seat)) return t('reject.out');
  if (!isToMove(session, session.seat)) return t('reject.not_your_turn');
  return sending === null ? null : '';
}
