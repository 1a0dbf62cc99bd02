/** What happens in ludo, in words. */

import { fieldOf } from '../../field.ts';
import type { Translate } from '../../i18n/translate.ts';
import type { Seat } from '../../protocol.ts';
import type { ShownMove } from '../board-view.ts';
import type { Step } from './view.ts';
import { numberIn, readView } from './view.ts';

export function placeName(place: string, t: Translate): string {
  const square = numberIn(place, 'track');
  if (square !== null) return t('ludo.onSquare', { square: square + 1 });
  const home = numberIn(place, 'home');
  if (home !== null) return t('ludo.onHome', { square: home });
  return t(place === 'done' ? 'ludo.done' : 'ludo.inYard');
}

/** What one input did, roll by roll. */
export function describeMove(
  action: unknown,
  _seat: Seat,
  name: string,
  t: Translate,
  { before, view, nameOf }: ShownMove,
): string {
  const { last, die } = readView(view);
  const missed = fieldOf(action, 'missed') !== undefined ? [t('say.missed', { name })] : [];
  if (last.length === 0) {
    return die === null ? name : t('ludo.rolled', { name, die });
  }
  const waited = readView(before).die;
  const said = last.map((step, n) => {
    const isRolled = n > 0 || waited === null;
    return describeStep(step, nameOf(step.seat), isRolled, nameOf, t);
  });
  return [...missed, ...said].join('. ');
}

function describeStep(
  { die, token, to, captured, void: isVoid }: Step,
  name: string,
  isRolled: boolean,
  nameOf: (seat: Seat) => string,
  t: Translate,
): string {
  if (isVoid) return t('ludo.void', { name });
  if (token === null || to === null) return t('ludo.stuck', { name, die });
  const place = placeName(to, t);
  const key = isRolled ? 'ludo.rolledAndMoved' : 'ludo.moved';
  const moved = t(key, { name, die, token: token + 1, place });
  const taken = captured.map((each) =>
    t('ludo.captured', { name: nameOf(each.seat), token: each.token + 1 }),
  );
  return [moved, ...taken].join(', ');
}
