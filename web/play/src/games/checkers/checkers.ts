/** The board of checkers, of every variant: press or drag a piece, then its target. */

import { fieldOf } from '../../field.ts';
import type { Translate } from '../../i18n/translate.ts';
import { missedMoves } from '../../missed-moves.ts';
import type { Seat } from '../../protocol.ts';
import { setAttributes, svg } from '../../ui/dom.ts';
import type {
  BoardHost,
  BoardModule,
  BoardState,
  BoardView,
  ShortMove,
  ShownMove,
} from '../board-view.ts';
import type { Roving } from '../roving.ts';
import { makeRoving } from '../roving.ts';
import type { Option, Trail } from './choice.ts';
import { fittingOptions, hintsOf, optionsOf, originsOf, press, targetsOf } from './choice.ts';
import { makeDrag } from './drag.ts';
import type { Layout, Square } from './ground.ts';
import { cellAt, makeGround, makeSquares, sizeOf } from './ground.ts';
import { makeDraught } from './pieces.ts';
import type { PiecesLayer } from './pieces-layer.ts';
import { makePiecesLayer } from './pieces-layer.ts';
import type { Premove } from './premove.ts';
import { canGoOn, fittingMove, inTheWay, isSet, pressPremove } from './premove.ts';
import type { Cells, Route } from './routes.ts';
import { edgeOf, gaitOf, readAction, readCells, routesOf } from './routes.ts';
import { squareName } from './squares.ts';
import type { Way } from './way.ts';
import { makeWay } from './way.ts';

/** The delay of a premove on the player's turn, so that the opponent's move is seen. Milliseconds. */
const PREMOVE_MS = 350;

/** The state that the board's functions share. */
interface Table {
  readonly host: BoardHost;
  readonly element: SVGSVGElement;
  readonly pieces: PiecesLayer;
  wasDragged: () => boolean;
  layout: Layout | null;
  squares: readonly Square[];
  roving: Roving | null;
  state: BoardState | null;
  cells: Cells;
  options: readonly Option[];
  /** The hints of the piece under the mouse, computed once per position. */
  hints: ReadonlyMap<number, ReadonlySet<number>>;
  trail: Trail;
  /** The cells of the last move, until the next one. */
  lastRoute: Route | null;
  readonly way: Way;
  /** The premove, set during the other player's turn. */
  premove: Premove | null;
  /** The cell under the mouse. */
  hovered: number | null;
}

function makeBoard(host: BoardHost): BoardView {
  const element = svg('svg', {
    class: 'board ck',
    role: 'grid',
    'aria-label': host.t('checkers.board'),
  });
  const table: Table = {
    host,
    element,
    pieces: makePiecesLayer(),
    wasDragged: () => false,
    layout: null,
    squares: [],
    roving: null,
    state: null,
    cells: [],
    options: [],
    hints: new Map(),
    trail: [],
    lastRoute: null,
    way: makeWay(),
    premove: null,
    hovered: null,
  };
  table.wasDragged = makeDrag(element, {
    canLift: (cell) =>
      (table.state?.canMove === true && originsOf(table.options).has(cell)) ||
      (canPremove(table) && table.cells[cell]?.seat === table.state?.seat),
    lift(cell) {
      if (table.state?.canMove !== true) setPremove(table, [cell]);
      else if (table.trail[0] !== cell) setTrail(table, [cell]);
      table.pieces.pieceAt(cell)?.classList.add('is-held');
    },
    carry: (cell, x, y) => table.pieces.hold(cell, [x, y]),
    drop: (cell, x, y) => drop(table, cell, x, y),
  }).wasDragged;
  const hover = (event: PointerEvent): void => {
    if (event.pointerType !== 'mouse') return;
    const found = event.type === 'pointerover' ? (event.target as Element) : null;
    const cell = found?.closest<SVGElement>('[data-cell]')?.dataset['cell'];
    const hovered = cell === undefined ? null : Number(cell);
    if (hovered === table.hovered) return;
    table.hovered = hovered;
    showHints(table);
  };
  element.addEventListener('pointerover', hover);
  element.addEventListener('pointerleave', hover);
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    if (table.trail.length > 0) setTrail(table, []);
    else if (table.premove !== null) setPremove(table, null);
    else return;
    event.preventDefault();
  });
  return {
    element,
    render: (next) => render(table, next),
  };
}

