/** The pair of databases: what was committed is there after a crash and after a promotion. */

import { describe, expect, test } from 'bun:test';
import { isPostgresHere } from '../../src/testing/servers/postgres.ts';
import { openPostgresPair } from './postgres-pair.ts';

describe.skipIf(!isPostgresHere())('a PostgreSQL with a synchronous standby', () => {
  test('FAULTS nothing committed is lost by a crash, a promotion and another', async () => {
    const pair = await openPostgresPair();
    try {
      const count = async () =>
        (await pair.query<{ count: number }>('SELECT count(*)::int AS count FROM t'))[0]!.count;
      await pair.query('CREATE TABLE t (n INT)');
      await pair.query('INSERT INTO t VALUES (1)');
      await pair.crash();
      expect(await count()).toBe(1);
      for (const rows of [2, 3]) {
        const before = pair.port;
        await pair.query('INSERT INTO t VALUES ($1)', [rows]);
        const moved: number[] = [];
        await pair.promote((port) => moved.push(port));
        expect(moved).toEqual([pair.port]);
        expect(pair.port).not.toBe(before);
        expect(await count()).toBe(rows);
        await pair.renew();
        const names = await pair.query<{ sync_state: string }>(
          'SELECT sync_state FROM pg_stat_replication',
        );
        expect(names.map(({ sync_state }) => sync_state)).toEqual(['quorum']);
      }
    } finally {
      await pair.close();
    }
  }, 60_000);
});
