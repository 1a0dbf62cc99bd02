/** The tokens on the board: where each is drawn, and how it hops from square to square. */

import type { Seat } from '../../protocol.ts';
import { makeFocusRing, svg } from '../../ui/dom.ts';
import { movesFreely } from '../../ui/motion.ts';
import { pause } from './die.ts';
import { UNIT } from './ground.ts';
import { makeToken } from './shapes.ts';
import type { Layout, Point } from './track.ts';
import { goalPlaceAt, homeAt, squareAt, yardPlaceAt } from './track.ts';
import { numberIn, TOKENS } from './view.ts';

/** The durations of one hop, and of the return to the yard. Milliseconds. */
export const HOP_MS = 130;
export const BACK_MS = 420;
/** The distance between the first and last token of one seat on one square. Squares. */
const FAN = 0.12;

/** For the top of a stack, which shows its number; for the bottom, which shows its halo; for all above the bottom. */
const STACKED = ['is-stacked', 'is-lowest', 'is-above'];

/** A token as a cell of the grid. */
export interface TokenPiece {
  readonly seat: Seat;
  readonly token: number;
  readonly cell: SVGGElement;
  /** The number of tokens of its seat on its square; shown on the top one. */
  readonly count: SVGTextElement;
}

export interface Tokens {
  readonly element: SVGGElement;
  /** By seat, then token. */
  readonly pieces: readonly TokenPiece[];
  /** Places all tokens; animations that are running stop. */
  place(places: readonly (readonly string[])[]): void;
  /** Animates one along a path, place by place; false if all were placed elsewhere meanwhile. */
  hop(seat: Seat, token: number, path: readonly string[], onHop: () => void): Promise<boolean>;
  /** Returns one to its yard. */
  back(seat: Seat, token: number): Promise<void>;
}

/** A position on the drawing, and the size of a token there. */
interface Spot {
  readonly at: Point;
  readonly scale: number;
  /** How far from the middle of its square. Squares. */
  readonly off: Point;
  /** The corner of the square for its number: -1 or 1 each. */
  readonly corner: Point;
}

/** For a token alone on its place, and for moving tokens. */
const ALONE = { off: [0, 0], corner: [1, -1] } as const;

/** `pace` is the speed of the animation, as a board's host defines it. */
export function makeTokens(layout: Layout, pace: () => number): Tokens {
  const pieces = Array.from({ length: layout.seats * TOKENS }, (_, n) =>
    makePiece(Math.floor(n / TOKENS), n % TOKENS),
  );
  const rows = Array.from({ length: layout.seats }, (_, seat) =>
    svg(
      'g',
      { role: 'row' },
      ...pieces.slice(seat * TOKENS, (seat + 1) * TOKENS).map(({ cell }) => cell),
    ),
  );
  const find = (seat: Seat, token: number): SVGGElement => pieces[seat * TOKENS + token]!.cell;
  const put = (cell: SVGGElement, { at, scale, off, corner }: Spot): void => {
    cell.style.transform = transformTo(at, scale);
    // The touch area is as large on small tokens.
    cell.style.setProperty('--scale', String(scale));
    for (const [n, axis] of (['x', 'y'] as const).entries()) {
      cell.style.setProperty(`--off-${axis}`, `${off[n]! * UNIT}px`);
      cell.style.setProperty(`--to-${axis}`, String(corner[n]!));
    }
  };
  /** How often all were placed. */
  let placings = 0;
  return {
    element: svg('g', { class: 'lu-tokens' }, ...rows),
    pieces,
    place(places) {
      placings += 1;
      for (const { seat, token, cell, count } of pieces) {
        cell.classList.remove('is-hopping', 'is-going', ...STACKED);
        const place = places[seat]?.[token] ?? 'yard';
        put(cell, spotOf(places, seat, token, place, layout));
        const stack = stackOf(places[seat] ?? [], place);
        if (stack.length < 2) continue;
        cell.classList.add(stack[0] === token ? 'is-lowest' : 'is-above');
        if (stack.at(-1) !== token) continue;
        cell.classList.add('is-stacked');
        count.textContent = String(stack.length);
      }
    },
    async hop(seat, token, path, onHop) {
      const cell = find(seat, token);
      const own = placings;
      cell.classList.remove(...STACKED);
      for (const place of path) {
        const at = pointOf(place, seat, token, layout);
        if (movesFreely()) {
          cell.classList.add('is-hopping');
          put(cell, { at, scale: 1.12, ...ALONE });
          await pause(HOP_MS, pace);
          if (own !== placings) return false;
          cell.classList.remove('is-hopping');
        }
        onHop();
      }
      return true;
    },
    async back(seat, token) {
      const cell = find(seat, token);
      const own = placings;
      cell.classList.remove(...STACKED);
      cell.classList.add('is-going');
      put(cell, { at: yardPlaceAt(seat, token, layout), scale: 1, ...ALONE });
      if (movesFreely()) await pause(BACK_MS, pace);
      if (own === placings) cell.classList.remove('is-going');
    },
  };
}

