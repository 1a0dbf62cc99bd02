/** Reversi on screen: a cloth of 64 cells, and discs that turn over. */

import type { BoardHost, BoardState, BoardText, BoardView } from '@matchd/game/board';
import type { ReversiAction, ReversiState } from './rules.ts';

type View = ReversiState & { readonly discs: readonly number[] };
type State = BoardState<View, ReversiAction>;

const SIDE = 8;
const CELLS = SIDE * SIDE;
/** Units of the drawing: a cell, and the wood around the cloth. */
const CELL = 100;
const RIM = 26;
const SIZE = SIDE * CELL + 2 * RIM;
/** What lies in a cell, by seat. */
const DISCS = 'bw';
const SVG = 'http://www.w3.org/2000/svg';

const STYLE = `
.rv-wood { fill: color-mix(in srgb, var(--mp-board-dark) 55%, black); }
.rv-cloth { fill: var(--mp-board-dark); }
.rv-lines { stroke: color-mix(in srgb, var(--mp-board-dark) 60%, black); stroke-width: 3; }
.rv-cell { outline: none; }
.rv-cell.is-free { cursor: pointer; }
.rv-hit { fill: transparent; }
.rv-disc { stroke-width: 4; transform-origin: 50px 50px; transition: transform 0.16s ease-in; }
.rv-disc.is-b { fill: #20282b; stroke: #4c585c; }
.rv-disc.is-w { fill: #f8f4ea; stroke: #b9b3a4; }
.rv-disc.is-turning { transform: scaleX(0); }
.rv-dot { fill: #fffaf0; opacity: 0; }
.is-free .rv-dot { opacity: 0.42; }
.is-last .rv-dot { fill: var(--mp-accent); opacity: 1; }
.is-sending .rv-dot { opacity: 0.9; }
.rv-ring { fill: none; stroke: none; stroke-width: 7; }
.rv-cell:focus-visible .rv-ring { stroke: #fffaf0; }
@media (hover: hover) { .rv-cell.is-free:hover .rv-dot { opacity: 0.9; } }
`;

interface Cell {
  readonly element: SVGGElement;
  readonly disc: SVGCircleElement;
  /** What is shown of it: `b`, `w`, or `.`. */
  shown: string;
}

export function makeBoard(host: BoardHost): BoardView<View, ReversiAction> {
  host.style(STYLE);
  const cells = Array.from({ length: CELLS }, (_, cell) => makeCell(cell));
  const element = draw('svg', { viewBox: `0 0 ${SIZE} ${SIZE}`, role: 'grid' });
  element.setAttribute('aria-label', host.t('board'));
  element.append(makeGround(), ...makeRows(cells));
  let state: State | null = null;
  host.walk(
    cells.map((cell) => cell.element),
    SIDE,
    (cell) => {
      if (state !== null && mayPlay(state, cell)) host.play({ cell });
    },
  );
  return {
    element,
    render(next) {
      const before = state;
      state = next;
      for (const [index, cell] of cells.entries()) showCell(cell, index, next, before, host);
      soundOf(before, next, host);
    },
  };
}

function mayPlay({ canMove, legal }: State, cell: number): boolean {
  return canMove && legal !== null && legal.some((action) => action.cell === cell);
}

function showCell(
  cell: Cell,
  index: number,
  state: State,
  before: State | null,
  { t }: BoardHost,
): void {
  const lies = state.view.board[index]!;
  const isTurned = before !== null && cell.shown !== '.' && lies !== '.' && cell.shown !== lies;
  if (cell.shown !== lies) showDisc(cell, lies, isTurned);
  const isFree = mayPlay(state, index);
  const isLast = state.lastMove?.action?.cell === index;
  cell.element.setAttribute(
    'class',
    `rv-cell${isFree ? ' is-free' : ''}${isLast ? ' is-last' : ''}` +
      (state.sending?.cell === index ? ' is-sending' : ''),
  );
  const content = lies === '.' ? t('empty') : pieceName(DISCS.indexOf(lies), t);
  const label = `${nameOf(index)}, ${content}`;
  cell.element.setAttribute('aria-label', isFree ? `${label}, ${t('playable')}` : label);
  cell.element.setAttribute('aria-disabled', String(!isFree));
}

