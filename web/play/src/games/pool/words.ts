/** What happens in pool, in words. */

import { fieldOf } from '../../field.ts';
import type { Translate } from '../../i18n/translate.ts';
import { keyOr } from '../../i18n/translate.ts';
import type { Seat } from '../../protocol.ts';
import type { ShownMove } from '../board-view.ts';
import { needsCall, readView } from './view.ts';

export function describeMove(
  action: unknown,
  _seat: Seat,
  name: string,
  t: Translate,
  { view }: ShownMove,
): string {
  const choice = fieldOf(action, 'choose');
  if (typeof choice === 'string') {
    return t('say.did', { name, choice: t(keyOr(`pool.${choice}`, 'pool.accept', t)) });
  }
  const { last } = readView(view);
  if (last === null) return t('pool.shot', { name });
  const fallen = last.pocketed.map(({ ball, pocket }) =>
    t('pool.pocketed', { ball, pocket: pocket === null ? '' : t(`pool.${pocket}`) }),
  );
  const foul =
    last.foul === null ? [] : [t(keyOr(`pool.foul.${last.foul}`, 'pool.foul.scratch', t))];
  const told = fallen.length > 0 ? fallen : [t('pool.nothing')];
  return [t('pool.shot', { name }), ...told, ...foul].join(', ');
}

/** What is due, for whoever's turn it is; the seat is not known here, so the call is told of all. */
export function hintOf(view: unknown, t: Translate): string {
  const pool = readView(view);
  if (pool.choices.length > 0) return t('pool.hintChoose');
  if (pool.isBreak) return t('pool.hintBreak');
  if (pool.inHand !== null) return t('pool.hintHand');
  return t(needsCall(pool, 0) || needsCall(pool, 1) ? 'pool.hintCall' : 'pool.hintShoot');
}

export function noteOf(view: unknown, seat: Seat, t: Translate): string | null {
  const { groups, fouls, variant } = readView(view);
  if (variant === 'nineball') {
    const count = fouls[seat] ?? 0;
    return count === 0 ? null : t('pool.fouls', { count });
  }
  const group = groups?.[seat];
  return group === 'solids' || group === 'stripes' ? t(`pool.${group}`) : null;
}
