/** A grid cell's content: its owner, and its label. Pure. */

import { indexIn } from '../../field.ts';
import type { Seat } from '../../protocol.ts';
import { readable } from '../readable.ts';

export interface Cell {
  /** The owner of the piece; null when it has none. */
  readonly seat: Seat | null;
  /** Its short label; empty for none. */
  readonly text: string;
  /** The same for screen readers. */
  readonly spoken: string;
}

/** The meaning of numbers on a grid: seats from 0, seats from 1 with 0 for empty, or only numbers. */
export type Numbers = 'seats' | 'seatsFromOne' | 'values';

const NOTHING: Cell = { seat: null, text: '', spoken: '' };
/** Characters for empty cells in boards drawn as text. */
const BLANK = /^[\s._·-]?$/;
/** Fields that name a piece's owner. */
const OWNERS: readonly string[] = ['seat', 'owner', 'player'];
const TEXT_CHARS_MAX = 12;
/** A longer word is shown on a cell by its first character. */
const MARK_CHARS_MAX = 2;

export function isNothing({ seat, text }: Cell): boolean {
  return seat === null && text === '';
}

export function makeCell(value: unknown, seats: number, numbers: Numbers): Cell {
  switch (typeof value) {
    case 'number':
      return makeNumber(value, seats, numbers);
    case 'string':
      return BLANK.test(value) ? NOTHING : makeText(value, value);
    case 'boolean':
      return value ? makeText('✓', '✓') : NOTHING;
    default:
      return typeof value === 'object' && value !== null ? makePiece(value, seats) : NOTHING;
  }
}

function makeNumber(value: number, seats: number, numbers: Numbers): Cell {
  const seat = indexIn(numbers === 'seatsFromOne' ? value - 1 : value, seats);
  if (numbers === 'seats' && seat !== null) return { ...NOTHING, seat };
  if (numbers === 'seatsFromOne' && value === 0) return NOTHING;
  const cell = makeText(`${value}`, `${value}`);
  return numbers === 'seatsFromOne' ? { ...cell, seat } : cell;
}

function makeText(text: string, spoken: string): Cell {
  const characters = [...text];
  const isLong = characters.length > TEXT_CHARS_MAX;
  const short = isLong ? `${characters.slice(0, TEXT_CHARS_MAX - 1).join('')}…` : text;
  return { seat: null, text: short, spoken };
}

/** An object: a piece with an owner and a kind, a card, or something else. */
function makePiece(value: object, seats: number): Cell {
  const fields = Object.entries(value) as [string, unknown][];
  const owner = fields.find(([name, each]) => {
    return OWNERS.includes(name) && indexIn(each, seats) !== null;
  });
  const rest = fields.filter((field) => field !== owner);
  const text = rest.map(([name, each]) => markOf(name, each)).join('');
  const spoken = rest.map(([name, each]) => wordOf(name, each)).filter((word) => word !== '');
  const seat = owner === undefined ? null : (owner[1] as Seat);
  return { ...makeText(text, spoken.join(' ')), seat };
}

/** A flag by its first letter, a long word by its own. */
function markOf(name: string, value: unknown): string {
  const word = value === true ? name : wordOf(name, value);
  const characters = [...word];
  const isShort = characters.length <= MARK_CHARS_MAX || typeof value === 'number';
  return isShort ? word : characters[0]!.toUpperCase();
}

function wordOf(name: string, value: unknown): string {
  if (value === true) return readable(name).toLowerCase();
  return typeof value === 'string' || typeof value === 'number' ? `${value}` : '';
}

/**
 * The meaning of numbers on a grid, from its whole content. `targets` are cells that an action may name: if these are
 * 0,
 * then 0 means empty.
 */
export function readNumbers(
  values: readonly unknown[],
  seats: number,
  targets: readonly number[],
): Numbers {
  const numbers = values.filter((value) => typeof value === 'number');
  if (numbers.length === 0) return 'values';
  if (values.some((value) => value === null)) {
    return numbers.every((value) => indexIn(value, seats) !== null) ? 'seats' : 'values';
  }
  const zeros = numbers.filter((value) => value === 0).length;
  const isNothingZero = zeros * 2 > numbers.length || targets.some((cell) => values[cell] === 0);
  const end = isNothingZero ? seats + 1 : seats;
  if (!numbers.every((value) => indexIn(value, end) !== null)) return 'values';
  return isNothingZero ? 'seatsFromOne' : 'seats';
}
