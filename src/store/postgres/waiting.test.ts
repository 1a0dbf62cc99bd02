/** Waiting beside a player who is being erased: whichever comes first. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import pg from 'pg';
import { migratedDatabase } from '../../testing/servers/migrated-database.ts';
import { isPostgresHere } from '../../testing/servers/postgres.ts';
import { type EmptyingDatabase, openEmptying } from '../../testing/servers/postgres-place.ts';
import {
  append,
  auditOf,
  entryOf,
  seatOf,
  sessionId,
  sessionOf,
  T0,
  TENANT,
} from '../contract/stage.ts';
import { WORLDS } from '../world.ts';
import { openPostgresStore, type PostgresStore } from './postgres-store.ts';

const LINE = { tenant: TENANT, mode: 'live', game: 'tictactoe', pairing: 'x' } as const;
const SLOW_MS = 60_000;
const POLL_MS = 10;

describe.skipIf(!isPostgresHere())('a player who is erased while others come', () => {
  let place: EmptyingDatabase;
  let store: PostgresStore;
  let admin: pg.Client;

  beforeAll(async () => {
    const url = await migratedDatabase();
    store = await openPostgresStore({ url, node: 'nod_a' });
    place = await openEmptying(url);
    admin = new pg.Client({ connectionString: url });
    await admin.connect();
  }, SLOW_MS);
  beforeEach(async () => {
    await place.empty();
    const first = { ...sessionOf(1, { seats: [seatOf(0, 'ann')] }), waiting: { pairing: 'x' } };
    await store.createSession(first);
  });
  afterAll(async () => {
    for (const each of [store, place]) await each.close();
    await admin.end();
  });

  const heldUp = async (): Promise<number> =>
    (await admin.query('SELECT FROM pg_locks WHERE NOT granted')).rowCount!;

  /**
   * Stops the first where it needs a table, at its end, and runs the second meanwhile until it is
   * done or blocked; then lets both continue.
   */
  async function race<A, B>(first: () => Promise<A>, table: string, second: () => Promise<B>) {
    await admin.query(`BEGIN; LOCK TABLE ${table} IN EXCLUSIVE MODE`);
    const one = first();
    while ((await heldUp()) < 1) await Bun.sleep(POLL_MS);
    let isDone = false;
    const other = second().finally(() => {
      isDone = true;
    });
    while (!isDone && (await heldUp()) < 2) await Bun.sleep(POLL_MS);
    await admin.query('ROLLBACK');
    return [await one, await other] as const;
  }

  const erase = () => store.erasePlayer(TENANT, WORLDS, 'ann', T0);
  const join = (v: number, playerId: string) =>
    append(store, sessionId(1), [entryOf(v)], {
      seats: [seatOf(v, playerId)],
      audit: auditOf('joined'),
    });

  test('[S2][R2] a player who joins before the erasure is committed does not wait', async () => {
    const outcomes = await race(erase, 'presence', () => join(1, 'ben'));
    expect(outcomes).toEqual([true, 'committed']);
    expect(await store.listWaiting(LINE, 9)).toEqual([]);
  });

  test('[S2][R2] a player who joins while the erasure looks for waiting players does not wait', async () => {
    const outcomes = await race(() => join(1, 'ben'), 'audit_head', erase);
    expect(outcomes).toEqual(['committed', true]);
    expect(await store.listWaiting(LINE, 9)).toEqual([]);
  });
});
