/** PostgreSQL with 100,000 tickets: planned without statistics and with them. */

import { afterAll, beforeAll, describe, setDefaultTimeout } from 'bun:test';
import pg from 'pg';
import { freshDatabase, isPostgresHere } from '../../testing/servers/postgres.ts';
import { MANY_TICKETS, manyTicketsSuite } from '../contract/tickets/many-tickets.ts';
import type { Store } from '../whole-store.ts';
import { openPostgresStore } from './postgres-store.ts';

setDefaultTimeout(120_000);

const TABLES = ['ticket', 'ticket_player', 'player'];

for (const isAnalysed of [false, true]) {
  describe.skipIf(!isPostgresHere())(isAnalysed ? 'analysed' : 'not analysed', () => {
    let store: Store;
    beforeAll(async () => {
      const url = await freshDatabase();
      store = await openPostgresStore({ url, node: 'nod_a' });
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      for (const table of TABLES) {
        await client.query(`ALTER TABLE ${table} SET (autovacuum_enabled = FALSE)`);
      }
      for (const text of MANY_TICKETS) await client.query(text);
      if (isAnalysed) await client.query('ANALYZE');
      await client.end();
    });
    afterAll(() => store?.close());
    manyTicketsSuite(`postgres, ${isAnalysed ? 'analysed' : 'not analysed'}`, () => store);
  });
}
