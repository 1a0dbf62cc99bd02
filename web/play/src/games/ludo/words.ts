/** Ludo's events, in words. */

import { fieldOf } from '../../field.ts';
import type { Translate } from '../../i18n/translate.ts';
import type { Seat } from '../../protocol.ts';
import { svg } from '../../ui/dom.ts';
import type { ShortMove, ShownMove } from '../board-view.ts';
import { makeToken } from './shapes.ts';
import type { Step } from './view.ts';
import { numberIn, readView } from './view.ts';

export function placeName(place: string, t: Translate): string {
  const square = numberIn(place, 'track');
  if (square !== null) return t('ludo.onSquare', { square: square + 1 });
  const home = numberIn(place, 'home');
  if (home !== null) return t('ludo.onHome', { square: home });
  return t(place === 'done' ? 'ludo.done' : 'ludo.inYard');
}

/** The effect of one input, roll by roll. */
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
  const pending = readView(before).die;
  const described = last.map((step, n) => {
    const isRolled = n > 0 || pending === null;
    return describeStep(step, nameOf(step.seat), isRolled, nameOf, t);
  });
  return [...missed, ...described].join('. ');
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

const FACES = ['', '⚀', '⚁', '⚂', '⚃', '⚄', '⚅'] as const;

/** Each roll with its move, and the tokens that were captured. */
export function shortMove(
  _action: unknown,
  _seat: Seat,
  t: Translate,
  { view }: ShownMove,
): ShortMove | null {
  const { last, die } = readView(view);
  if (last.length === 0) return die === null ? null : { text: FACES[die]! };
  const text = last.map((step) => `${FACES[step.die]} ${shortPlace(step, t)}`.trim()).join(', ');
  const taken = last.flatMap(({ captured }) => captured.map(({ seat }) => makePicture(seat)));
  return { text, taken };
}

function shortPlace({ to, void: isVoid }: Step, t: Translate): string {
  if (isVoid || to === null) return '–';
  return String(numberIn(to, 'track') === null ? placeName(to, t) : numberIn(to, 'track')! + 1);
}

/** An icon of a token next to words. */
export function makePicture(seat: Seat): SVGSVGElement {
  return svg(
    'svg',
    { class: 'piece lu', viewBox: '-19 -19 38 40', 'aria-hidden': 'true' },
    makeToken(seat, null),
  );
}