/** Rebuilds the squares when the board's size or orientation changes. */
function layOut(table: Table, layout: Layout): void {
  const { layout: before, element, pieces } = table;
  const isSame =
    before?.edge === layout.edge &&
    before.turned === layout.turned &&
    before.variant === layout.variant;
  if (isSame) return;
  const { rows, squares } = makeSquares(layout);
  const size = sizeOf(layout);
  table.layout = layout;
  table.squares = squares;
  pieces.reset(layout);
  element.setAttribute('viewBox', `0 0 ${size} ${size}`);
  element.replaceChildren(makeGround(layout), ...rows, pieces.element, table.way.element);
  table.roving = makeRoving(
    squares.map(({ cell }) => cell),
    layout.edge / 2,
    (index) => {
      if (!table.wasDragged()) pressCell(table, squares[index]!.index);
    },
  );
}

function render(table: Table, next: BoardState): void {
  const { state: before, cells: cellsBefore, pieces } = table;
  const cells = readCells(next.view);
  layOut(table, { edge: edgeOf(cells), variant: next.variant, turned: next.nearest === 1 });
  const isNew = before !== null && next.lastMove !== null && next.lastMove.v !== before.lastMove?.v;
  const isOther = JSON.stringify(cells) !== JSON.stringify(cellsBefore);
  if (isNew) table.lastRoute = routeOf(cellsBefore, next);
  else if (next.lastMove === null) table.lastRoute = null;
  table.state = next;
  table.cells = cells;
  table.options = next.canMove ? optionsOf(cells, next.legal, gaitOf(next.variant)) : [];
  table.hints = hintsOf(table.options);
  if (isOther) {
    table.trail = [];
    pieces.show(cells, isNew ? table.lastRoute : null);
    if (isNew) sound(table, cellsBefore);
  } else if (table.trail.length > 0 && !isStillValid(before, next)) setTrail(table, []);
  if (next.result !== null || next.seat === null) table.premove = null;
  renderSquares(table);
  if (next.canMove && table.premove !== null) playPremove(table);
}

/**
 * Whether a selection stays valid in the same position. A refused move or the end clears it. A lost connection does
 * not: it
 * may be the player's turn again in a moment.
 */
function isStillValid(before: BoardState | null, next: BoardState): boolean {
  if (next.result !== null) return false;
  return next.sending !== null || (before?.sending === null && next.turn === next.seat);
}

/** The path of the last move, derived from the position before it. */
function routeOf(before: Cells, { lastMove, variant }: BoardState): Route | null {
  const action = readAction(lastMove?.action, before.length);
  return action === null ? null : (routesOf(before, action, gaitOf(variant))[0] ?? null);
}

function sound({ host, lastRoute, cells }: Table, before: Cells): void {
  if (lastRoute === null) return;
  const { captured, cells: walked } = lastRoute;
  const crowned = cells[walked.at(-1)!]?.king === true && before[walked[0]!]?.king === false;
  host.sound(crowned ? 'crown' : captured.length > 0 ? 'take' : 'place');
}

function pressCell(table: Table, cell: number): void {
  const { host, state, options, trail, pieces, premove } = table;
  // The premove will be played in a moment: until then a press cancels it.
  if (state?.canMove !== true || premove !== null) {
    pressEarly(table, cell);
    return;
  }
  const pressed = press(options, trail, cell);
  switch (pressed.kind) {
    case 'play':
      pieces.hold(pressed.route.cells[0]!, pressed.action.to);
      host.play(pressed.action);
      return;
    case 'trail':
      if (pressed.trail.length === 0 && cell !== trail[0]) explain(table, cell);
      setTrail(table, pressed.trail);
      return;
    case 'unclear':
      host.say(host.t('checkers.unclear'));
      return;
  }
}

/** Why a press on a cell does nothing, derived from the legal moves. */
function explain({ host, state, cells, trail }: Table, cell: number): void {
  const { t } = host;
  const piece = cells[cell] ?? null;
  if (piece !== null && piece.seat !== state?.seat) host.refuse?.(t('hint.notYours'));
  else if (fieldOf(state?.view, 'mustCapture') === true) host.refuse?.(t('checkers.mustCapture'));
  else if (piece !== null) host.refuse?.(t('hint.stuck'));
  else if (trail.length > 0) host.refuse?.(t('hint.target'));
}

/** Whether a premove is possible: while others are to move. */
function canPremove({ state, host }: Table): boolean {
  if (state === null || state.seat === null || host.live === undefined) return false;
  return state.result === null && state.turn !== null && state.turn !== state.seat;
}

