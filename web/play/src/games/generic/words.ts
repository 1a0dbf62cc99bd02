/** Words for a view and its actions. Pure. */

import { indexIn } from '../../field.ts';
import type { Translate } from '../../i18n/translate.ts';
import type { Seat } from '../../protocol.ts';
import type { KnownText } from '../operator/text.ts';
import { readable } from '../readable.ts';
import type { Play } from './actions.ts';
import type { Part } from './layout.ts';
import { allParts, isScalar } from './layout.ts';

export interface Words {
  readonly t: Translate;
  /** The game's own sentences. */
  readonly known: KnownText;
  nameOf(seat: Seat): string;
}

/** Fields whose number is a seat, so that its player is named. */
const SEATED: ReadonlySet<string> = new Set(
  'turn seat player dealer starter leader winner loser owner current active next'.split(' '),
);
/** Fields that say what kind of action it is. */
const VERBS: ReadonlySet<string> = new Set([
  'type',
  'kind',
  'action',
  'do',
  'move',
  'choose',
  'call',
]);
/** A word from code, in readable form. Everything else stays as it is. */
const WORD = /^[a-z][a-zA-Z_-]{2,40}$/;
/** A text that is not a notation but the action itself, like `{"position":4}`. */
const JSON_TEXT = /^[[{"]/;
const FRACTION_DIGITS = 3;

export function fieldWords(name: string, { known, t }: Words): string {
  return name === '' ? t('any.position') : (known(`field.${name}`) ?? readable(name));
}

/** The name given by the game's author, else the seat's number. */
export function pieceWords(seat: Seat, known: KnownText, t: Translate): string {
  return known(`seat.${seat}`) ?? t('any.seat', { number: seat + 1 });
}

/** The content of a card or a cell. */
export function thingWords(thing: string, { known }: Words): string {
  return known(`value.${thing}`) ?? thing;
}

/** A scalar of a view. */
export function valueWords(name: string, value: unknown, words: Words, seats: number): string {
  const { t, known, nameOf } = words;
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return t(value ? 'any.yes' : 'any.no');
  if (typeof value === 'string') {
    return known(`value.${value}`) ?? (WORD.test(value) ? readable(value) : value);
  }
  if (typeof value !== 'number') return JSON.stringify(value);
  if (isSeatName(name) && indexIn(value, seats) !== null) return nameOf(value);
  const format = { maximumFractionDigits: FRACTION_DIGITS };
  return new Intl.NumberFormat(t.language, format).format(value);
}

function isSeatName(name: string): boolean {
  return SEATED.has(name) || name.endsWith('Seat') || name.endsWith('Player');
}

/** An action for a button: its notation, else the fields that the player's taps have not determined. */
export function actionWords(
  { action, given }: Pick<Play, 'action' | 'given'>,
  words: Words,
  notation: string | null,
): string {
  if (typeof action !== 'object' || action === null) return partWords('', action, true, words);
  const fields = Object.entries(action as Readonly<Record<string, unknown>>);
  // A notation that is a word of the action itself adds nothing.
  const isPlain = fields.some(([, value]) => value === notation);
  if (notation !== null && notation !== '' && !isPlain && !JSON_TEXT.test(notation)) {
    return notation;
  }
  const left = fields.filter(([name]) => !given.includes(name));
  const shownFields = left.length > 0 ? left : fields;
  const sorted = [...shownFields].sort(([a], [b]) => Number(VERBS.has(b)) - Number(VERBS.has(a)));
  const parts = sorted.map(([name, value]) =>
    partWords(name, value, shownFields.length === 1, words),
  );
  return parts.filter((part) => part !== '').join(', ') || JSON.stringify(action);
}

/** One field: if it is the only one its word is enough. */
function partWords(name: string, value: unknown, isAlone: boolean, words: Words): string {
  const { known, t } = words;
  const word = (code: string): string =>
    known(`action.${code}`) ?? (WORD.test(code) ? readable(code) : code);
  if (value === true) return word(name);
  const text = typeof value === 'string' ? word(value) : jsonWords(value, t);
  const isVerb = VERBS.has(name) && typeof value === 'string';
  if (name === '' || isVerb || (isAlone && typeof value === 'string')) return text;
  return `${fieldWords(name, words)} ${text}`;
}

/** Anything that is not a word, as short as possible: `1, 2` for a list, `x 1, y 2` for an object. */
function jsonWords(value: unknown, t: Translate): string {
  if (typeof value === 'boolean') return t(value ? 'any.yes' : 'any.no');
  if (value === null) return '–';
  if (isScalar(value)) return `${value}`;
  if (Array.isArray(value)) return value.map((each) => jsonWords(each, t)).join(', ');
  const fields = Object.entries(value as object);
  return fields.map(([name, each]) => `${name} ${jsonWords(each, t)}`).join(', ');
}

/** An action that was made: the places it names, and its other fields. */
export function moveWords(parts: readonly Part[], play: Play, words: Words): string {
  const { t } = words;
  const grids = allParts(parts).filter((part) => part.kind === 'grid');
  const places = play.taps.flatMap(({ path, at }) => {
    const grid = grids.find((each) => each.path === path);
    if (grid === undefined || at.length !== 1) return [];
    const [row, column] = [Math.floor(at[0]! / grid.columns) + 1, (at[0]! % grid.columns) + 1];
    return [t('any.place', { row, column })];
  });
  if (places.length !== play.taps.length || places.length === 0) {
    return actionWords({ action: play.action, given: [] }, words, null);
  }
  const names = Object.keys(typeof play.action === 'object' ? play.action! : {});
  const isAllGiven = names.every((name) => play.given.includes(name));
  const way = places.join(' – ');
  return isAllGiven ? way : `${way}, ${actionWords(play, words, null)}`;
}
