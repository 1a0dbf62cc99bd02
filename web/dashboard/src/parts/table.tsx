/** Tables: sortable by column, with the columns that the reader chose, exportable as CSV, cards on a phone. */

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { ROWS_MAX } from '../all-rows.ts';
import { useHere } from '../here.ts';
import { ColumnChoice, useHidden } from './columns.tsx';
import { type CsvColumn, saveCsv } from './csv.ts';

export interface Column<Row> extends Partial<CsvColumn<Row>> {
  readonly title: string;
  /** Absent: only in the file. */
  readonly cell?: (row: Row) => ComponentChildren;
  /** The value for sorting and saving; a column without it has neither. */
  readonly value?: (row: Row) => string | number | null;
}

interface Sorting {
  readonly title: string;
  readonly isDescending: boolean;
}

const collator = new Intl.Collator('en', { numeric: true });

/** Null comes last in either direction. */
function compare(a: string | number | null, b: string | number | null, sign: number): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a === 'number' && typeof b === 'number') return sign * (a - b);
  return sign * collator.compare(String(a), String(b));
}

function sorted<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sorting: Sorting | null,
): readonly Row[] {
  const value = columns.find(({ title }) => title === sorting?.title)?.value;
  if (sorting === null || value === undefined) return rows;
  const sign = sorting.isDescending ? -1 : 1;
  return rows.toSorted((a, b) => compare(value(a), value(b), sign));
}

/** Ascending, descending, original order. */
function nextSorting(sorting: Sorting | null, title: string): Sorting | null {
  if (sorting?.title !== title) return { title, isDescending: false };
  return sorting.isDescending ? null : { title, isDescending: true };
}

export function Table<Row>({
  label,
  columns,
  rows,
  keyOf,
  empty,
  csv,
  all,
}: {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly empty: ComponentChildren;
  /** The file's name without its extension, with all columns; absent: no export and no choice of columns. */
  readonly csv?: string;
  /** All rows of the list, for the file; absent: `rows` are all. */
  readonly all?: () => Promise<readonly Row[]>;
}) {
  const [sorting, setSorting] = useState<Sorting | null>(null);
  const [hidden, setHidden] = useHidden(label);
  if (rows.length === 0) return <div class="table empty">{empty}</div>;
  const shown = sorted(rows, columns, sorting);
  const possible = columns.filter(({ cell }) => cell !== undefined);
  const visible = possible.filter(({ title }) => csv === undefined || !hidden.includes(title));
  return (
    <div class="table">
      {csv !== undefined && (
        <div class="table-tools">
          <ColumnChoice
            label={label}
            titles={possible.map(({ title }) => title)}
            hidden={hidden}
            setHidden={setHidden}
          />
          <ExportCsv
            save={async () => {
              const found = all === undefined ? rows : await all();
              saveCsv(csv, columns, sorted(found, columns, sorting));
              return found.length;
            }}
          />
        </div>
      )}
      <div class="table-scroll">
        {/* biome-ignore-start lint/a11y/noRedundantRoles: the style of a phone takes them away */}
        <table role="table" aria-label={label}>
          <thead role="rowgroup">
            <tr role="row">
              {visible.map((column) => (
                <Heading
                  key={column.title}
                  column={column}
                  sorting={sorting?.title === column.title ? sorting : null}
                  sort={() => setSorting(nextSorting(sorting, column.title))}
                />
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup">
            {shown.map((row) => (
              <tr role="row" key={keyOf(row)}>
                {visible.map(({ title, cell }) => (
                  <td role="cell" key={title} data-title={title}>
                    <div>{cell!(row)}</div>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {/* biome-ignore-end lint/a11y/noRedundantRoles: as above */}
      </div>
    </div>
  );
}

/** `save` returns how many rows it saved. */
function ExportCsv({ save }: { readonly save: () => Promise<number> }) {
  const { say, warn } = useHere();
  const [isBusy, setBusy] = useState(false);
  const run = async (): Promise<void> => {
    setBusy(true);
    try {
      const count = await save();
      const words = count === 1 ? '1 row' : `${count.toLocaleString('en')} rows`;
      if (count < ROWS_MAX) say(`Exported ${words}.`);
      else warn(`Exported the first ${words} only. Filter the list to export the rest.`);
    } catch (error) {
      warn(error instanceof Error ? error.message : String(error));
    }
    setBusy(false);
  };
  return (
    <button type="button" class="small" disabled={isBusy} onClick={run}>
      {isBusy ? 'Exporting…' : 'Export CSV'}
    </button>
  );
}

function Heading<Row>({
  column,
  sorting,
  sort,
}: {
  readonly column: Column<Row>;
  readonly sorting: Sorting | null;
  readonly sort: () => void;
}) {
  const { title, value } = column;
  const order = sorting === null ? 'none' : sorting.isDescending ? 'descending' : 'ascending';
  return (
    // biome-ignore lint/a11y/noRedundantRoles: the style of a phone takes it away
    <th role="columnheader" scope="col" aria-sort={value === undefined ? undefined : order}>
      {value === undefined ? (
        title
      ) : (
        <button type="button" class="sort" onClick={sort}>
          {title}
          <span aria-hidden="true">{{ none: '', ascending: ' ↑', descending: ' ↓' }[order]}</span>
        </button>
      )}
    </th>
  );
}
