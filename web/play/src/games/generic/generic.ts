/** A board for any game, built from its view and its legal actions only. */

import type { Json } from '../../../../../game/src/game.ts';
import { fieldOf } from '../../field.ts';
import type { Translate } from '../../i18n/translate.ts';
import type { Seat } from '../../protocol.ts';
import { h } from '../../ui/dom.ts';
import type {
  BoardHost,
  BoardModule,
  BoardState,
  BoardView,
  ShortMove,
  ShownMove,
} from '../board-view.ts';
import { makePresses } from '../presses.ts';
import { columnsIn, playsOf } from './actions.ts';
import { validChoice } from './choice.ts';
import { makeControls } from './controls.ts';
import { draw } from './draw.ts';
import { makeForm } from './form.ts';
import { layOut } from './layout.ts';
import { followTicks } from './live-view.ts';
import { makePiece } from './piece.ts';
import type { GameInfo, Table } from './table.ts';
import { moveWords, pieceWords } from './words.ts';

export function makeGenericBoard(info: GameInfo): BoardModule {
  return {
    shortMove: (action, _seat, t, shown) => shorten(info, action, t, shown),
    makeBoard: (host) => makeBoard(info, host),
    makePiece,
    ...(info.ticks !== null && { hint: () => info.title() }),
    pieceName: (seat, t) => pieceWords(seat, info.known, t),
    describeMove: (action, seat, name, t, shown) =>
      describe(info, { action, seat, name, t, shown }),
  };
}

function describe(
  info: GameInfo,
  move: {
    readonly action: unknown;
    readonly seat: Seat;
    readonly name: string;
    readonly t: Translate;
    readonly shown: ShownMove;
  },
): string {
  const { action, name, t, shown } = move;
  if (fieldOf(action, 'missed') !== undefined) return t('say.missed', { name });
  if (action === null) return t('any.acted', { name });
  const words = { t, known: info.known, nameOf: shown.nameOf };
  const parts = layOut(shown.view, 0);
  const [play] = playsOf(parts, [action], 0);
  return t('say.did', { name, choice: moveWords(parts, play!, words) });
}

/** In the game's notation, else as on the buttons. */
function shorten(
  { known, notation }: GameInfo,
  action: unknown,
  t: Translate,
  { before, view, nameOf }: ShownMove,
): ShortMove | null {
  if (action === null || fieldOf(action, 'missed') !== undefined) return null;
  const parts = layOut(view, 0);
  const [play] = playsOf(parts, [action], 0);
  const written = before === null ? null : notation(before, action, null);
  if (written !== null && !written.startsWith('{')) return { text: written };
  return { text: moveWords(parts, play!, { t, known, nameOf }) };
}

function makeBoard(info: GameInfo, host: BoardHost): BoardView {
  const { t } = host;
  const table: Table = {
    info,
    host,
    words: { t, known: info.known, nameOf: host.nameOf },
    element: h('div', { class: 'board fills any', tabindex: -1 }),
    played: h('div', { class: 'any-play' }),
    acted: h('div', { class: 'any-act' }),
    read: h('div', { class: 'any-read' }),
    buttons: h('div', { class: 'any-buttons' }),
    refusal: h('p', { class: 'any-fault', role: 'status', lang: 'en' }),
    form: makeForm({ t, play: host.play, rules: () => table.rules }),
    presses: makePresses(),
    grids: new Map(),
    rules: null,
    state: null,
    view: null,
    columns: 0,
    parts: [],
    plays: [],
    chosen: [],
    tapped: new Set(),
    stopTicks: null,
  };
  table.element.append(table.played, table.acted, table.read);
  setUpActions(table);
  if (info.ticks === null) void loadRules(table);
  return { element: table.element, render: (state) => render(table, state) };
}

function setUpActions(table: Table): void {
  const { info, acted, buttons, refusal, form, presses, words } = table;
  const isOn = (): boolean => table.stopTicks !== null && table.state?.seat !== null;
  const controls =
    info.ticks === null ? null : makeControls(info.ticks.maskMax, presses, words, isOn);
  acted.append(buttons, form.element, ...(controls === null ? [] : [controls.element]), refusal);
  form.element.hidden = true;
  if (controls !== null) controls.element.hidden = true;
}

/** The rules, for notation, and to report an invalid action at once. */
async function loadRules(table: Table): Promise<void> {
  table.rules = await table.info.loadRules().catch(() => null);
  table.form.explain();
  if (table.rules !== null && table.state !== null) draw(table);
}

function render(table: Table, next: BoardState): void {
  const before = table.state;
  table.state = next;
  const isOver = next.result !== null;
  if (before !== null && next.lastMove !== null && next.lastMove.v !== before.lastMove?.v) {
    table.host.sound('place');
  }
  followMatch(table, isOver);
  if (before !== null && isSameFor(before, next)) return;
  if (table.stopTicks === null || before?.view !== next.view) table.view = next.view;
  relayout(table);
}

function isSameFor(before: BoardState, next: BoardState): boolean {
  const names = ['view', 'legal', 'canMove', 'sending', 'lastMove', 'refusal', 'result'] as const;
  return names.every((name) => before[name] === next[name]);
}

/** For a real-time game, from its first view to its end. */
function followMatch(table: Table, isOver: boolean): void {
  const { info, host, presses, state, element } = table;
  const isRunning = info.ticks !== null && host.live !== undefined && !isOver;
  if (!isRunning || state?.view === null) {
    table.stopTicks?.();
    table.stopTicks = null;
  } else {
    table.stopTicks ??= followTicks({
      live: host.live,
      presses,
      ticksPerSecond: info.ticks.ticksPerSecond,
      loadRules: info.loadRules,
      seat: () => table.state?.seat ?? null,
      isShown: () => element.isConnected,
      show(view: Json) {
        table.view = view;
        relayout(table);
      },
    });
  }
}

function relayout(table: Table): void {
  const { legal, seats, canMove } = table.state!;
  table.columns = Math.max(table.columns, columnsIn(legal ?? []));
  table.parts = layOut(table.view, seats, table.columns);
  table.plays = legal === null || !canMove ? [] : playsOf(table.parts, legal, seats);
  for (const { taps } of table.plays) for (const { path } of taps) table.tapped.add(path);
  table.chosen = validChoice(table.plays, table.chosen);
  draw(table);
}
