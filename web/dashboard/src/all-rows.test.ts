/** Reads a list to its end. */

import { expect, test } from 'bun:test';
import { fetchAllRows, pageOf, ROWS_MAX } from './all-rows.ts';

/** A list of `count` rows, in pages like the service's. */
function makeList(count: number) {
  const asked: string[] = [];
  const askPage = async (path: string) => {
    asked.push(path);
    const query = new URL(path, 'http://x').searchParams;
    const from = Number(query.get('cursor') ?? 0);
    const end = Math.min(count, from + Number(query.get('limit')));
    const data = Array.from({ length: end - from }, (_, i) => from + i);
    return { data, nextCursor: end < count ? String(end) : null };
  };
  return { asked, askPage };
}

test('[D11] all pages of a list are read, with its filters', async () => {
  const { asked, askPage } = makeList(250);
  const rows = await fetchAllRows<number>('/rows?status=ended', askPage);
  expect(rows).toEqual(Array.from({ length: 250 }, (_, i) => i));
  expect(asked).toEqual([
    '/rows?status=ended&limit=100',
    '/rows?status=ended&limit=100&cursor=100',
    '/rows?status=ended&limit=100&cursor=200',
  ]);
});

test('[D11] an endless list is read up to the limit', async () => {
  const { askPage } = makeList(Number.MAX_SAFE_INTEGER);
  expect(await fetchAllRows<number>('/rows', askPage)).toHaveLength(ROWS_MAX);
});

test('[D11] a list in one piece ends there', async () => {
  const askPage = async () => ({ data: [1, 2] });
  expect(await fetchAllRows<number>('/rows', askPage)).toEqual([1, 2]);
  expect(pageOf('/rows', 5, 'x y')).toBe('/rows?limit=5&cursor=x+y');
});
