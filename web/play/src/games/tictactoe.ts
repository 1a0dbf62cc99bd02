/** The board of tic-tac-toe: nine tiles with marks drawn in strokes. */

import { cellsOf, fieldOf, indexesIn, indexIn } from '../field.ts';
import type { Translate } from '../i18n/translate.ts';
import { missedMoves } from '../missed-moves.ts';
import type { Seat } from '../protocol.ts';
import { makeFocusRing, setAttributes, svg } from '../ui/dom.ts';
import type { BoardHost, BoardModule, BoardState, BoardView } from './board-view.ts';
import { makeRoving } from './roving.ts';

const SIDE = 3;
const CELLS = SIDE * SIDE;
/** Units of the drawing: a tile, and the distance from one to the next. */
const TILE = 94;
const STEP = 100;
const MARGIN = 3;
/** How thick the tiles are. */
const EDGE = 5;

/** A seat's mark, by its name in the protocol. */
const MARKS = ['X', 'O'] as const;

/** The strokes of each seat's mark on a tile. */
const STROKES: readonly (readonly string[])[] = [
  ['M26 25 C40 38 55 55 69 70', 'M68 24 C57 38 40 54 25 69'],
  ['M47 22 C30 22 22 34 22 48 C22 62 32 72 47 72 C62 72 72 61 72 47 C72 33 63 22 46 22'],
];

interface Tile {
  readonly cell: SVGGElement;
  readonly ink: SVGGElement;
  mark: Seat | null;
}

function makeInk(seat: Seat, className: string): SVGGElement {
  const strokes = STROKES[seat] ?? [];
  const paths = strokes.map((d) => svg('path', { d, pathLength: 1 }));
  return svg('g', { class: `${className} piece-${seat}` }, ...paths);
}

function makeTile(index: number): Tile {
  const x = MARGIN + (index % SIDE) * STEP;
  const y = MARGIN + Math.floor(index / SIDE) * STEP;
  const face = { width: TILE, height: TILE, rx: 16 };
  const ink = svg('g', { class: 'ttt-ink' });
  const top = svg(
    'g',
    { class: 'ttt-top' },
    svg('rect', { class: 'ttt-face', ...face }),
    svg('circle', { class: 'ttt-last', cx: TILE - 14, cy: 14, r: 4 }),
    ink,
  );
  const cell = svg(
    'g',
    { class: 'ttt-cell', role: 'gridcell', transform: `translate(${x} ${y})` },
    svg('rect', { class: 'ttt-edge', ...face, y: EDGE }),
    top,
    makeFocusRing({ width: TILE, height: TILE, rx: 16 }),
  );
  return { cell, ink, mark: null };
}

/** The stroke through the winning tiles, a little beyond the outer ones. */
function makeLine(line: readonly number[], seat: Seat): SVGPathElement {
  const centre = (cell: number): readonly [number, number] => [
    MARGIN + (cell % SIDE) * STEP + TILE / 2,
    MARGIN + Math.floor(cell / SIDE) * STEP + TILE / 2,
  ];
  const [fromX, fromY] = centre(line[0]!);
  const [toX, toY] = centre(line.at(-1)!);
  const beyond = (a: number, b: number): number => Math.sign(b - a) * 30;
  const x = beyond(fromX, toX);
  const y = beyond(fromY, toY);
  const d = `M${fromX - x} ${fromY - y} L${toX + x} ${toY + y}`;
  return svg('path', { class: `ttt-line piece-${seat}`, d, pathLength: 1 });
}

/** Draws a tile's mark, or a faint one of the player who could place it. */
function drawInk(tile: Tile, mark: Seat | null, ghost: Seat | null, isNew: boolean): void {
  const wanted = mark !== null ? `mark ${mark}` : ghost !== null ? `ghost ${ghost}` : '';
  if (tile.ink.dataset['ink'] === wanted) return;
  tile.ink.dataset['ink'] = wanted;
  tile.mark = mark;
  if (mark !== null) {
    tile.ink.replaceChildren(makeInk(mark, isNew ? 'ttt-mark is-new' : 'ttt-mark'));
  } else if (ghost !== null) tile.ink.replaceChildren(makeInk(ghost, 'ttt-ghost'));
  else tile.ink.replaceChildren();
}