function makePiece(seat: Seat, token: number): TokenPiece {
  const count = svg('text', { class: 'lu-count-text' });
  const cell = svg(
    'g',
    { class: 'lu-token', role: 'gridcell' },
    svg('circle', { class: 'lu-hit', r: 26 }),
    svg('circle', { class: `lu-halo piece-${seat}`, r: 21 }),
    makeToken(seat, token + 1),
    svg(
      'g',
      { class: `lu-count piece-${seat}`, 'aria-hidden': 'true' },
      svg('circle', { class: 'lu-count-ground' }),
      count,
    ),
    makeFocusRing({ x: -21, y: -21, width: 42, height: 42, rx: 21 }),
  );
  return { seat, token, cell, count };
}

function transformTo([x, y]: Point, scale: number): string {
  return `translate(${x * UNIT}px, ${y * UNIT}px) scale(${scale})`;
}

/** Middle of a square, regardless of other tokens. */
export function pointOf(place: string, seat: Seat, token: number, layout: Layout): Point {
  const square = numberIn(place, 'track');
  if (square !== null) return squareAt(square, layout);
  const home = numberIn(place, 'home');
  if (home !== null) return homeAt(seat, home, layout);
  return place === 'done' ? goalPlaceAt(seat, token, layout) : yardPlaceAt(seat, token, layout);
}

/** The tokens of one seat on a square of the track, whose moves are the same: they are one stack. */
function stackOf(row: readonly string[], place: string): readonly number[] {
  if (place === 'yard' || place === 'done') return [];
  return row.flatMap((each, token) => (each === place ? [token] : []));
}

/** The same, moved aside if several seats share it, and a little if one seat has several. */
function spotOf(
  places: readonly (readonly string[])[],
  seat: Seat,
  token: number,
  place: string,
  layout: Layout,
): Spot {
  const at = pointOf(place, seat, token, layout);
  if (place === 'yard') return { at, scale: 1, ...ALONE };
  if (place === 'done') return { at, scale: SHARED_SCALE, ...ALONE };
  const key = (each: string, owner: Seat): string =>
    each.startsWith('home') ? `${each} ${owner}` : each;
  const own = key(place, seat);
  const owners = places.flatMap((row, owner) =>
    row.some((each) => key(each, owner) === own) ? [owner] : [],
  );
  const spot = moveAside(owners.indexOf(seat), owners.length);
  const stack = stackOf(places[seat] ?? [], place);
  const fan = stack.length < 2 ? 0 : (stack.indexOf(token) / (stack.length - 1) - 0.5) * FAN;
  const off = [spot.off[0] + fan * spot.scale, spot.off[1] - fan * spot.scale] as const;
  return { ...spot, at: [at[0] + off[0], at[1] + off[1]], off };
}

/** For tokens that share a square with other seats' tokens, or have reached the goal. */
const SHARED_SCALE = 0.6;
/** How far the columns and rows of a shared square lie apart. Squares. */
const SHARED_STEP = 0.42;

function moveAside(index: number, count: number): Omit<Spot, 'at'> {
  if (count === 1) return { scale: 1, ...ALONE };
  // For at most four seats there are two columns and two rows.
  const rows = Math.ceil(count / 2);
  const column = index % 2;
  const row = Math.floor(index / 2);
  const off = [(column - 0.5) * SHARED_STEP, (row - (rows - 1) / 2) * SHARED_STEP] as const;
  // With two seats the numbers are in opposite corners: side by side they do not fit on a phone.
  const isLow = rows === 1 ? column === 1 : row === 1;
  return { scale: SHARED_SCALE, off, corner: [column === 0 ? -1 : 1, isLow ? 1 : -1] };
}