/** A disc that is turned over is seen from its edge in between. */
function showDisc(cell: Cell, lies: string, isTurned: boolean): void {
  cell.shown = lies;
  const show = (): void => {
    cell.disc.setAttribute('class', `rv-disc is-${lies}`);
    cell.disc.setAttribute('r', lies === '.' ? '0' : '40');
  };
  if (!isTurned || matchMedia('(prefers-reduced-motion: reduce)').matches) {
    show();
    return;
  }
  cell.disc.classList.add('is-turning');
  setTimeout(() => {
    if (cell.shown === lies) show();
  }, 160);
}

function soundOf(before: State | null, { lastMove }: State, host: BoardHost): void {
  if (before !== null && lastMove !== null && lastMove.v !== before.lastMove?.v) {
    host.sound('place');
  }
}

export function makePiece(seat: number): SVGSVGElement {
  const piece = draw('svg', { viewBox: '0 0 100 100', class: 'piece', 'aria-hidden': 'true' });
  piece.append(draw('circle', { cx: 50, cy: 50, r: 42, class: `rv-disc is-${DISCS[seat]}` }));
  return piece;
}

export function pieceName(seat: number, t: BoardText): string {
  return t(`seat.${seat}`);
}

export function describeMove(
  action: ReversiAction | null,
  seat: number,
  name: string,
  t: BoardText,
): string | null {
  return action && t('move', { name, disc: pieceName(seat, t), cell: nameOf(action.cell) });
}

/** How many discs a seat has, on its plate. */
export function note(view: View, seat: number, t: BoardText): string {
  return t('discs', { count: view.discs[seat]! });
}

/** As players write it: columns a to h from the left, rows 1 to 8 from the top. */
function nameOf(cell: number): string {
  return `${'abcdefgh'[cell % SIDE]}${Math.floor(cell / SIDE) + 1}`;
}

function makeGround(): SVGGElement {
  const ground = draw('g', { 'aria-hidden': 'true' });
  const cloth = { x: RIM, y: RIM, width: SIDE * CELL, height: SIDE * CELL };
  const ways = Array.from({ length: SIDE + 1 }, (_, n) => {
    const at = RIM + n * CELL;
    return `M${at} ${RIM}v${SIDE * CELL}M${RIM} ${at}h${SIDE * CELL}`;
  });
  ground.append(
    draw('rect', { class: 'rv-wood', width: SIZE, height: SIZE, rx: 30 }),
    draw('rect', { class: 'rv-cloth', ...cloth }),
    draw('path', { class: 'rv-lines', d: ways.join('') }),
  );
  return ground;
}

function makeCell(cell: number): Cell {
  const x = RIM + (cell % SIDE) * CELL;
  const y = RIM + Math.floor(cell / SIDE) * CELL;
  const element = draw('g', { role: 'gridcell', transform: `translate(${x} ${y})` });
  const disc = draw('circle', { cx: 50, cy: 50, r: 0, class: 'rv-disc' });
  element.append(
    draw('rect', { class: 'rv-hit', width: CELL, height: CELL }),
    disc,
    draw('circle', { class: 'rv-dot', cx: 50, cy: 50, r: 9 }),
    draw('rect', { class: 'rv-ring', x: 6, y: 6, width: CELL - 12, height: CELL - 12, rx: 10 }),
  );
  return { element, disc, shown: '.' };
}

function makeRows(cells: readonly Cell[]): readonly SVGGElement[] {
  return Array.from({ length: SIDE }, (_, row) => {
    const line = draw('g', { role: 'row' });
    line.append(...cells.slice(row * SIDE, (row + 1) * SIDE).map(({ element }) => element));
    return line;
  });
}

function draw<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | number>>,
): SVGElementTagNameMap[Name] {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, `${value}`);
  return element;
}
