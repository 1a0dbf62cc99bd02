/** The pair of databases: committed data survives a crash and a promotion. */

import { describe, expect, test } from 'bun:test';
import { append, created, entryOf, sessionId } from '../../src/store/contract/stage.ts';
import { openPostgresStore, type PostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { StoreUnavailable } from '../../src/store/shared/store-unavailable.ts';
import { isPostgresHere } from '../../src/testing/servers/postgres.ts';
import { openPostgresPair } from './postgres-pair.ts';

const POLL_MS = 50;
/** A request without a response within this time has failed. */
const ANSWERED_MS = 3_000;

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

  test('[P4] FAULTS no fail-over takes back what a read has shown, though the standby never had it', async () => {
    const pair = await openPostgresPair();
    const logOf = async (store: PostgresStore) =>
      (await store.loadSession(sessionId(1)))!.entries.length;
    /** A commit that the primary has written and the standby has not; then the primary crashes. */
    const crashWithMore = async (store: PostgresStore, v: number) => {
      const resume = await pair.silence();
      const outcome = append(store, sessionId(1), [entryOf(v)]);
      const waits = "SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
      while ((await pair.query(waits)).length === 0) await Bun.sleep(POLL_MS);
      await pair.crash();
      expect(await outcome).toBe('unknown');
      return resume;
    };
    try {
      const store = await openPostgresStore({ url: pair.url, node: 'nod_a' });
      await created(store, 1);
      const resume = await crashWithMore(store, 1);
      await resume();
      // Once the standby has it, it is shown.
      expect(await untilAnswered(() => logOf(store))).toBe(2);
      await crashWithMore(store, 2);
      const seen = await untilAnswered(() => logOf(store), ANSWERED_MS);
      await pair.promote(() => {});
      await store.close();
      const after = await openPostgresStore({ url: pair.url, node: 'nod_b' });
      expect([seen, await logOf(after)]).toEqual([null, 2]);
      await after.close();
    } finally {
      await pair.close();
    }
  }, 120_000);
});

/** Asks until there is an answer, or the time is over: then null. */
async function untilAnswered<T>(ask: () => Promise<T>, ms = 30_000): Promise<T | null> {
  const until = Date.now() + ms;
  for (;;) {
    const answer = await ask().catch((error: unknown) => {
      expect(error).toBeInstanceOf(StoreUnavailable);
      return null;
    });
    if (answer !== null || Date.now() > until) return answer;
    await Bun.sleep(POLL_MS);
  }
}
