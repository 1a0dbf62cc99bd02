/** Redraws the board for any game: its parts, its actions, and the focus. */

import { indexesIn } from '../../field.ts';
import { button, setText } from '../../ui/dom.ts';
import type { Play } from './actions.ts';
import { isHeld, playsOf, targetsIn } from './actions.ts';
import type { Cell } from './cell.ts';
import type { Spot } from './choice.ts';
import { offerAfter, tap } from './choice.ts';
import type { GridMarks } from './grid.ts';
import { makeGrid } from './grid.ts';
import type { GridPart, Part } from './layout.ts';
import { cellsOf, LIST_MAX } from './layout.ts';
import type { Drawing } from './parts.ts';
import { drawPart } from './parts.ts';
import type { Table } from './table.ts';
import type { Words } from './words.ts';
import { actionWords, fieldWords, pieceWords, thingWords } from './words.ts';

/** Whether it can be tapped, or contains something that can. */
function isTapped({ tapped }: Table, part: Part): boolean {
  if (!('path' in part)) return false;
  return [...tapped].some((path) => path === part.path || path.startsWith(`${part.path}.`));
}

/** Boards first, then the player's own things, then shared ones. */
function orderOf(table: Table, part: Part): number {
  if (part.kind === 'grid') return 0;
  return isTapped(table, part) || ('path' in part && isHeld(part.path)) ? 1 : 2;
}

export function draw(table: Table): void {
  const { element, played, read, parts } = table;
  const focused = document.activeElement;
  const key = focused instanceof HTMLElement && element.contains(focused) ? keyOf(focused) : null;
  const drawing = makeDrawing(table);
  const isPlayed = (part: Part): boolean =>
    part.kind === 'grid' || part.kind === 'chips' || isTapped(table, part);
  const inOrder = parts.filter(isPlayed).sort((a, b) => orderOf(table, a) - orderOf(table, b));
  replace(
    played,
    inOrder.map((part) => drawPart(part, drawing)),
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

/** Elements in the document are not moved, because moving them would lose the focus. */
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

/** Restores focus to a recreated element; if it is gone, the board gets the focus. */
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
        pieceOf: (seat) => pieceWords(seat, info.known, host.t),
        press: (index) => tapSpot(table, { path, index }),
        refuse: () => refuseSpot(table),
      });
  grids.set(path, grid);
  const { seats, legal } = table.state!;
  // With open information all viewers see the options of the player to move.
  const targets = targetsIn(playsOf(table.parts, legal ?? [], seats), path);
  const cells = cellsOf(part, seats, targets).map((cell) => named(cell, words));
  grid.show(fieldWords(name, words), cells, marksOf(table, part, spots));
  return grid.element;
}

/** A cell with the author's name for its content. */
function named(cell: Cell, words: Words): Cell {
  const worded = cell.text === '' ? '' : thingWords(cell.text, words);
  return worded === cell.text ? cell : { ...cell, text: worded, spoken: worded };
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

/** Handles a tap on something that cannot be chosen now. */
function refuseSpot({ host, state }: Table): void {
  host.refuse?.(state?.canMove === true ? host.t('reject.illegal_move') : undefined);
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

function notationOf({ info, view, state }: Table, { action }: Play): string | null {
  return info.notation(view, action, state!.seat);
}
