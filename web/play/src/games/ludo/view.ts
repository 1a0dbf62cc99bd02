/** The view of a game of ludo as the server sends it, read without trust, and the paths of tokens. Pure. */

import {
  advance,
  DONE,
  HOME,
  namePlace,
  type Place,
  SQUARES,
  startSquare,
  TOKENS,
  YARD,
} from '../../../../../src/games/ludo/board.ts';
import { fieldOf, indexesIn, indexIn } from '../../field.ts';
import type { Seat } from '../../protocol.ts';

/** One roll and its effect. Places in the server's words: `yard`, `track 17`, `home 2`, `done`. */
export interface Step {
  readonly seat: Seat;
  readonly die: number;
  readonly token: number | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly captured: readonly { readonly seat: Seat; readonly token: number }[];
  readonly void: boolean;
}

export interface LudoView {
  /** Places by seat and token. */
  readonly tokens: readonly (readonly string[])[];
  /** The roll for which a token must be chosen. */
  readonly die: number | null;
  readonly last: readonly Step[];
  readonly home: readonly Seat[];
  readonly out: readonly Seat[];
  /** By seat, if a capture is required before home. */
  readonly hasCaptured: readonly boolean[] | null;
  /** By seat, if points are counted. */
  readonly scores: readonly number[] | null;
}

export { TOKENS };

const SEATS_MAX = 4;

export function readView(view: unknown): LudoView {
  const tokens = listOf(fieldOf(view, 'tokens')).slice(0, SEATS_MAX);
  const captured = fieldOf(view, 'hasCaptured');
  const scores = fieldOf(view, 'scores');
  return {
    tokens: tokens.map((places) =>
      Array.from({ length: TOKENS }, (_, token) => readPlace(listOf(places)[token])),
    ),
    die: readDie(fieldOf(view, 'die')),
    last: listOf(fieldOf(view, 'last')).flatMap(readStep),
    home: indexesIn(fieldOf(view, 'home'), SEATS_MAX),
    out: indexesIn(fieldOf(view, 'out'), SEATS_MAX),
    hasCaptured: Array.isArray(captured) ? captured.map((each) => each === true) : null,
    scores: Array.isArray(scores) ? scores.map(Number) : null,
  };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function readPlace(value: unknown): string {
  return typeof value === 'string' ? value : 'yard';
}

function readDie(value: unknown): number | null {
  const die = indexIn(value, 7);
  return die === 0 ? null : die;
}

function readStep(value: unknown): Step[] {
  const seat = indexIn(fieldOf(value, 'seat'), SEATS_MAX);
  const die = readDie(fieldOf(value, 'die'));
  if (seat === null || die === null) return [];
  const text = (name: string): string | null => {
    const found = fieldOf(value, name);
    return typeof found === 'string' ? found : null;
  };
  const captured = listOf(fieldOf(value, 'captured')).flatMap((each) => {
    const other = indexIn(fieldOf(each, 'seat'), SEATS_MAX);
    const token = indexIn(fieldOf(each, 'token'), TOKENS);
    return other === null || token === null ? [] : [{ seat: other, token }];
  });
  return [
    {
      seat,
      die,
      token: indexIn(fieldOf(value, 'token'), TOKENS),
      from: text('from'),
      to: text('to'),
      captured,
      void: fieldOf(value, 'void') === true,
    },
  ];
}

/** The number in `track 17` or `home 2`; null for other places. */
export function numberIn(place: string, kind: 'track' | 'home'): number | null {
  const found = /^(track|home) (\d{1,2})$/.exec(place);
  return found?.[1] === kind ? Number(found[2]) : null;
}

/** A place in the counting of its own seat. */
function placeOf(place: string, start: number): Place {
  const square = numberIn(place, 'track');
  if (square !== null) return (square - start + SQUARES) % SQUARES;
  const home = numberIn(place, 'home');
  if (home !== null) return HOME + home - 1;
  return place === 'done' ? DONE : YARD;
}

/** The squares on a token's path, including the last one; null if it cannot move that far. */
export function wayOf(
  { tokens, hasCaptured }: LudoView,
  seat: Seat,
  from: string,
  die: number,
): readonly string[] | null {
  const start = startSquare(tokens.length, seat);
  const place = placeOf(from, start);
  const mayGoHome = hasCaptured === null || hasCaptured[seat] === true;
  const end = advance(place, die, mayGoHome);
  if (end === null) return null;
  if (place === YARD) return [namePlace(start, end)];
  return Array.from({ length: die }, (_, n) =>
    namePlace(start, advance(place, n + 1, mayGoHome) ?? end),
  );
}
