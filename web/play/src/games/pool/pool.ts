/** The pool table on a canvas: aim, place, call and shoot; and every shot from the server. */

import { missedMoves } from '../../missed-moves.ts';
import { h, svg } from '../../ui/dom.ts';
import { movesFreely } from '../../ui/motion.ts';
import { adoptSheet } from '../adopt-sheet.ts';
import type { BoardHost, BoardModule, BoardState, BoardView } from '../board-view.ts';
import { endDrag, listenToPointers } from './gestures.ts';
import { pressKey } from './keys.ts';
import css from './pool.css' with { type: 'text' };
import { makeProjection } from './projection.ts';
import { paint, playShot, refresh, rest } from './show.ts';
import type { Table } from './table.ts';
import { makeSettings, mayAct, mayShoot, shoot } from './table.ts';
import { makeTools } from './tools.ts';
import { makeTray } from './tray.ts';
import { readView } from './view.ts';
import { describeMove, hintOf, noteOf, shortMove } from './words.ts';

/** Applied once for all boards of the page. */
let isStyled = false;

function makeBoard(host: BoardHost): BoardView {
  if (!isStyled) adoptSheet(css);
  isStyled = true;
  const canvas = h('canvas', { class: 'po-canvas', tabindex: 0, role: 'application' });
  canvas.setAttribute('aria-label', host.t('pool.board'));
  const settings = makeSettings();
  const tools = makeTools(
    settings,
    host.t,
    {
      changed: () => refresh(table),
      called: (what) => {
        if (what === 'ball') table.called.ball = 'list';
        else table.called.pocket = true;
        refresh(table);
      },
      shoot: () => shoot(table),
      choose: (choice) => {
        if (mayAct(table)) host.play({ choose: choice });
      },
    },
    host.settings,
  );
  const tray = makeTray(host.t, host.nameOf);
  const banner = h('p', { class: 'po-banner', 'aria-hidden': 'true', hidden: true });
  const table: Table = {
    host,
    element: h(
      'div',
      { class: 'board po' },
      tray.element,
      h('div', { class: 'po-cloth' }, canvas, banner),
      tools.element,
    ),
    canvas,
    tools,
    tray,
    banner,
    settings,
    facings: new Map(),
    at: makeProjection(2, 1),
    state: null,
    view: readView(null),
    aim: 0,
    place: null,
    prediction: null,
    called: { ball: null, pocket: false },
    balls: [],
    playing: 0,
    busy: false,
    announcedShot: 0,
    drag: null,
    finger: null,
  };
  new ResizeObserver(() => fit(table)).observe(canvas);
  listenToPointers(table);
  canvas.addEventListener('keydown', (event) => pressKey(table, event));
  return {
    element: table.element,
    render: (next) => render(table, next),
  };
}

function render(table: Table, next: BoardState): void {
  const { state: before } = table;
  const isOther = before === null || JSON.stringify(before.view) !== JSON.stringify(next.view);
  table.state = next;
  if (table.drag !== null && !mayShoot(table)) endDrag(table);
  if (!isOther) {
    // A cue ball that was placed for a shot without an ack returns to its shared position.
    if (next.result !== null && before.result === null && !table.busy) rest(table);
    else refresh(table);
    return;
  }
  const shotsBefore = table.view.shots;
  table.view = readView(next.view);
  table.playing += 1;
  const isShot = before !== null && table.view.shots === shotsBefore + 1;
  const isSeen = movesFreely() && document.visibilityState === 'visible';
  if (isShot && isSeen && table.view.last !== null) playShot(table, table.playing);
  else rest(table);
}

/** Gives the canvas the resolution of the screen. */
function fit(table: Table): void {
  const { canvas } = table;
  const { clientWidth: width, clientHeight: height } = canvas;
  if (width === 0 || height === 0) return;
  // A pull was measured on the old size; other gestures continue.
  if (table.drag?.kind === 'pull') endDrag(table);
  const ratio = Math.min(3, window.devicePixelRatio || 1);
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.getContext('2d')?.setTransform(ratio, 0, 0, ratio, 0, 0);
  table.at = makeProjection(width, height, innerWidth > innerHeight);
  table.tools.turn(table.at.upright);
  paint(table);
}

export const poolBoard: BoardModule = {
  missedMoves,
  makeBoard,
  makePiece: (seat) =>
    svg(
      'svg',
      { class: 'piece po', viewBox: '-20 -20 40 40', 'aria-hidden': 'true' },
      svg('circle', { class: `po-token piece-${seat}`, r: 18 }),
      svg('circle', { class: 'po-token-spot', r: seat === 0 ? 8 : 11 }),
      svg('circle', { class: `po-token piece-${seat}`, r: seat === 0 ? 0 : 6 }),
    ),
  pieceName: () => '',
  describeMove,
  shortMove,
  showingMs: (view) => (readView(view).last?.duration ?? 0) * 1_000,
  hint: ({ view }, t) => hintOf(view, t),
  note: noteOf,
};
