/** A migration may take any time. */

import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { freshDatabase, isPostgresHere } from '../../testing/servers/postgres.ts';
import { POSTGRES_HISTORY } from '../schema/postgres-history.ts';
import { openDatabase } from './connect/database.ts';
import { migrate } from './migrate.ts';

setDefaultTimeout(60_000);

/** Longer than the usual timeout for answers. Seconds. */
const LONG_S = 11;

describe.skipIf(!isPostgresHere())('a migration of a large table', () => {
  test('[STORE-PG8] only a patient connection waits for a long migration', async () => {
    const url = await freshDatabase();
    const options = { url, max: 1, name: 'test', onHead: () => {} };
    const long = { name: '9001-long', sql: [`SELECT pg_sleep(${LONG_S})`] };
    const run = async (isPatient: boolean) => {
      const db = openDatabase({ ...options, isPatient });
      try {
        return await migrate(db, [...POSTGRES_HISTORY.steps, long]).catch(String);
      } finally {
        await db.close();
      }
    };
    expect(await run(false)).toContain('timeout');
    expect(await run(true)).toContain('9001-long');
  });
});
