/** The request log: rows that cannot be written are kept up to a limit, and the rest is counted. */

import { expect, test } from 'bun:test';
import type { RequestRow } from '../../store/journal.ts';
import { makeManualClock } from '../../testing/manual-clock.ts';
import { makeRequestLog } from './request-log.ts';

const ROWS_MAX = 10_000;

test('[D9] requests dropped because a write failed are counted, and the oldest are kept', async () => {
  const away = Promise.withResolvers<void>();
  let isAway = true;
  const written: string[] = [];
  const log = makeRequestLog(
    {
      async logRequests(rows) {
        if (isAway) await away.promise;
        for (const { id } of rows) written.push(id);
      },
      removeRequests: async () => 0,
      listTenants: async () => [],
    },
    makeManualClock(),
  );
  const record = (prefix: string): void => {
    for (let i = 0; i < ROWS_MAX; i++) log.record({ id: `${prefix}${i}` } as RequestRow);
  };
  record('req_a');
  const flushing = log.flush();
  record('req_b');
  away.reject(new Error('no disk'));
  await expect(flushing).rejects.toThrow('no disk');
  expect(log.dropped()).toBe(ROWS_MAX);
  isAway = false;
  await log.flush();
  expect(written).toHaveLength(ROWS_MAX);
  expect(written.every((id) => id.startsWith('req_a'))).toBe(true);
});

test('[D11] worlds are notified once their rows can be read, each once', async () => {
  const happened: string[] = [];
  let fails = true;
  const log = makeRequestLog(
    {
      async logRequests(rows) {
        if (fails) throw new Error('no disk');
        happened.push(`wrote ${rows.length}`);
      },
      removeRequests: async () => 0,
      listTenants: async () => [],
    },
    makeManualClock(),
    ({ tenant, mode }) => void happened.push(`${mode} ${tenant}`),
  );
  for (const [tenant, mode] of [
    ['a', 'live'],
    ['a', 'test'],
    ['a', 'live'],
  ]) {
    log.record({ tenant, mode } as RequestRow);
  }
  await expect(log.flush()).rejects.toThrow('no disk');
  expect(happened).toEqual([]);
  fails = false;
  await log.flush();
  expect(happened).toEqual(['wrote 3', 'live a', 'test a']);
});
