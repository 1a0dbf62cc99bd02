/** A list, newest first, that adds new rows while older pages are open. */

import { makeSerial } from './serial.ts';
import type { Page } from './types.ts';

/** How many new rows are added to opened ones; then only the newest are kept. */
export const GROWTH_MAX = 500;
/** The most rows in one response. */
export const LIMIT_MAX = 100;

export interface Source<Row> {
  /** Rows of a page. */
  readonly pageRows: number;
  /** The first page for null. */
  ask(limit: number, cursor: string | null): Promise<Page<Row>>;
  /** Identifies a row. */
  keyOf(row: Row): string;
  show(rows: readonly Row[], hasOlder: boolean): void;
}

export interface NewestFirst {
  /** Shows the first page only, with the current filters. */
  start(): Promise<void>;
  /** Adds new rows. */
  refresh(): Promise<void>;
  /** Opens the next older page. */
  older(): Promise<void>;
}

export function makeNewestFirst<Row>({ pageRows, ask, keyOf, show }: Source<Row>): NewestFirst {
  let rows: readonly Row[] = [];
  let next: string | null = null;
  /** How many rows there were when an older page was opened; null while only the first is open. */
  let opened: number | null = null;
  /** Rises when the list restarts: responses to earlier requests are dropped. */
  let round = 0;

  async function readNewest(): Promise<void> {
    const asked = round;
    // Rows after these stay as they were when they were read.
    const limit = opened === null ? pageRows : Math.min(LIMIT_MAX, Math.max(pageRows, rows.length));
    const page = await ask(limit, null);
    if (asked !== round) return;
    const grown = opened === null ? null : takeIn(page, rows, keyOf);
    if (opened !== null && grown !== null && grown.length <= opened + GROWTH_MAX) {
      rows = grown;
    } else {
      round += 1;
      rows = page.data;
      next = page.nextCursor ?? null;
      if (opened !== null) opened = rows.length;
    }
    show(rows, next !== null);
  }

  async function older(): Promise<void> {
    if (next === null) return;
    const asked = round;
    opened = rows.length;
    const page = await ask(pageRows, next);
    if (asked !== round) return;
    // Pressing twice loads the same page twice.
    const known = new Set(rows.map(keyOf));
    rows = [...rows, ...page.data.filter((row) => !known.has(keyOf(row)))];
    opened = rows.length;
    next = page.nextCursor ?? null;
    show(rows, next !== null);
  }

  let refresh = makeSerial(readNewest);
  return {
    start() {
      round += 1;
      opened = null;
      next = null;
      // Not after a read with the filters from before.
      refresh = makeSerial(readNewest);
      return refresh();
    },
    refresh: () => refresh(),
    older,
  };
}

/** The first page and the known rows after it; null if it is complete, or others may lie in between. */
function takeIn<Row>(
  { data, nextCursor }: Page<Row>,
  known: readonly Row[],
  keyOf: (row: Row) => string,
): readonly Row[] | null {
  const keys = new Set(data.map(keyOf));
  const last = known.findLastIndex((row) => keys.has(keyOf(row)));
  return nextCursor == null || last < 0 ? null : [...data, ...known.slice(last + 1)];
}
