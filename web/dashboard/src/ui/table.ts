/** Tables that become cards on a phone and change row by row, so that nobody loses his place. */

import { type Child, el, withAttributes } from './dom.ts';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => Child | readonly Child[];
}

export interface Table<Row> {
  readonly element: HTMLElement;
  /** Shows these rows; those that say the same as before are left as they are. */
  show(rows: readonly Row[]): void;
}

/** `keyOf` tells rows apart; `empty` stands there when there are none. */
export function makeTable<Row>(
  label: string,
  columns: readonly Column<Row>[],
  keyOf: (row: Row) => string,
  empty: Child,
): Table<Row> {
  const head = withAttributes(el('tr', ''), { role: 'row' });
  for (const { title } of columns) {
    head.append(withAttributes(el('th', '', title), { role: 'columnheader', scope: 'col' }));
  }
  const body = withAttributes(el('tbody', ''), { role: 'rowgroup' });
  const thead = withAttributes(el('thead', '', head), { role: 'rowgroup' });
  // The roles say what it is where the style makes cards of it.
  const table = withAttributes(el('table', '', thead, body), {
    role: 'table',
    'aria-label': label,
  });
  const none = el('div', 'empty', empty);
  const shown = new Map<string, { readonly text: string; readonly row: HTMLTableRowElement }>();
  const element = el('div', 'table', table, none);
  return {
    element,
    show(rows) {
      table.hidden = rows.length === 0;
      none.hidden = rows.length > 0;
      const keys = new Set(rows.map(keyOf));
      for (const [key, { row }] of shown) {
        if (keys.has(key)) continue;
        row.remove();
        shown.delete(key);
      }
      rows.forEach((each, place) => {
        const key = keyOf(each);
        const text = JSON.stringify(each);
        const known = shown.get(key);
        const row = known?.text === text ? known.row : makeRow(columns, each);
        if (known !== undefined && known.row !== row) known.row.replaceWith(row);
        if (body.children[place] !== row) body.insertBefore(row, body.children[place] ?? null);
        shown.set(key, { text, row });
      });
    },
  };
}

function makeRow<Row>(columns: readonly Column<Row>[], row: Row): HTMLTableRowElement {
  const cells = columns.map(({ title, cell }) => {
    const content = cell(row);
    const children = Array.isArray(content) ? (content as Child[]) : [content as Child];
    return withAttributes(el('td', '', ...children), { role: 'cell', 'data-title': title });
  });
  return withAttributes(el('tr', '', ...cells), { role: 'row' });
}
