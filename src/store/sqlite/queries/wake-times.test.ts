/** Deadlines of sleeping sessions from before they were clock times. */

import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import fc from 'fast-check';
import { anyOldTimes, dueAt } from '../../../testing/old-wake-times.ts';
import { makeTempFolder, removeFolder } from '../../../testing/temp-folder.ts';
import { TEST_SEED } from '../../../testing/test-seed.ts';
import { T0 } from '../../contract/stage.ts';
import { openOldFile } from '../../schema/old.test-kit.ts';
import { migrate } from '../file/migrate.ts';
import { openSqliteStore } from '../sqlite-store.ts';

const folder = makeTempFolder();
afterAll(() => removeFolder(folder));

const INSERT = `INSERT INTO session (id, tenant, mode, world, game, match_type, variant, status, room_code,
  created_at, ended_at, awake, wake_at) VALUES (?, 't', 'live', 'live', 'tictactoe', 'private', 'standard', ?,
  'CODE00', ?, ?, ?, ?)`;

/** A database of the previous version, with these outages. */
function openOld(file: string, outages: Iterable<readonly [number, number]>) {
  const db = openOldFile(file, '0030-real-wake-times');
  const lost = db.prepare('INSERT INTO downtime VALUES (?, ?)');
  for (const [from, to] of outages) lost.run(from, to);
  return { db, add: db.prepare(INSERT) };
}

test('[P6] a sleeping session is due at the same moment as before: the known outages are added', async () => {
  const file = join(folder, 'old.db');
  const { db, add } = openOld(file, [
    [T0 + 1_000, T0 + 6_000],
    [T0 + 4_000, T0 + 5_000],
    [T0 + 10_000, T0 + 12_000],
  ]);
  add.run('ses_due', 'active', T0, null, 0, T0 + 60_000);
  add.run('ses_never', 'active', T0, null, 0, null);
  add.run('ses_awake', 'active', T0, null, 1, null);
  add.run('ses_ended', 'ended', T0, T0 + 9_000, 0, null);
  db.close();
  const store = await openSqliteStore(file);
  expect(await store.claimDue(T0 + 66_999, 9)).toEqual([]);
  expect(await store.claimDue(T0 + 67_000, 9)).toEqual(['ses_due']);
  expect(await store.claimDue(Number.MAX_SAFE_INTEGER, 9)).toEqual(['ses_due']);
  expect(await store.claimAwake('', 9)).toEqual(['ses_awake']);
  await store.close();
});

test(`[P6] whatever the outages were, later deadlines are exact to the millisecond, and passed ones stay due (seed ${TEST_SEED})`, () => {
  // The migration uses the machine's clock.
  const now = Date.now();
  const property = fc.property(anyOldTimes(now), ({ outages, wakeAts }) => {
    const { db, add } = openOld(
      ':memory:',
      outages.map(({ from, to }) => [from, Math.min(to, now)] as const),
    );
    for (const [n, wakeAt] of wakeAts.entries()) add.run(`ses_${n}`, 'active', T0, null, 0, wakeAt);
    migrate(db);
    const at = db.prepare('SELECT wake_at FROM session WHERE id = ?');
    for (const [n, wakeAt] of wakeAts.entries()) {
      const due = dueAt(wakeAt, outages, now);
      const found = Number(at.get(`ses_${n}`)!['wake_at']);
      if (due > now) expect(found).toBe(due);
      else expect(found).toBeLessThanOrEqual(now);
    }
    expect(() => db.prepare('SELECT 1 FROM downtime')).toThrow('no such table');
    db.close();
  });
  fc.assert(property, { seed: TEST_SEED, numRuns: 100 });
});

test('[P6] an outage recorded by a clock that was ahead counts until now', () => {
  const now = Date.now();
  const { db, add } = openOld(':memory:', [
    [now - 60_000, now + 3_600_000],
    [now + 7_200_000, now + 9_000_000],
  ]);
  add.run('ses_due', 'active', T0, null, 0, now);
  migrate(db);
  const [row] = db.prepare('SELECT wake_at FROM session').all();
  expect(Number(row!['wake_at'])).toBeWithin(now + 60_000, now + 75_000);
  db.close();
});
