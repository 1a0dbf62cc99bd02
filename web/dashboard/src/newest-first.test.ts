/** Lists with older pages open, while the service adds rows. */

import { expect, test } from 'bun:test';
import { GROWTH_MAX, LIMIT_MAX, makeNewestFirst } from './newest-first.ts';
import type { Page } from './types.ts';

/** A service with rows 1 to `count`, highest first; responses wait while it is held. */
function makeService(count: number) {
  const service = {
    rows: Array.from({ length: count }, (_, i) => i + 1),
    held: Promise.resolve(),
    isAway: false,
    requests: 0,
    shown: [] as readonly number[],
    hasOlder: false,
  };
  const list = makeNewestFirst<number>({
    pageRows: 5,
    async ask(limit, cursor): Promise<Page<number>> {
      service.requests += 1;
      const fitting = service.rows.filter((n) => cursor === null || n < Number(cursor));
      const data = fitting.toReversed().slice(0, limit);
      const nextCursor = fitting.length > limit ? String(data.at(-1)) : null;
      await service.held;
      if (service.isAway) throw new Error('away');
      return { data, nextCursor };
    },
    keyOf: String,
    show(rows, hasOlder) {
      service.shown = rows;
      service.hasOlder = hasOlder;
    },
  });
  const write = (more: number): void => {
    for (let left = more; left > 0; left--) service.rows.push((service.rows.at(-1) ?? 0) + 1);
  };
  return { service, list, write };
}

/** Numbers from `high` down to `low`. */
const down = (high: number, low: number): readonly number[] =>
  Array.from({ length: high - low + 1 }, (_, i) => high - i);

test('[D11] the first page alone stays one page', async () => {
  const { service, list, write } = makeService(20);
  await list.start();
  expect(service.shown).toEqual(down(20, 16));
  write(3);
  await list.refresh();
  expect(service.shown).toEqual(down(23, 19));
  expect(service.hasOlder).toBe(true);
});

test('[D11] with an older page open no row is lost between it and the first', async () => {
  const { service, list, write } = makeService(20);
  await list.start();
  await list.older();
  expect(service.shown).toEqual(down(20, 11));
  for (let i = 0; i < 5; i++) {
    write(4);
    await list.refresh();
  }
  expect(service.shown).toEqual(down(40, 11));
  await list.older();
  await list.older();
  expect(service.shown).toEqual(down(40, 1));
  expect(service.hasOlder).toBe(false);
});

test('[D11] rows that arrive while an older page is loading leave no gap either', async () => {
  const { service, list, write } = makeService(20);
  await list.start();
  const { promise, resolve } = Promise.withResolvers<void>();
  service.held = promise;
  const opened = Promise.all([list.older(), list.older()]);
  service.held = Promise.resolve();
  write(4);
  await list.refresh();
  resolve();
  await opened;
  expect(service.shown).toEqual(down(24, 11));
});

test('[D11] if more rows arrive than one request returns, older pages are closed and none is left out', async () => {
  const { service, list, write } = makeService(20);
  await list.start();
  await list.older();
  write(10);
  await list.refresh();
  expect(service.shown).toEqual(down(30, 21));
  await list.older();
  expect(service.shown).toEqual(down(30, 16));
  write(1);
  await list.refresh();
  expect(service.shown).toEqual(down(31, 16));
});

test('[D11] a list that is left open does not grow without limit', async () => {
  const { service, list, write } = makeService(20);
  await list.start();
  await list.older();
  let longest = 0;
  for (let i = 0; i < GROWTH_MAX; i++) {
    write(3);
    await list.refresh();
    longest = Math.max(longest, service.shown.length);
  }
  expect(longest).toBeGreaterThan(GROWTH_MAX);
  expect(longest).toBeLessThanOrEqual(LIMIT_MAX + GROWTH_MAX);
  const high = service.rows.at(-1)!;
  expect(service.shown).toEqual(down(high, high - service.shown.length + 1));
});

test('[D11] a row that no longer matches is removed, and if one page has all rows, the others are, too', async () => {
  const { service, list } = makeService(20);
  await list.start();
  await list.older();
  service.rows = service.rows.filter((n) => n !== 18);
  await list.refresh();
  expect(service.shown).toEqual([20, 19, ...down(17, 10)]);
  service.rows = [19, 20];
  await list.refresh();
  expect(service.shown).toEqual([20, 19]);
  expect(service.hasOlder).toBe(false);
});

test('[D11] a response to a request from before a restart is dropped', async () => {
  const { service, list } = makeService(20);
  await list.start();
  const { promise, resolve } = Promise.withResolvers<void>();
  service.held = promise;
  const late = Promise.all([list.refresh(), list.older()]);
  service.held = Promise.resolve();
  service.rows = [7];
  await list.start();
  resolve();
  await late;
  expect(service.shown).toEqual([7]);
});

test('[D11] a page that failed to load can be requested again', async () => {
  const { service, list } = makeService(20);
  await list.start();
  service.isAway = true;
  expect(list.older()).rejects.toThrow('away');
  expect(list.refresh()).rejects.toThrow('away');
  service.isAway = false;
  await list.refresh();
  await list.older();
  expect(service.shown).toEqual(down(20, 11));
});

test('[D11] a change during a request leads to one more request, and its response is shown', async () => {
  const { service, list, write } = makeService(20);
  const { promise, resolve } = Promise.withResolvers<void>();
  service.held = promise;
  const started = list.start();
  write(1);
  const refreshed = [list.refresh(), list.refresh()];
  service.held = Promise.resolve();
  resolve();
  await Promise.all([started, ...refreshed]);
  expect(service.shown).toEqual(down(21, 17));
  expect(service.requests).toBe(2);
});
