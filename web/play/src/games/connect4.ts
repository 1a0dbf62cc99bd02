/** The board of connect four: a rack with seven columns into which discs fall. */

import { cellsOf, fieldOf, indexesIn, indexIn } from '../field.ts';
import type { Translate } from '../i18n/translate.ts';
import { missedMoves } from '../missed-moves.ts';
import type { Seat } from '../protocol.ts';
import { makeFocusRing, setAttributes, svg } from '../ui/dom.ts';
import type { BoardHost, BoardModule, BoardState, BoardView } from './board-view.ts';
import { makeRoving } from './roving.ts';

const COLUMNS = 7;
const ROWS = 6;
const CELLS = COLUMNS * ROWS;
/** Units of the drawing: a cell's side, a hole's and a stone's radius, the rack's frame. */
const CELL = 100;
const HOLE = 39;
const STONE = 43;
const FRAME = 14;
/** Height above the rack in which the stone to be dropped hangs. */
const ABOVE = 96;
const FOOT = 10;
const WIDTH = COLUMNS * CELL + 2 * FRAME;
const HEIGHT = ABOVE + ROWS * CELL + 2 * FRAME + FOOT;

/** The fall of a stone by one cell, in milliseconds, and the shortest fall. */
const FALL_MS = 62;
const FALL_MIN_MS = 160;

/** The names of a seat's stones in the view. */
const STONES = ['red', 'yellow'] as const;

const centreX = (column: number): number => FRAME + column * CELL + CELL / 2;
const centreY = (row: number): number => ABOVE + FRAME + row * CELL + CELL / 2;

/** A stone around the origin. The emblem distinguishes the seats without colour. */
function makeStone(seat: Seat, className: string): SVGGElement {
  const emblem =
    seat === 0
      ? svg('circle', { class: 'c4-emblem', r: 15 })
      : svg('path', {
          class: 'c4-emblem',
          d: 'M0 -22 L6.2 -6.2 L22 0 L6.2 6.2 L0 22 L-6.2 6.2 L-22 0 L-6.2 -6.2 Z',
        });
  return svg(
    'g',
    { class: `${className} piece-${seat} c4-${STONES[seat]}` },
    svg('circle', { class: 'c4-body', r: STONE }),
    svg('circle', { class: 'c4-rim', r: STONE - 9 }),
    emblem,
  );
}

/** The rack's face with its holes cut out, as one path. */
function rackPath(): string {
  const round = 34;
  const top = ABOVE;
  const bottom = ABOVE + ROWS * CELL + 2 * FRAME;
  const frame =
    `M${round} ${top} H${WIDTH - round} A${round} ${round} 0 0 1 ${WIDTH} ${top + round} ` +
    `V${bottom - round} A${round} ${round} 0 0 1 ${WIDTH - round} ${bottom} H${round} ` +
    `A${round} ${round} 0 0 1 0 ${bottom - round} V${top + round} A${round} ${round} 0 0 1 ${round} ${top} Z`;
  const holes = Array.from({ length: CELLS }, (_, cell) => {
    const x = centreX(cell % COLUMNS);
    const y = centreY(Math.floor(cell / COLUMNS));
    return `M${x - HOLE} ${y} a${HOLE} ${HOLE} 0 1 0 ${2 * HOLE} 0 a${HOLE} ${HOLE} 0 1 0 ${-2 * HOLE} 0 Z`;
  });
  return [frame, ...holes].join(' ');
}

function makeHoles(className: string): SVGGElement {
  const circles = Array.from({ length: CELLS }, (_, cell) =>
    svg('circle', {
      cx: centreX(cell % COLUMNS),
      cy: centreY(Math.floor(cell / COLUMNS)),
      r: HOLE,
    }),
  );
  return svg('g', { class: className }, ...circles);
}

/**
 * A column as one gridcell: its stone to be dropped, its landing cell, and the surface that
 * receives the press.
 */
interface Column {
  readonly cell: SVGGElement;
  readonly ghost: SVGGElement;
  readonly landing: SVGCircleElement;
}

