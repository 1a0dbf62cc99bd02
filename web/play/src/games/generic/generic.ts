/** A board for any game: made of its view and its legal actions alone. */

import type { AnyGame, Json } from '../../../../../game/src/game.ts';
import { fieldOf, indexesIn } from '../../field.ts';
import type { Translate } from '../../i18n/translate.ts';
import type { Seat } from '../../protocol.ts';
import { button, h, setText } from '../../ui/dom.ts';
import type { BoardHost, BoardModule, BoardState, BoardView, ShownMove } from '../board-view.ts';
import type { KnownText } from '../operator/text.ts';
import type { Presses } from '../presses.ts';
import { makePresses } from '../presses.ts';
import type { Play } from './actions.ts';
import { columnsIn, playsOf, targetsIn } from './actions.ts';
import type { Cell } from './cell.ts';
import type { Spot } from './choice.ts';
import { keptChoice, offerAfter, tap } from './choice.ts';
import { makeControls } from './controls.ts';
import type { ActionForm } from './form.ts';
import { makeForm } from './form.ts';
import type { GridMarks, GridView } from './grid.ts';
import { makeGrid } from './grid.ts';
import type { GridPart, Part, Path } from './layout.ts';
import { cellsOf, LIST_MAX, layOut } from './layout.ts';
import { followTicks } from './live-view.ts';
import type { Drawing } from './parts.ts';
import { drawPart } from './parts.ts';
import { makePiece } from './piece.ts';
import type { Words } from './words.ts';
import { actionWords, fieldWords, moveWords, thingWords } from './words.ts';

/** What is known of a game beside its views. */
export interface GameInfo {
  readonly known: KnownText;
  /** What the game is called. */
  title(): string;
  /** Of games that run by the clock. */
  readonly ticks: { readonly ticksPerSecond: number; readonly maskMax: number } | null;
  /** Null where the server has none. Rejects when they cannot be fetched. */
  loadRules(): Promise<AnyGame | null>;
}

/** All that the board's functions work on. */
interface Table {
  readonly info: GameInfo;
  readonly host: BoardHost;
  readonly words: Words;
  readonly element: HTMLElement;
  readonly played: HTMLElement;
  readonly acted: HTMLElement;
  readonly read: HTMLElement;
  readonly buttons: HTMLElement;
  readonly refusal: HTMLElement;
  readonly form: ActionForm;
  readonly presses: Presses;
  readonly grids: Map<string, GridView>;
  rules: AnyGame | null;
  state: BoardState | null;
  /** What is shown: the view, or a prediction of it. */
  view: unknown;
  /** Columns that actions have named so far: as many as the board has, at least. */
  columns: number;
  parts: readonly Part[];
  plays: readonly Play[];
  chosen: readonly Spot[];
  /** Paths of all that could be tapped so far: it stands where it stood, when others are to move too. */
  readonly tapped: Set<Path>;
  stopTicks: (() => void) | null;
}

export function makeGenericBoard(info: GameInfo): BoardModule {
  return {
    makeBoard: (host) => makeBoard(info, host),
    makePiece,
    ...(info.ticks !== null && { hint: () => info.title() }),
    pieceName: (seat, t) => pieceName(seat, info.known, t),
    describeMove: (action, seat, name, t, shown) =>
      describe(info, { action, seat, name, t, shown }),
  };
}

/** As the game's author calls it, else by the seat's number. */
function pieceName(seat: Seat, known: KnownText, t: Translate): string {
  return known(`seat.${seat}`) ?? t('any.seat', { number: seat + 1 });
}

function describe(
  info: GameInfo,
  told: {
    readonly action: unknown;
    readonly seat: Seat;
    readonly name: string;
    readonly t: Translate;
    readonly shown: ShownMove;
  },
): string {
  const { action, name, t, shown } = told;
  if (fieldOf(action, 'missed') !== undefined) return t('say.missed', { name });
  if (action === null) return t('any.acted', { name });
  const words = { t, known: info.known, nameOf: shown.nameOf };
  const parts = layOut(shown.view, 0);
  const [play] = playsOf(parts, [action], 0);
  return t('say.did', { name, choice: moveWords(parts, play!, words) });
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

/** For notation, and for saying at once what is wrong with an action. */
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
  layAnew(table);
}