function cellLabel(index: number, mark: Seat | null, isWinning: boolean, t: Translate): string {
  const content = mark === null ? t('grid.empty') : pieceName(mark, t);
  const label = t('grid.cell', {
    row: Math.floor(index / SIDE) + 1,
    column: (index % SIDE) + 1,
    content,
  });
  return isWinning ? `${label}, ${t('winning')}` : label;
}

function makeBoard({ t, play, refuse }: BoardHost): BoardView {
  const tiles = Array.from({ length: CELLS }, (_, index) => makeTile(index));
  const rows = Array.from({ length: SIDE }, (_, row) =>
    svg(
      'g',
      { role: 'row' },
      ...tiles.slice(row * SIDE, row * SIDE + SIDE).map(({ cell }) => cell),
    ),
  );
  const over = svg('g', { class: 'ttt-over', 'aria-hidden': 'true' });
  const size = 2 * MARGIN + 2 * STEP + TILE;
  const element = svg(
    'svg',
    { class: 'board ttt', viewBox: `0 0 ${size} ${size + EDGE}`, role: 'grid' },
    ...rows,
    over,
  );
  element.setAttribute('aria-label', t('tictactoe.board'));
  let state: BoardState | null = null;
  makeRoving(
    tiles.map(({ cell }) => cell),
    SIDE,
    (index) => {
      const isEmpty = tiles[index]!.mark === null;
      if (state?.canMove && isEmpty) play({ position: index });
      else refuse?.(isEmpty ? undefined : t('hint.taken'));
    },
  );
  return {
    element,
    render(next) {
      renderTiles(tiles, next, state, t);
      renderLine(over, next);
      state = next;
    },
  };
}

function renderTiles(
  tiles: readonly Tile[],
  state: BoardState,
  before: BoardState | null,
  t: Translate,
): void {
  const marks = cellsOf(state.view, CELLS);
  const line = indexesIn(state.result?.['line'], CELLS);
  const last = indexIn(fieldOf(state.lastMove?.action, 'position'), CELLS);
  const sending = indexIn(fieldOf(state.sending, 'position'), CELLS);
  const isNew =
    before !== null && state.lastMove !== null && state.lastMove.v !== before.lastMove?.v;
  for (const [index, tile] of tiles.entries()) {
    const found = MARKS.indexOf(marks[index] as 'X' | 'O');
    const mark = found === -1 ? null : found;
    const isFree = state.canMove && mark === null;
    drawInk(tile, mark, isFree ? state.seat : null, isNew && index === last);
    const { classList } = tile.cell;
    classList.toggle('is-free', isFree);
    classList.toggle('is-last', index === last);
    classList.toggle('is-sending', index === sending && mark === null);
    classList.toggle('is-winning', line.includes(index));
    classList.toggle('is-dim', line.length > 0 && !line.includes(index));
    setAttributes(tile.cell, {
      'aria-label': cellLabel(index, mark, line.includes(index), t),
      'aria-disabled': isFree ? 'false' : 'true',
    });
  }
}

function renderLine(over: SVGGElement, { result, view }: BoardState): void {
  const line = indexesIn(result?.['line'], CELLS);
  if (line.length < SIDE) {
    over.replaceChildren();
  } else if (over.childElementCount === 0) {
    const seat = MARKS.indexOf(cellsOf(view, CELLS)[line[0]!] as 'X' | 'O');
    over.append(makeLine(line, seat));
  }
}

function pieceName(seat: Seat, t: Translate): string {
  return t(seat === 0 ? 'tictactoe.piece0' : 'tictactoe.piece1');
}

export const tictactoeBoard: BoardModule = {
  missedMoves,
  makeBoard,
  makePiece: (seat) =>
    svg(
      'svg',
      { class: 'piece ttt', viewBox: '8 8 78 78', 'aria-hidden': 'true' },
      makeInk(seat, 'ttt-mark'),
    ),
  pieceName,
  shortMove(action, _seat, t) {
    const position = indexIn(fieldOf(action, 'position'), CELLS);
    if (position === null) return null;
    const [row, column] = [Math.floor(position / SIDE) + 1, (position % SIDE) + 1];
    return { text: t('any.place', { row, column }) };
  },
  describeMove(action, seat, name, t) {
    const position = indexIn(fieldOf(action, 'position'), CELLS) ?? 0;
    return t('tictactoe.move', {
      name,
      mark: pieceName(seat, t),
      row: Math.floor(position / SIDE) + 1,
      column: (position % SIDE) + 1,
    });
  },
};