function makeColumn(column: number): Column {
  const ghost = svg('g', {
    class: 'c4-ghost',
    transform: `translate(${centreX(column)} ${ABOVE / 2 - 1})`,
  });
  const x = FRAME + column * CELL;
  const landing = svg('circle', { class: 'c4-landing', cx: centreX(column), r: HOLE - 6 });
  const cell = svg(
    'g',
    { class: 'c4-column', role: 'gridcell' },
    svg('rect', { class: 'c4-hit', x, y: 0, width: CELL, height: HEIGHT }),
    makeFocusRing({
      x: x + 3,
      y: 3,
      width: CELL - 6,
      height: HEIGHT - FOOT - 6,
      rx: 30,
    }),
    ghost,
    landing,
  );
  return { cell, ghost, landing };
}

interface Layers {
  readonly element: SVGSVGElement;
  readonly stones: SVGGElement;
  readonly marks: SVGGElement;
  readonly columns: readonly Column[];
}

function makeLayers(): Layers {
  const stones = svg('g', { class: 'c4-stones' });
  const marks = svg('g', { class: 'c4-marks' });
  const columns = Array.from({ length: COLUMNS }, (_, column) => makeColumn(column));
  const d = rackPath();
  const element = svg(
    'svg',
    { class: 'board c4', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'grid' },
    svg(
      'g',
      { 'aria-hidden': 'true', 'fill-rule': 'evenodd' },
      svg('path', { class: 'c4-edge', d, transform: `translate(0 ${FOOT})` }),
      makeHoles('c4-back'),
      stones,
      svg('path', { class: 'c4-rack', d }),
      makeHoles('c4-lips'),
      marks,
    ),
    svg('g', { role: 'row' }, ...columns.map(({ cell }) => cell)),
  );
  return { element, stones, marks, columns };
}

function stoneSeats(view: unknown): (Seat | null)[] {
  return cellsOf(view, CELLS).map((stone) => {
    const seat = STONES.indexOf(stone as 'red' | 'yellow');
    return seat === -1 ? null : seat;
  });
}

/** The seats of a column's stones, from the bottom up. */
function stack(seats: readonly (Seat | null)[], column: number): Seat[] {
  return Array.from(
    { length: ROWS },
    (_, row) => seats[(ROWS - 1 - row) * COLUMNS + column] ?? null,
  ).filter((seat) => seat !== null);
}

/** The cell of a column's last stone; null for an empty one. */
function topCell(seats: readonly (Seat | null)[], column: number): number | null {
  const height = stack(seats, column).length;
  return height === 0 ? null : (ROWS - height) * COLUMNS + column;
}

function makeBoard({ t, play, refuse }: BoardHost): BoardView {
  const layers = makeLayers();
  layers.element.setAttribute('aria-label', t('connect4.board'));
  let state: BoardState | null = null;
  makeRoving(
    layers.columns.map(({ cell }) => cell),
    COLUMNS,
    (column) => {
      const hasRoom = isFree(stoneSeats(state?.view), column);
      if (state?.canMove && hasRoom) play({ column });
      else refuse?.(hasRoom ? undefined : t('hint.full'));
    },
  );
  return {
    element: layers.element,
    render(next) {
      const seats = stoneSeats(next.view);
      renderStones(layers, seats, next, state);
      renderMarks(layers, seats, next);
      renderColumns(layers, seats, next, t);
      state = next;
    },
  };
}

const isFree = (seats: readonly (Seat | null)[], column: number): boolean => seats[column] === null;

function renderStones(
  { stones }: Layers,
  seats: readonly (Seat | null)[],
  state: BoardState,
  before: BoardState | null,
): void {
  const wanted = JSON.stringify(seats);
  const winning = indexesIn(state.result?.['cells'], CELLS);
  if (stones.dataset['seats'] !== wanted) {
    stones.dataset['seats'] = wanted;
    const isNew = before !== null && state.lastMove?.v !== before.lastMove?.v;
    const column = indexIn(fieldOf(state.lastMove?.action, 'column'), COLUMNS);
    const fallen = isNew && column !== null ? topCell(seats, column) : null;
    stones.replaceChildren(
      ...seats.flatMap((seat, cell) =>
        seat === null ? [] : [placeStone(seat, cell, cell === fallen)],
      ),
    );
  }
  for (const stone of stones.children) {
    const cell = Number((stone as SVGElement).dataset['cell']);
    stone.classList.toggle('is-dim', winning.length > 0 && !winning.includes(cell));
  }
}