function isSameFor(before: BoardState, next: BoardState): boolean {
  const names = ['view', 'legal', 'canMove', 'sending', 'lastMove', 'refusal', 'result'] as const;
  return names.every((name) => before[name] === next[name]);
}

/** Of a match that runs by the clock, from its first view to its end. */
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
        layAnew(table);
      },
    });
  }
}

function layAnew(table: Table): void {
  const { legal, seats, canMove } = table.state!;
  table.columns = Math.max(table.columns, columnsIn(legal ?? []));
  table.parts = layOut(table.view, seats, table.columns);
  table.plays = legal === null || !canMove ? [] : playsOf(table.parts, legal, seats);
  for (const { taps } of table.plays) for (const { path } of taps) table.tapped.add(path);
  table.chosen = keptChoice(table.plays, table.chosen);
  draw(table);
}

/** Does a section hold something that is tapped? */
function isTapped({ tapped }: Table, part: Part): boolean {
  return part.kind === 'section' && [...tapped].some((path) => path.startsWith(`${part.path}.`));
}

function draw(table: Table): void {
  const { element, played, read, parts } = table;
  const focused = document.activeElement;
  const key = focused instanceof HTMLElement && element.contains(focused) ? keyOf(focused) : null;
  const drawing = makeDrawing(table);
  const isPlayed = (part: Part): boolean =>
    part.kind === 'grid' || part.kind === 'chips' || isTapped(table, part);
  replace(
    played,
    parts.filter(isPlayed).map((part) => drawPart(part, drawing)),
  );
  replace(
    read,
    parts.filter((part) => !isPlayed(part)).map((part) => drawPart(part, drawing)),
  );
  element.classList.toggle(
    'has-grid',
    parts.some(({ kind }) => kind === 'grid'),
  );
  drawActions(table);
  keepFocus(table, focused, key);
}

/** Elements that are there already stay where they are: moved ones would lose the keyboard. */
function replace(parent: HTMLElement, children: readonly HTMLElement[]): void {
  for (const child of [...parent.children]) {
    if (!children.includes(child as HTMLElement)) child.remove();
  }
  for (const [index, child] of children.entries()) {
    if (parent.children[index] !== child)
      parent.insertBefore(child, parent.children[index] ?? null);
  }
}

function keyOf(element: HTMLElement): string | null {
  return element.dataset['key'] ?? null;
}

/** What had the keyboard and was made anew has it again; where it is gone, the board has it. */
function keepFocus({ element }: Table, focused: Element | null, key: string | null): void {
  if (key === null || element.contains(focused)) return;
  const again = [...element.querySelectorAll<HTMLElement>('[data-key]')].find(
    (each) => keyOf(each) === key,
  );
  (again ?? element).focus({ preventScroll: true });
}

function makeDrawing(table: Table): Drawing {
  const { words, plays, chosen, state } = table;
  const { spots } = offerAfter(plays, chosen);
  return {
    words,
    seats: state!.seats,
    gridOf: (part) => showGrid(table, part, spots.get(part.path) ?? new Set()),
    isSpot: (path, index) => spots.get(path)?.has(index) ?? false,
    isChosen: (path, index) => chosen.some((each) => each.path === path && each.index === index),
    tap: (spot) => tapSpot(table, spot),
  };
}

function showGrid(table: Table, part: GridPart, spots: ReadonlySet<number>): HTMLElement {
  const { grids, host, words, info } = table;
  const { path, columns, rows, name } = part;
  const known = grids.get(path);
  const isSame = known?.columns === columns && known.rows === rows;
  const grid = isSame
    ? known
    : makeGrid(part, {
        t: host.t,
        pieceOf: (seat) => pieceName(seat, info.known, host.t),
        press: (index) => tapSpot(table, { path, index }),
      });
  grids.set(path, grid);
  const { seats, legal } = table.state!;
  // Of open information everybody is told what the one to move may do.
  const targets = targetsIn(playsOf(table.parts, legal ?? [], seats), path);
  const cells = cellsOf(part, seats, targets).map((cell) => named(cell, words));
  grid.show(fieldWords(name, words), cells, marksOf(table, part, spots));
  return grid.element;
}