function pressEarly(table: Table, cell: number): void {
  const { premove, host } = table;
  if (!canPremove(table) && premove === null) {
    host.refuse?.();
    return;
  }
  const next = pressPremove(premove, cell, groundOf(table));
  if (next === null && premove === null) host.refuse?.();
  else setPremove(table, next);
}

function setPremove(table: Table, premove: Premove | null): void {
  const { host, premove: before } = table;
  const { t } = host;
  table.premove = premove;
  renderSquares(table);
  if (premove === null) {
    if (isSet(before)) host.say(t('premove.taken'));
    return;
  }
  const names = premove.map((cell) => nameOf(table, cell));
  const [from, to] = [names[0]!, names.at(-1)!];
  if (!isSet(premove)) host.say(t('premove.from', { square: from }));
  else if (!canGoOn(premove, groundOf(table))) host.say(t('premove.set', { from, to }));
  else host.say(t('premove.way', { squares: names.join(', ') }));
}

/** The position that a premove is based on: the current one. */
function groundOf({ cells, state }: Table) {
  return { cells, seat: state?.seat ?? 0, gait: gaitOf(state?.variant ?? '') };
}

/** On the player's turn the premove is played after a moment, unless it has become illegal. */
function playPremove(table: Table): void {
  const { premove, options, host } = table;
  if (premove === null) return;
  const from = premove[0]!;
  if (!isSet(premove)) {
    // Moving less than half a square is a press, not a drag.
    table.premove = null;
    if (originsOf(options).has(from)) setTrail(table, [from]);
    else renderSquares(table);
    return;
  }
  if (fittingMove(premove, options) === null) {
    table.premove = null;
    renderSquares(table);
    host.refuse?.(host.t('premove.gone'));
    return;
  }
  setTimeout(() => {
    if (table.premove !== premove || table.state?.canMove !== true) return;
    const fitting = fittingMove(premove, table.options);
    table.premove = null;
    if (fitting === null) renderSquares(table);
    else {
      table.pieces.hold(from, premove.at(-1)!);
      host.play(fitting.action);
    }
  }, PREMOVE_MS);
}

/** Drawn over the board: the premove, the captures of the chosen piece, or the last ones. */
function showWay(table: Table): void {
  const { way, layout, premove, trail, options, lastRoute, state } = table;
  if (layout === null) return;
  if (isSet(premove)) {
    way.show({ cells: premove, captured: inTheWay(premove, groundOf(table)) }, 'planned', layout);
    return;
  }
  const chosen = trail.length === 0 ? [] : fittingOptions(options, trail);
  const [only] = chosen;
  const isOne = chosen.length === 1 && only!.route.captured.length > 0;
  if (isOne && state?.canMove === true) way.show(only!.route, 'planned', layout);
  else if (trail.length === 0 && (lastRoute?.captured.length ?? 0) > 1) {
    way.show(lastRoute, 'last', layout);
  } else way.show(null, 'last', layout);
}

function drop(table: Table, cell: number, x: number, y: number): void {
  const { pieces, layout, trail } = table;
  pieces.pieceAt(cell)?.classList.remove('is-held');
  const target = layout === null ? null : cellAt(x, y, layout);
  pieces.hold(cell, trail.at(-1) ?? cell);
  if (target !== null && target !== cell) pressCell(table, target);
}

/** The chosen steps: the piece is shown at their end. */
function setTrail(table: Table, trail: Trail): void {
  const { host, pieces, trail: before } = table;
  if (before.length > 0 && before[0] !== trail[0]) pieces.hold(before[0]!, before[0]!);
  table.trail = trail;
  if (trail.length > 0) pieces.hold(trail[0]!, trail.at(-1)!);
  renderSquares(table);
  if (trail.length === 0) return;
  const { steps, ends } = targetsOf(table.options, trail);
  const squares = [...new Set([...steps, ...ends])].map((cell) => nameOf(table, cell)).join(', ');
  host.say(host.t('checkers.chosen', { square: nameOf(table, trail.at(-1)!), squares }));
}

function nameOf({ layout, state }: Table, cell: number): string {
  return squareName(cell, layout?.edge ?? 8, state?.variant ?? '');
}

