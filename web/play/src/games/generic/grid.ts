/** A grid on screen: cells can be tapped, and reached with the arrow keys. */

import type { Translate } from '../../i18n/translate.ts';
import { h, setAttributes } from '../../ui/dom.ts';
import { makeRoving } from '../roving.ts';
import type { Cell } from './cell.ts';
import type { GridPart } from './layout.ts';
import { makePiece } from './piece.ts';

/** The state of a grid's cells. */
export interface GridMarks {
  /** Cells that can be tapped. */
  readonly spots: ReadonlySet<number>;
  readonly chosen: ReadonlySet<number>;
  /** Cells of the last action, of the pending one, and those that decided the match. */
  readonly last: ReadonlySet<number>;
  readonly sending: ReadonlySet<number>;
  readonly deciding: ReadonlySet<number>;
}

export interface GridView {
  readonly element: HTMLElement;
  readonly columns: number;
  readonly rows: number;
  show(label: string, cells: readonly Cell[], marks: GridMarks): void;
}

export interface GridHost {
  readonly t: Translate;
  /** The name of a seat's piece. */
  pieceOf(seat: number): string;
  press(index: number): void;
  /** Called for a tap on a cell that cannot be tapped. */
  refuse(): void;
}

export function makeGrid({ columns, rows }: GridPart, host: GridHost): GridView {
  const { t } = host;
  const cells = Array.from({ length: columns * rows }, () =>
    h('div', { class: 'any-cell', role: 'gridcell' }),
  );
  const lines = Array.from({ length: rows }, (_, row) =>
    h('div', { class: 'any-row', role: 'row' }, ...cells.slice(row * columns, (row + 1) * columns)),
  );
  const grid = h('div', { class: 'any-grid', role: 'grid' }, ...lines);
  grid.style.setProperty('--columns', `${columns}`);
  grid.style.setProperty('--rows', `${rows}`);
  makeRoving(cells, columns, (index) => {
    if (cells[index]!.getAttribute('aria-disabled') === 'false') host.press(index);
    else host.refuse();
  });
  return {
    element: h('div', { class: 'any-frame' }, grid),
    columns,
    rows,
    show(label, shown, marks) {
      grid.setAttribute('aria-label', t('any.grid', { name: label }));
      // If nearly every cell can be tapped, that need not be announced for each.
      grid.classList.toggle('is-open', marks.spots.size > cells.length / 2);
      for (const [index, cell] of cells.entries()) showCell(cell, index, shown[index]!, marks);
    },
  };

  function showCell(cell: HTMLElement, index: number, shown: Cell, marks: GridMarks): void {
    const { classList } = cell;
    classList.toggle('is-free', marks.spots.has(index));
    classList.toggle('is-chosen', marks.chosen.has(index));
    classList.toggle('is-last', marks.last.has(index));
    classList.toggle('is-sending', marks.sending.has(index));
    classList.toggle('is-deciding', marks.deciding.has(index));
    drawContent(cell, shown);
    const where = { row: Math.floor(index / columns) + 1, column: (index % columns) + 1 };
    const states = [
      ...(marks.chosen.has(index) ? [t('any.chosen')] : []),
      ...(marks.spots.has(index) ? [t('any.playable')] : []),
      ...(marks.deciding.has(index) ? [t('winning')] : []),
    ];
    const label = t('grid.cell', { ...where, content: contentWords(shown) });
    setAttributes(cell, {
      'aria-label': [label, ...states].join(', '),
      'aria-disabled': marks.spots.has(index) ? 'false' : 'true',
      'aria-selected': marks.chosen.has(index) ? 'true' : null,
    });
  }

  function contentWords({ seat, spoken }: Cell): string {
    const words = [
      ...(seat === null ? [] : [host.pieceOf(seat)]),
      ...(spoken === '' ? [] : [spoken]),
    ];
    return words.length === 0 ? t('grid.empty') : words.join(', ');
  }
}

/** Redrawn only if it changed, so that the entry animation of a new piece is visible. */
function drawContent(cell: HTMLElement, { seat, text }: Cell): void {
  const wanted = JSON.stringify([seat, text]);
  if (cell.dataset['content'] === wanted) return;
  cell.dataset['content'] = wanted;
  const size = [...text].length;
  const words =
    text === ''
      ? []
      : [
          h(
            'span',
            { class: 'any-text', 'data-size': size < 3 ? 'short' : size < 6 ? 'middle' : 'long' },
            text,
          ),
        ];
  cell.classList.toggle('has-piece', seat !== null);
  cell.replaceChildren(...(seat === null ? [] : [makePiece(seat)]), ...words);
}
