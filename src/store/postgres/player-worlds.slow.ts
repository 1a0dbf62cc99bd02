/** How long it takes to part a million players into the two worlds. */

import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { freshDatabase, isPostgresHere } from '../../testing/servers/postgres.ts';
import { millionOldPlayers, OF_BOTH, OLD_PLAYERS } from '../contract/million-old-players.ts';
import { openDatabase } from './database.ts';
import { migrate } from './migrate.ts';
import { MIGRATIONS } from './schema.ts';

setDefaultTimeout(600_000);

const DIALECT = { no: 'FALSE', fields: '', values: '' };
/** A start with a million players is a matter of a minute, not of hours. */
const BOUND_MS = 300_000;

describe.skipIf(!isPostgresHere())('PostgreSQL', () => {
  test('[K3] a million players are parted into the two worlds in bounded time', async () => {
    const url = await freshDatabase();
    const db = openDatabase({ url, max: 1, name: 'test', onHead: () => {}, isPatient: true });
    const until = MIGRATIONS.findIndex(({ name }) => name === '0017-player-worlds');
    await migrate(db, MIGRATIONS.slice(0, until));
    await db.run(
      'CREATE TABLE numbers AS SELECT generate_series(0, $1::int - 1) AS n',
      OLD_PLAYERS,
    );
    for (const text of millionOldPlayers(DIALECT)) await db.run(text);
    await db.run('DROP TABLE numbers');
    const startedAt = performance.now();
    await migrate(db);
    const tookMs = performance.now() - startedAt;
    console.log(`PostgreSQL: ${OLD_PLAYERS} players parted in ${(tookMs / 1_000).toFixed(1)} s`);
    const row = await db.get('SELECT count(*) AS n FROM player');
    await db.close();
    expect(Number(row!['n'])).toBe(OLD_PLAYERS + OF_BOTH);
    expect(tookMs).toBeLessThan(BOUND_MS);
  });
});
