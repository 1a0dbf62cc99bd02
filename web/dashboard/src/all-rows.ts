/** Every row of a list, page by page, for a CSV file. */

import { ask } from './api.ts';
import type { Page } from './types.ts';

/** The most rows in one response. */
const PAGE_ROWS = 100;
/** A larger export needs the API. */
export const ROWS_MAX = 10_000;

/** `path` is the list with its filters. Ends at `ROWS_MAX` rows. */
export async function fetchAllRows<Row>(
  path: string,
  askPage: (path: string) => Promise<Page<Row>> = ask<Page<Row>>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<Row> = await askPage(pageOf(path, PAGE_ROWS, cursor));
    rows.push(...page.data);
    cursor = page.nextCursor ?? null;
  } while (cursor !== null && rows.length < ROWS_MAX);
  return rows.slice(0, ROWS_MAX);
}

/** The path of one page of a list. */
export function pageOf(path: string, limit: number, cursor: string | null): string {
  const [before, query = ''] = path.split('?');
  const params = new URLSearchParams(query);
  params.set('limit', String(limit));
  if (cursor !== null) params.set('cursor', cursor);
  return `${before}?${params}`;
}