/** A cell with what its author calls that which stands there. */
function named(cell: Cell, words: Words): Cell {
  const told = cell.text === '' ? '' : thingWords(cell.text, words);
  return told === cell.text ? cell : { ...cell, text: told, spoken: told };
}

function marksOf(table: Table, part: GridPart, spots: ReadonlySet<number>): GridMarks {
  const { parts, chosen, state } = table;
  const { lastMove, sending, result, seats } = state!;
  const cellsIn = (action: unknown): ReadonlySet<number> => {
    if (action === null || action === undefined) return new Set();
    const [play] = playsOf(parts, [action], seats);
    const taps = play!.taps.filter(({ path, at }) => path === part.path && at.length === 1);
    return new Set(taps.flatMap(({ at }) => at));
  };
  const isOnly = parts.filter(({ kind }) => kind === 'grid').length === 1;
  return {
    spots,
    chosen: new Set(chosen.filter(({ path }) => path === part.path).map(({ index }) => index)),
    last: cellsIn(lastMove?.action),
    sending: cellsIn(sending),
    deciding: new Set(isOnly ? indexesIn(result?.['line'], part.values.length) : []),
  };
}

function tapSpot(table: Table, spot: Spot): void {
  const tapped = tap(table.plays, table.chosen, spot);
  if (tapped.kind === 'play') playIt(table, tapped.play);
  else {
    table.chosen = tapped.chosen;
    draw(table);
    const { buttons } = offerAfter(table.plays, table.chosen);
    if (table.chosen.length > 0) {
      table.host.say(table.host.t(buttons.length > 0 ? 'any.choose' : 'any.chosen'));
    }
  }
}

function playIt(table: Table, { action }: Play): void {
  table.chosen = [];
  table.host.play(action);
}

function drawActions(table: Table): void {
  const { host, state, chosen, plays, buttons, form, refusal, info, acted } = table;
  const { canMove, legal, seat, result, lastMove } = state!;
  const offer = offerAfter(plays, chosen);
  const isWritten =
    info.ticks === null && seat !== null && result === null && host.live !== undefined;
  const made = offer.buttons
    .slice(0, LIST_MAX)
    .map((play, index) => makeAction(table, play, index));
  const back = button('button is-small', host.t('any.back'), null, () => {
    table.chosen = [];
    draw(table);
  });
  back.dataset['key'] = 'back';
  const isChoosing = chosen.length > 0;
  const label = isChoosing ? 'any.choose' : 'any.actions';
  buttons.replaceChildren(...made, ...(isChoosing ? [back] : []));
  for (const [name, value] of [
    ['role', 'group'],
    ['aria-label', host.t(label)],
  ] as const) {
    buttons.setAttribute(name, value);
  }
  buttons.hidden = made.length === 0 && !isChoosing;
  form.element.hidden = !isWritten || (legal !== null && offer.buttons.length <= LIST_MAX);
  form.setEnabled(canMove);
  form.suggest(lastMove?.action ?? null);
  setText(refusal, state!.refusal ?? '');
  refusal.hidden = state!.refusal === null;
  const controls = acted.querySelector<HTMLElement>('.any-controls');
  if (controls !== null) controls.hidden = table.stopTicks === null || seat === null;
  acted.hidden = [...acted.children].every((each) => (each as HTMLElement).hidden);
}

function makeAction(table: Table, play: Play, index: number): HTMLButtonElement {
  const { words } = table;
  const made = button(
    'button is-small',
    actionWords(play, words, notationOf(table, play)),
    null,
    () => playIt(table, play),
  );
  made.dataset['key'] = `action:${index}`;
  return made;
}

/** As players write it: where the rules are there, and read from this very view what they wrote. */
function notationOf({ rules, view, state }: Table, { action }: Play): string | null {
  if (rules === null) return null;
  try {
    const text = rules.makeNotation(view as Json, action as Json);
    const read = rules.parseNotation(view as Json, text, state!.seat ?? undefined);
    return JSON.stringify(read) === JSON.stringify(action) ? text : null;
  } catch {
    // A view is no state: rules may fail over it.
    return null;
  }
}
