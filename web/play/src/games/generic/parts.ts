/** The parts of a board as elements: tappable ones and information. */

import { h } from '../../ui/dom.ts';
import type { Spot } from './choice.ts';
import type { ChipsPart, FactsPart, Part, Path, SectionPart, TablePart } from './layout.ts';
import { LIST_MAX } from './layout.ts';
import type { Words } from './words.ts';
import { fieldWords, thingWords, valueWords } from './words.ts';

/** The dependencies of the parts. */
export interface Drawing {
  readonly words: Words;
  readonly seats: number;
  /** The element of a grid, which is reused while its size is the same. */
  gridOf(part: Extract<Part, { kind: 'grid' }>): HTMLElement;
  isSpot(path: Path, index: number): boolean;
  isChosen(path: Path, index: number): boolean;
  tap(spot: Spot): void;
}

/** The deepest heading level for nested sections. */
const HEADING_MAX = 6;
const HEADING_MIN = 2;
/** A longer text gets its own line. */
const SHORT_CHARS_MAX = 18;
/** Suits that are printed in red. */
const RED = /[♥♦]/;

export function drawPart(part: Part, drawing: Drawing, depth = 0): HTMLElement {
  switch (part.kind) {
    case 'grid':
      return drawing.gridOf(part);
    case 'chips':
      return drawChips(part, drawing);
    case 'table':
      return drawTable(part, drawing);
    case 'facts':
      return drawFacts(part, drawing);
    case 'section':
      return drawSection(part, drawing, depth);
  }
}

/** A row of things; an empty one says so. */
function drawChips({ path, name, texts }: ChipsPart, drawing: Drawing): HTMLElement {
  const { words } = drawing;
  const label = name === '' ? null : h('h2', { class: 'any-label' }, fieldWords(name, words));
  const chips = texts
    .slice(0, LIST_MAX)
    .map((text, index) => h('li', {}, drawChip(path, thingWords(text, words), index, drawing)));
  const left = texts.length - chips.length;
  const more = left > 0 ? h('li', {}, words.t('list.more', { count: left })) : null;
  const list =
    texts.length === 0
      ? h('p', { class: 'any-none' }, words.t('any.nothing'))
      : h('ul', { class: 'any-chips' }, ...chips, more);
  return h('section', { class: 'any-row-of' }, label, list);
}

function drawChip(path: Path, text: string, index: number, drawing: Drawing): HTMLElement {
  const { t } = drawing.words;
  const isFaceDown = text === '';
  const shown = isFaceDown ? h('span', { class: 'only-heard' }, t('any.hidden')) : text;
  const className = `any-chip${RED.test(text) ? ' is-red' : ''}${isFaceDown ? ' is-hidden' : ''}`;
  if (!drawing.isSpot(path, index) && !drawing.isChosen(path, index)) {
    return h('span', { class: className }, shown);
  }
  const isChosen = drawing.isChosen(path, index);
  const chip = h(
    'button',
    {
      type: 'button',
      class: `${className} ${isChosen ? 'is-chosen' : 'is-free'}`,
      'aria-pressed': isChosen ? 'true' : 'false',
    },
    shown,
  );
  chip.dataset['key'] = `${path}:${index}`;
  chip.addEventListener('click', () => drawing.tap({ path, index }));
  return chip;
}

function drawTable({ columns, isBySeat }: TablePart, { words, seats }: Drawing): HTMLElement {
  const count = columns[0]?.values.length ?? 0;
  const head = h(
    'tr',
    {},
    h('th', { scope: 'col' }, isBySeat ? words.t('any.player') : '#'),
    ...columns.map(({ name }) => h('th', { scope: 'col' }, fieldWords(name, words))),
  );
  const rows = Array.from({ length: Math.min(count, LIST_MAX) }, (_, row) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, isBySeat ? words.nameOf(row) : `${row + 1}`),
      ...columns.map(({ name, values }) =>
        h('td', {}, values[row] === undefined ? '' : valueWords(name, values[row], words, seats)),
      ),
    ),
  );
  const table = h('table', { class: 'any-table' }, h('thead', {}, head), h('tbody', {}, ...rows));
  // It may be wider than the page, and must then be scrollable by keyboard.
  const label = columns.map(({ name }) => fieldWords(name, words)).join(', ');
  return h('div', { class: 'any-wide', tabindex: 0, role: 'group', 'aria-label': label }, table);
}

function drawFacts({ facts }: FactsPart, { words, seats }: Drawing): HTMLElement {
  const rows = facts.map(({ name, value }) => {
    const text = valueWords(name, value, words, seats);
    const isLong = text.length > SHORT_CHARS_MAX;
    return h(
      'div',
      { class: isLong ? 'is-long' : null },
      h('dt', {}, fieldWords(name, words)),
      h('dd', {}, text),
    );
  });
  return h('dl', { class: 'any-facts' }, ...rows);
}

function drawSection(
  { name, seat, parts }: SectionPart,
  drawing: Drawing,
  depth: number,
): HTMLElement {
  const level = Math.min(HEADING_MAX, HEADING_MIN + depth) as 2 | 3 | 4 | 5 | 6;
  const label = seat === null ? fieldWords(name, drawing.words) : drawing.words.nameOf(seat);
  return h(
    'section',
    { class: 'any-section' },
    h(`h${level}`, { class: 'any-label' }, label),
    ...parts.map((part) => drawPart(part, drawing, depth + 1)),
  );
}
