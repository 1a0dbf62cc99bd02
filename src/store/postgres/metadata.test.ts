/** Metadata of sessions that nodes of an earlier version create beside newer ones. */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { sweepMetadata } from '../../runtime/sweeper.ts';
import { makeManualClock } from '../../testing/manual-clock.ts';
import { migratedDatabase } from '../../testing/servers/migrated-database.ts';
import { isPostgresHere } from '../../testing/servers/postgres.ts';
import { created, filterOf, sessionId, TENANT } from '../contract/stage.ts';
import { type Database, openDatabase } from './connect/database.ts';
import { openPostgresStore, type PostgresStore } from './postgres-store.ts';

setDefaultTimeout(60_000);

const SESSIONS = 450;

describe.skipIf(!isPostgresHere())('metadata of older nodes', () => {
  let db: Database;
  let stores: readonly [PostgresStore, PostgresStore];
  beforeAll(async () => {
    const url = await migratedDatabase();
    const first = await openPostgresStore({ url, node: 'nod_a' });
    stores = [first, await openPostgresStore({ url, node: 'nod_b' })];
    db = openDatabase({ url, max: 2, name: 'test', onHead: () => {} });
  });
  afterAll(async () => {
    await Promise.all([db.close(), ...stores.map((store) => store.close())]);
  });

  test('[S6] it is found once it is swept, whichever nodes sweep at once', async () => {
    const [store, other] = stores;
    // As a node writes them that does not know the index.
    await db.run(
      `INSERT INTO session (id, tenant, mode, game, match_type, variant, status, room_code, metadata,
          created_at)
       SELECT 'ses_' || lpad(n::text, 6, '0'), $1, 'live', 'ludo', 'private', 'classic', 'ended', 'C',
          CASE WHEN n % 3 > 0 THEN json_build_object('batch', (n % 3)::text)::text END, 0
         FROM generate_series(1, $2::int) n`,
      TENANT,
      SESSIONS,
    );
    await created(store, 900, { metadata: '{"batch":"2"}' });
    const metadata = { key: 'batch', value: '2' };
    const find = async () =>
      (await store.listSessions(filterOf({ metadata, limit: SESSIONS }))).map(({ id }) => id);
    expect(await find()).toEqual([sessionId(900)]);
    const clock = makeManualClock();
    const swept = await Promise.all([sweepMetadata(store, clock), sweepMetadata(other, clock)]);
    const rest = await sweepMetadata(store, clock);
    expect(swept[0] + swept[1] + rest).toBe((SESSIONS / 3) * 2);
    expect((await find()).length).toBe(SESSIONS / 3 + 1);
    expect(await sweepMetadata(other, clock)).toBe(0);
  });
});
