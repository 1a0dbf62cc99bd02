/** Limits in PostgreSQL, held against what the port promises, by the stores of two nodes. */

import { afterAll, beforeAll, beforeEach, describe, test } from 'bun:test';
import { freshDatabase, isPostgresHere } from '../../testing/servers/postgres.ts';
import { type EmptyingDatabase, openEmptying } from '../../testing/servers/postgres-place.ts';
import { limitCases } from '../contract/limit-cases.ts';
import { openPostgresStore, type PostgresStore } from './postgres-store.ts';

describe.skipIf(!isPostgresHere())('PostgreSQL', () => {
  let place: EmptyingDatabase;
  let store: PostgresStore;
  let other: PostgresStore;
  beforeAll(async () => {
    const url = await freshDatabase();
    store = await openPostgresStore({ url, node: 'nod_a' });
    other = await openPostgresStore({ url, node: 'nod_b' });
    place = await openEmptying(url);
  }, 60_000);
  beforeEach(() => place.empty());
  afterAll(async () => {
    for (const each of [store, other, place]) await each.close();
  });

  for (const { title, run } of limitCases) {
    test(title, () =>
      run({
        store,
        other,
        async setAlive(node, isAlive) {
          await place.rows(
            `INSERT INTO node (id, lease_until) VALUES ('${node}', ${isAlive ? 2 ** 52 : 0})
             ON CONFLICT (id) DO UPDATE SET lease_until = excluded.lease_until`,
          );
        },
      }),
    );
  }
});