function placeStone(seat: Seat, cell: number, falls: boolean): SVGGElement {
  const row = Math.floor(cell / COLUMNS);
  const stone = makeStone(seat, 'c4-stone');
  const place = svg(
    'g',
    { transform: `translate(${centreX(cell % COLUMNS)} ${centreY(row)})`, 'data-cell': cell },
    stone,
  );
  if (falls && !matchMedia('(prefers-reduced-motion: reduce)').matches) fall(stone, row);
  return place;
}

/** Lets a stone fall from above the rack into its row, with a small bounce. */
function fall(stone: SVGGElement, row: number): void {
  const height = -(row + 1) * CELL;
  const frames = [
    { transform: `translateY(${height}px)`, easing: 'cubic-bezier(0.5, 0, 0.9, 0.6)' },
    { transform: 'translateY(0)', offset: 0.72, easing: 'ease-out' },
    { transform: `translateY(${-6 - row * 2}px)`, offset: 0.86, easing: 'ease-in' },
    { transform: 'translateY(0)' },
  ];
  stone.animate(frames, { duration: (FALL_MIN_MS + row * FALL_MS) * 1.4 });
}

/** Rings around the winning stones, and a dot on the last one. */
function renderMarks({ marks }: Layers, seats: readonly (Seat | null)[], state: BoardState): void {
  const winning = indexesIn(state.result?.['cells'], CELLS);
  const column = indexIn(fieldOf(state.lastMove?.action, 'column'), COLUMNS);
  const last = column === null ? null : topCell(seats, column);
  const wanted = JSON.stringify([winning, last]);
  if (marks.dataset['marks'] === wanted) return;
  marks.dataset['marks'] = wanted;
  const ring = (cell: number, className: string): SVGCircleElement =>
    svg('circle', {
      class: className,
      cx: centreX(cell % COLUMNS),
      cy: centreY(Math.floor(cell / COLUMNS)),
      r: HOLE + 1,
    });
  marks.replaceChildren(
    ...winning.map((cell) => ring(cell, 'c4-winning')),
    ...(last !== null && winning.length === 0 ? [ring(last, 'c4-last')] : []),
  );
}

function renderColumns(
  { columns }: Layers,
  seats: readonly (Seat | null)[],
  state: BoardState,
  t: Translate,
): void {
  const sending = indexIn(fieldOf(state.sending, 'column'), COLUMNS);
  for (const [column, { cell, ghost, landing }] of columns.entries()) {
    const canDrop = state.canMove && isFree(seats, column);
    const shown = state.seat !== null && (canDrop || column === sending) ? String(state.seat) : '';
    if (ghost.dataset['seat'] !== shown) {
      ghost.dataset['seat'] = shown;
      ghost.replaceChildren(...(shown === '' ? [] : [makeStone(Number(shown), 'c4-stone')]));
    }
    if (canDrop) {
      const row = ROWS - 1 - stack(seats, column).length;
      setAttributes(landing, { cy: centreY(row), class: `c4-landing piece-${shown}` });
    }
    cell.classList.toggle('is-free', canDrop);
    cell.classList.toggle('is-sending', column === sending);
    setAttributes(cell, {
      'aria-label': columnLabel(seats, column, t),
      'aria-disabled': canDrop ? 'false' : 'true',
    });
  }
}

function columnLabel(seats: readonly (Seat | null)[], column: number, t: Translate): string {
  const stones = stack(seats, column).map((seat) => pieceName(seat, t));
  const key =
    stones.length === 0
      ? 'connect4.empty'
      : stones.length === ROWS
        ? 'connect4.full'
        : 'connect4.stones';
  const content = t(key, { stones: stones.join(', ') });
  return t('connect4.column', { column: column + 1, content });
}

function pieceName(seat: Seat, t: Translate): string {
  return t(seat === 0 ? 'connect4.piece0' : 'connect4.piece1');
}

export const connect4Board: BoardModule = {
  drawOffers: true,
  missedMoves,
  makeBoard,
  makePiece: (seat) =>
    svg(
      'svg',
      { class: 'piece c4', viewBox: '-46 -46 92 92', 'aria-hidden': 'true' },
      makeStone(seat, 'c4-stone'),
    ),
  pieceName,
  shortMove(action) {
    const column = indexIn(fieldOf(action, 'column'), COLUMNS);
    return column === null ? null : { text: `↓ ${column + 1}` };
  },
  describeMove(action, seat, name, t) {
    const column = indexIn(fieldOf(action, 'column'), COLUMNS) ?? 0;
    return t('connect4.move', { name, stone: pieceName(seat, t), column: column + 1 });
  },
};