function renderSquares(table: Table): void {
  showHints(table);
  const { squares, state, options, trail, lastRoute, cells, premove } = table;
  showWay(table);
  const origins = originsOf(options);
  const { steps, ends } = targetsOf(options, trail);
  const sending = readAction(state?.sending, cells.length);
  const traced = sending === null ? (lastRoute?.cells ?? []) : [sending.from, sending.to];
  for (const { index, cell } of squares) {
    const isTarget = steps.has(index) || ends.has(index);
    const { classList } = cell;
    classList.toggle('is-free', isTarget || origins.has(index));
    classList.toggle('is-origin', origins.has(index) && trail.length === 0);
    classList.toggle('is-chosen', trail.includes(index));
    classList.toggle('is-planned', premove?.includes(index) === true);
    classList.toggle('is-target', isTarget);
    classList.toggle('is-last', traced.includes(index));
    classList.toggle('is-sending', sending?.to === index);
    setAttributes(cell, {
      'aria-label': squareLabel(table, index, isTarget, origins.has(index)),
      'aria-selected': trail[0] === index ? 'true' : null,
      'aria-disabled': isTarget || origins.has(index) ? 'false' : 'true',
    });
  }
}

/** Where the piece under the mouse can go, while none is chosen. */
function showHints({ squares, hints, trail, hovered }: Table): void {
  const shown = hovered === null || trail.length > 0 ? undefined : hints.get(hovered);
  for (const { index, cell } of squares) {
    cell.classList.toggle('is-hinted', shown?.has(index) === true);
  }
}

function squareLabel(table: Table, cell: number, isTarget: boolean, isOrigin: boolean): string {
  const { t } = table.host;
  const piece = table.cells[cell] ?? null;
  const content =
    piece === null
      ? t('checkers.empty')
      : t(piece.king ? 'checkers.king' : 'checkers.man', { piece: pieceName(piece.seat, t) });
  const can = isTarget ? [t('checkers.canLand')] : isOrigin ? [t('checkers.canMove')] : [];
  return [t('checkers.square', { square: nameOf(table, cell) }), content, ...can].join(', ');
}

function pieceName(seat: Seat, t: Translate): string {
  return t(seat === 0 ? 'checkers.piece0' : 'checkers.piece1');
}

function describeMove(
  action: unknown,
  seat: Seat,
  name: string,
  t: Translate,
  { before, view, variant }: ShownMove,
): string {
  const cells = readCells(view);
  const move = readAction(action, cells.length);
  if (move === null) return name;
  const old = readCells(before);
  const count = (all: Cells): number => all.filter((piece) => piece?.seat === 1 - seat).length;
  const taken = before === null || before === undefined ? 0 : count(old) - count(cells);
  const square = (cell: number): string => squareName(cell, edgeOf(cells), variant);
  const from = square(move.from);
  const to = square(move.to);
  const key = taken > 1 ? 'checkers.takesMany' : taken === 1 ? 'checkers.takes' : 'checkers.move';
  const sentence = t(key, { name, from, to, count: taken });
  const crowned = cells[move.to]?.king === true && old[move.from]?.king === false;
  return crowned ? `${sentence}, ${t('checkers.crowned')}` : sentence;
}

/** `11-15`, `15x22`, and the captured pieces. */
function shortMove(
  action: unknown,
  seat: Seat,
  _t: Translate,
  { before, view, variant }: ShownMove,
): ShortMove | null {
  const cells = readCells(view);
  const move = readAction(action, cells.length);
  if (move === null) return null;
  const count = (all: Cells): number => all.filter((piece) => piece?.seat === 1 - seat).length;
  const fallen = before === null ? 0 : Math.max(0, count(readCells(before)) - count(cells));
  const square = (cell: number): string => squareName(cell, edgeOf(cells), variant);
  return {
    text: `${square(move.from)}${fallen > 0 ? '×' : '–'}${square(move.to)}`,
    taken: Array.from({ length: fallen }, () => makePiece(1 - seat)),
  };
}

function makePiece(seat: Seat): SVGSVGElement {
  return svg(
    'svg',
    { class: 'piece ck', viewBox: '-44 -42 88 92', 'aria-hidden': 'true' },
    makeDraught(seat),
  );
}

export const checkersBoard: BoardModule = {
  drawOffers: true,
  missedMoves,
  makeBoard,
  makePiece,
  pieceName,
  describeMove,
  shortMove,
  hint: ({ view }, t) => (fieldOf(view, 'mustCapture') === true ? t('checkers.mustCapture') : null),
};
