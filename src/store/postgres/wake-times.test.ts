/** Deadlines of sleeping sessions from before they were clock times. */

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { anyOldTimes, dueAt } from '../../testing/old-wake-times.ts';
import { freshDatabase, isPostgresHere } from '../../testing/servers/postgres.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import { T0 } from '../contract/stage.ts';
import { openOldDatabase } from '../schema/old.test-kit.ts';
import { POSTGRES_HISTORY } from '../schema/postgres-history.ts';
import { migrate } from './migrate.ts';
import { openPostgresStore } from './postgres-store.ts';

const INSERT = `INSERT INTO session (id, tenant, mode, world, game, match_type, variant, status, room_code,
  created_at, ended_at, wake_at) VALUES ($1, 't', 'live', 'live', 'tictactoe', 'private', 'standard', $2,
  'CODE00', $3, $4, $5)`;
const OUTAGE = 'INSERT INTO downtime VALUES ($1, $2)';
const NAME = '0021-real-wake-times';
const REAL_WAKE_TIMES = POSTGRES_HISTORY.steps.find(({ name }) => name === NAME)!;

/** A database of the previous version. */
async function openOld() {
  const url = await freshDatabase();
  return { url, db: await openOldDatabase(url, NAME) };
}

describe.skipIf(!isPostgresHere())('PostgreSQL', () => {
  test('[P6] a sleeping session is due at the same moment as before: the known outages are added', async () => {
    const { url, db } = await openOld();
    await db.run(INSERT, 'ses_due', 'active', T0, null, T0 + 60_000);
    await db.run(INSERT, 'ses_never', 'active', T0, null, null);
    await db.run(INSERT, 'ses_ended', 'ended', T0, T0 + 9_000, null);
    await db.run(OUTAGE, T0 + 1_000, T0 + 6_000);
    await db.run(OUTAGE, T0 + 4_000, T0 + 5_000);
    await db.run(OUTAGE, T0 + 10_000, T0 + 12_000);
    await db.close();
    const store = await openPostgresStore({ url, node: 'nod_test' });
    try {
      expect(await store.claimDue(T0 + 66_999, 9)).toEqual([]);
      expect(await store.claimDue(T0 + 67_000, 9)).toEqual(['ses_due']);
      expect(await store.claimDue(Number.MAX_SAFE_INTEGER, 9)).toEqual(['ses_due']);
    } finally {
      await store.close();
    }
  }, 60_000);

  test('[P6] the previous version refuses a database whose wake times have changed their meaning', async () => {
    const { db } = await openOld();
    await migrate(db);
    const refused = migrate(db, []);
    await expect(refused).rejects.toThrow('a newer matchd has changed it');
    await db.close();
  }, 60_000);

  test(`[P6] whatever the outages were, later deadlines are exact to the millisecond, and passed ones stay due (seed ${TEST_SEED})`, async () => {
    const { db } = await openOld();
    const now = Date.now();
    const property = fc.asyncProperty(anyOldTimes(now), async ({ outages, wakeAts }) => {
      const rollback = new Error('not kept');
      const found = new Map<string, number>();
      const trial = db.transaction(async (tx) => {
        for (const { from, to } of outages) await tx.run(OUTAGE, from, Math.min(to, now));
        for (const [n, wakeAt] of wakeAts.entries()) {
          await tx.run(INSERT, `ses_${n}`, 'active', T0, null, wakeAt);
        }
        for (const text of REAL_WAKE_TIMES.sql) await tx.run(text);
        const rows = await tx.all('SELECT id, wake_at FROM session');
        for (const { id, wake_at } of rows) found.set(String(id), Number(wake_at));
        throw rollback;
      });
      await expect(trial).rejects.toBe(rollback);
      for (const [n, wakeAt] of wakeAts.entries()) {
        const due = dueAt(wakeAt, outages, now);
        if (due > now) expect(found.get(`ses_${n}`)).toBe(due);
        else expect(found.get(`ses_${n}`)).toBeLessThanOrEqual(now);
      }
    });
    await fc.assert(property, { seed: TEST_SEED, numRuns: 30 });
    await db.close();
  }, 60_000);

  test('[P6] an outage recorded by a clock that was ahead counts until now', async () => {
    const { db } = await openOld();
    const now = Date.now();
    await db.run(OUTAGE, now - 60_000, now + 3_600_000);
    await db.run(OUTAGE, now + 7_200_000, now + 9_000_000);
    await db.run(INSERT, 'ses_due', 'active', T0, null, now);
    await migrate(db);
    const row = await db.get('SELECT wake_at FROM session');
    expect(Number(row!['wake_at'])).toBeWithin(now + 60_000, now + 75_000);
    await db.close();
  }, 60_000);
});
