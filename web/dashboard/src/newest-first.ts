/** A list, the newest first, that takes in what comes while older pages of it are open. */

import type { Page } from './types.ts';

/** Rows that may come by themselves to those that were opened; then it keeps the newest alone. */
export const GROWTH_MAX = 500;
/** Rows the service gives at once. */
export const LIMIT_MAX = 100;

export interface Source<Row> {
  /** Rows of a page. */
  readonly pageRows: number;
  /** The first page for null. */
  ask(limit: number, cursor: string | null): Promise<Page<Row>>;
  /** Tells rows apart. */
  keyOf(row: Row): string;
  show(rows: readonly Row[], hasOlder: boolean): void;
}

export interface NewestFirst {
  /** Shows the first page alone, of what fits now. */
  start(): Promise<void>;
  /** Takes in what is new. */
  refresh(): Promise<void>;
  /** Opens one more page behind those that are shown. */
  older(): Promise<void>;
}

export function makeNewestFirst<Row>({ pageRows, ask, keyOf, show }: Source<Row>): NewestFirst {
  let rows: readonly Row[] = [];
  let next: string | null = null;
  /** How many rows there were when an older page was opened; null while the first stands alone. */
  let opened: number | null = null;
  /** Rises when the list restarts: answers to earlier requests are dropped. */
  let round = 0;

  async function refresh(): Promise<void> {
    const asked = round;
    // Rows behind these stay as they were when they were read.
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
    // Who presses twice gets the same page twice.
    const known = new Set(rows.map(keyOf));
    rows = [...rows, ...page.data.filter((row) => !known.has(keyOf(row)))];
    opened = rows.length;
    next = page.nextCursor ?? null;
    show(rows, next !== null);
  }

  return {
    start() {
      round += 1;
      opened = null;
      next = null;
      return refresh();
    },
    refresh,
    older,
  };
}

/** The first page and the known rows behind it; null when it is all, or others may lie between. */
function takeIn<Row>(
  { data, nextCursor }: Page<Row>,
  known: readonly Row[],
  keyOf: (row: Row) => string,
): readonly Row[] | null {
  const keys = new Set(data.map(keyOf));
  const last = known.findLastIndex((row) => keys.has(keyOf(row)));
  return nextCursor == null || last < 0 ? null : [...data, ...known.slice(last + 1)];
}
