/** The list of moves: each is a button that shows the position after it. Loaded on demand. */

import { adoptSheet } from '../games/adopt-sheet.ts';
import type { ShortMove } from '../games/board-view.ts';
import type { Translate } from '../i18n/translate.ts';
import { button, h, keepKeyboard, setAttributes } from '../ui/dom.ts';
import { makeIcon } from '../ui/icons.ts';
import css from './moves.css' with { type: 'text' };

export interface PanelActions {
  /** Shows the position after this many moves; null is the present. */
  showPast(index: number | null): void;
  close(): void;
}

/** A move of the list. */
export interface Row {
  /** The icon of the player who moved. */
  readonly piece: SVGElement | null;
  readonly short: ShortMove;
  /** The whole sentence. */
  readonly text: string;
  /** Whether this page has seen the position after it. */
  readonly isSeen: boolean;
}

export interface Panel {
  readonly element: HTMLElement;
  /** The place of buttons for the player's options. */
  readonly settings: HTMLElement;
  /** `makeRow` is called for rows that are not in the list yet. */
  show(list: Listed): void;
  /** Moves the focus to the shown position. */
  focus(): void;
}

export interface Listed {
  readonly count: number;
  /** Whether the position before the first move is known. */
  readonly hasStart: boolean;
  /** The number of moves before the shown position. Null is the present. */
  readonly pastIndex: number | null;
  readonly makeRow: (index: number) => Row;
}

export function makePanel(t: Translate, actions: PanelActions): Panel {
  adoptSheet(css);
  const list = h('ol', { class: 'moves-list' });
  const empty = h('p', { class: 'moves-note' }, t('trail.none'));
  const close = button('button moves-close', t('fair.close'), makeIcon('cross'), actions.close);
  const start = h(
    'button',
    { type: 'button', class: 'move is-start' },
    h('span', { class: 'move-text' }, t('trail.start')),
  );
  start.addEventListener('click', () => actions.showPast(0));
  const now = button('button is-primary moves-now', t('trail.now'), null, () =>
    actions.showPast(null),
  );
  const settings = h('div', { class: 'moves-settings' });
  const title = h('h2', {}, t('trail.moves'));
  const head = h('div', { class: 'moves-head' }, title, now, settings, close);
  const scroll = h('div', { class: 'moves-scroll' }, empty, start, list);
  const element = h('section', { class: 'moves', 'aria-label': t('trail.moves') }, head, scroll);
  const rows: HTMLButtonElement[] = [];
  walkByKeys(scroll);
  const place = keepPlace(scroll);
  return {
    element,
    settings,
    show({ count, hasStart, pastIndex, makeRow }) {
      const before = rows.length;
      // A history that was truncated at its beginning is another list.
      if (count < before) {
        rows.length = 0;
        list.replaceChildren();
      }
      for (let index = rows.length; index < count; index += 1) {
        const row = makeButton(makeRow(index), index, actions, t);
        rows.push(row);
        list.append(h('li', {}, row));
      }
      empty.hidden = count > 0;
      keepKeyboard(head, close, () => {
        now.hidden = pastIndex === null;
        title.hidden = pastIndex !== null;
      });
      start.hidden = !hasStart || count === 0;
      const shown = pastIndex === 0 ? start : rows[(pastIndex ?? count) - 1];
      mark(scroll, shown, pastIndex !== null);
      if (pastIndex !== null) place.show(shown);
      else if (count !== before) place.follow();
    },
    focus: () => (rows.find((row) => row.ariaCurrent !== null) ?? close).focus(),
  };
}

/** The list follows its newest row while it is scrolled to within this many pixels of the end. */
const NEAR_END_PX = 60;

/**
 * Scrolls with the next frame: a move changes the page many times, and reading a height in between would force a
 * layout
 * each time.
 */
function keepPlace(scroll: HTMLElement) {
  let isAtEnd = true;
  let isScheduled = false;
  let wanted: HTMLElement | null = null;
  scroll.addEventListener(
    'scroll',
    () => {
      isAtEnd = scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < NEAR_END_PX;
    },
    { passive: true },
  );
  const go = (): void => {
    isScheduled = false;
    if (wanted !== null) wanted.scrollIntoView({ block: 'nearest' });
    else if (isAtEnd) scroll.scrollTop = scroll.scrollHeight;
  };
  const ask = (row: HTMLElement | null): void => {
    wanted = row;
    if (isScheduled) return;
    isScheduled = true;
    requestAnimationFrame(go);
  };
  return {
    /** Scrolls to the newest row, unless the player has scrolled away from it. */
    follow: () => ask(null),
    show: (row: HTMLElement | undefined) => ask(row ?? null),
  };
}

/** Marks the position that the board shows. */
function mark(scroll: HTMLElement, shown: HTMLElement | undefined, isPast: boolean): void {
  const before = scroll.querySelector('.is-shown');
  before?.classList.remove('is-shown', 'is-past');
  before?.removeAttribute('aria-current');
  if (shown === undefined) return;
  shown.classList.add('is-shown');
  shown.classList.toggle('is-past', isPast);
  setAttributes(shown, { 'aria-current': 'step' });
}

function makeButton(
  { piece, short, text, isSeen }: Row,
  index: number,
  { showPast }: PanelActions,
  t: Translate,
): HTMLButtonElement {
  const taken = short.taken ?? [];
  const label = isSeen ? text : `${text}. ${t('trail.unseen')}`;
  const element = h(
    'button',
    { type: 'button', class: 'move', title: label, 'aria-disabled': String(!isSeen) },
    h('span', { class: 'move-piece', 'aria-hidden': 'true' }, piece),
    h('span', { class: 'move-text', 'aria-hidden': 'true' }, short.text),
    h('span', { class: 'move-taken', 'aria-hidden': 'true' }, ...taken),
    h('span', { class: 'only-heard' }, label),
  );
  element.addEventListener('click', () => {
    if (isSeen) showPast(index + 1);
  });
  return element;
}

/** The arrow keys walk along the moves. */
function walkByKeys(scroll: HTMLElement): void {
  scroll.addEventListener('keydown', (event) => {
    const way = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key];
    if (way === undefined) return;
    const all = [...scroll.querySelectorAll<HTMLElement>('.move:not([hidden])')];
    const at = all.indexOf(document.activeElement as HTMLElement);
    const next = all[at + way];
    if (at === -1 || next === undefined) return;
    event.preventDefault();
    next.focus();
    next.click();
  });
}
