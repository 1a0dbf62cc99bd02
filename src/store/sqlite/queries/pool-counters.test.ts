/** Pool positions from before they were counted. */

import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { makeTempFolder, removeFolder } from '../../../testing/temp-folder.ts';
import { T0, TENANT } from '../../contract/stage.ts';
import { makeOldFile } from '../../schema/old.test-kit.ts';
import { openSqliteStore } from '../sqlite-store.ts';

const folder = makeTempFolder();
afterAll(() => removeFolder(folder));

const WORLD = { tenant: TENANT, mode: 'live', game: 'tictactoe' } as const;
const INSERT = `INSERT INTO ticket (id, tenant, mode, game, capacity, taken, status, group_id, created_at, promoted_at,
  pool_place, ended_at) VALUES (?, ?, 'live', ?, 2, 0, ?, ?, 1, ?, ?, ?)`;

test('[M4] groups promoted after the migration come after the earlier ones', async () => {
  const file = join(folder, 'old.db');
  makeOldFile(file, '0036-pool-counters', (db) => {
    const add = db.prepare(INSERT);
    add.run('tkt_1', TENANT, 'tictactoe', 'promoted', 'grp_1', 1, 3, null);
    // Cancelled groups keep their positions.
    add.run('tkt_2', TENANT, 'tictactoe', 'cancelled', 'grp_2', 1, 7, 2);
    add.run('tkt_3', 'ten_b', 'tictactoe', 'promoted', 'grp_3', 1, 9, null);
    add.run('tkt_4', TENANT, 'tictactoe', 'forming', null, null, null, null);
    add.run('tkt_5', TENANT, 'ludo', 'forming', null, null, null, null);
  });
  const store = await openSqliteStore(file);
  const places = [];
  for (const [ticket, game] of [
    ['tkt_4', 'tictactoe'],
    ['tkt_5', 'ludo'],
  ] as const) {
    const group = `grp_${ticket}`;
    const write = { at: T0, eventId: `evt_${ticket}`, idempotency: null };
    await store.promoteTicket({ ...WORLD, ticket, game, group, ...write });
    const pool = await store.listPool({ ...WORLD, game }, 0, 9);
    places.push(pool.map(({ poolPlace }) => poolPlace));
  }
  await store.close();
  expect(places).toEqual([[3, 8], [1]]);
});
