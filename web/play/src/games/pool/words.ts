/** Pool's events, in words. */

import type { Pocket } from '../../../../../src/games/pool/physics/table.ts';
import { fieldOf } from '../../field.ts';
import type { Key, Translate } from '../../i18n/translate.ts';
import { keyOr } from '../../i18n/translate.ts';
import type { Seat } from '../../protocol.ts';
import { svg } from '../../ui/dom.ts';
import type { ShortMove, ShownMove } from '../board-view.ts';
import type { LastShot, PoolView } from './view.ts';
import { needsCall, readView } from './view.ts';

/** This many fouls in a row lose in nineball. */
const FOULS_MAX = 3;

export function describeMove(
  action: unknown,
  seat: Seat,
  name: string,
  t: Translate,
  { view, nameOf }: ShownMove,
): string {
  const choice = fieldOf(action, 'choose');
  if (typeof choice === 'string') {
    return t('say.did', { name, choice: t(keyOr(`pool.${choice}`, 'pool.accept', t)) });
  }
  const pool = readView(view);
  const { last } = pool;
  if (last === null) return t('pool.shot', { name });
  const fallen = last.pocketed.map(({ ball, pocket }) =>
    t('pool.pocketed', { ball, pocket: t(kindOf(pocket)) }),
  );
  if (last.foul !== null) {
    const foul = t(keyOr(`pool.foul.${last.foul}`, 'pool.foul.scratch', t));
    const next = afterFoul(pool, last, nameOf(seat === 0 ? 1 : 0), t);
    return t('pool.foulBy', { name, why: [foul, ...fallen].join(', '), next });
  }
  const parts = fallen.length > 0 ? fallen : [t('pool.nothing')];
  return [t('pool.shot', { name }), ...parts].join(', ');
}

/** Corner or side, because players sit at different ends of the table. */
function kindOf(pocket: Pocket | null): Key {
  if (pocket === null) return 'pool.pocket';
  return pocket.startsWith('side') ? 'pool.sidePocket' : 'pool.cornerPocket';
}

/** What a foul gives the opponent. */
function afterFoul(pool: PoolView, { seat, pocketed }: LastShot, name: string, t: Translate) {
  if (pool.choices.length > 0) return t('pool.next.choose', { name });
  const isLost =
    pool.variant === 'nineball'
      ? (pool.fouls[seat] ?? 0) >= FOULS_MAX
      : pocketed.some(({ ball }) => ball === 8);
  if (isLost) return t('pool.next.lost');
  return t(pool.inHand === null ? 'pool.next.asItLies' : `pool.next.${pool.inHand}`, { name });
}

/** The balls that fell, and a cross for a foul; for a choice, its words. */
export function shortMove(
  action: unknown,
  _seat: Seat,
  t: Translate,
  { view }: ShownMove,
): ShortMove | null {
  const choice = fieldOf(action, 'choose');
  if (typeof choice === 'string') return { text: t(keyOr(`pool.${choice}`, 'pool.accept', t)) };
  const { last } = readView(view);
  if (last === null) return null;
  const balls = last.pocketed.map(({ ball }) => makeChip(Number(ball)));
  const text = last.foul !== null ? '✗' : balls.length === 0 ? '–' : '';
  return { text, taken: balls };
}

/** A ball as small as a letter: its number in its colour, striped from 9 on. */
export function makeChip(ball: number): SVGSVGElement {
  const kind = ball > 8 ? `po-chip is-striped po-chip-${ball - 8}` : `po-chip po-chip-${ball}`;
  return svg(
    'svg',
    { class: kind, viewBox: '-10 -10 20 20' },
    svg('circle', { class: 'po-chip-ball', r: 9.5 }),
    ball > 8 ? svg('path', { class: 'po-chip-band', d: 'M-8.8 -3.6 H8.8 V3.6 H-8.8 Z' }) : null,
    ball > 0 ? svg('circle', { class: 'po-chip-spot', r: 5.6 }) : null,
    ball > 0 ? svg('text', { class: 'po-chip-number', y: 2.9 }, String(ball)) : null,
  );
}

/** The next input, addressed to the player to move. The seat is not known here, so the call is announced to all. */
export function hintOf(view: unknown, t: Translate): string {
  const pool = readView(view);
  if (pool.choices.length > 0) return t('pool.hintChoose');
  if (pool.isBreak) return t('pool.hintBreak');
  if (pool.inHand === 'behind_head_string') return t('pool.hintHandHead');
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
