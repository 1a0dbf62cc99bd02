/** Limits in PostgreSQL, tested against their contract, by the stores of two nodes. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { makeLeasedPlaces } from '../../runtime/limits/places.ts';
import { makeSystemClock } from '../../runtime/system.ts';
import { migratedDatabase } from '../../testing/servers/migrated-database.ts';
import { isPostgresHere } from '../../testing/servers/postgres.ts';
import { type EmptyingDatabase, openEmptying } from '../../testing/servers/postgres-place.ts';
import { limitCases } from '../contract/accounts/limit-cases.ts';
import { seatOf, sessionOf, T0, TENANT } from '../contract/stage.ts';
import { WORLDS } from '../world.ts';
import { openPostgresStore, type PostgresStore } from './postgres-store.ts';

/** Longer than any node is remembered. */
const LONG_MS = 720_000;

function fail(error: unknown): void {
  throw error;
}

describe.skipIf(!isPostgresHere())('PostgreSQL', () => {
  let place: EmptyingDatabase;
  let store: PostgresStore;
  let other: PostgresStore;
  beforeAll(async () => {
    const url = await migratedDatabase();
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

  test('[N20][N21] a node that was gone for long has its players and slots back, except erased players', async () => {
    for (const node of ['nod_a', 'nod_b']) await store.renewLease(node, LONG_MS, false);
    const seats = ['ann', 'ben'].map((id, seat) => seatOf(seat, id));
    await store.createSession(sessionOf(1, { seats }));
    const world = { tenant: TENANT, mode: 'live' } as const;
    for (const playerId of ['ann', 'ben']) {
      await store.setPresence({ ...world, playerId, node: 'nod_a', isConnected: true });
    }
    const clock = makeSystemClock();
    const shared = { nodes: () => 2, isHeld: () => true, clock, onError: fail };
    const ofA = makeLeasedPlaces({ ...shared, store, node: 'nod_a' });
    const ofB = makeLeasedPlaces({ ...shared, store: other, node: 'nod_b' });
    for (let n = 0; n < 4; n++) expect(await ofA.take('streams:live ten_a', 4)).not.toBeNull();
    await place.rows(
      `UPDATE node SET lease_until = lease_until - ${2 * LONG_MS} WHERE id = 'nod_a'`,
    );
    expect(await other.removeLeftovers(0)).toBe(3);
    await other.erasePlayer(TENANT, WORLDS, 'ben', T0);
    expect(await store.renewLease('nod_a', LONG_MS, false)).toBe('lost');
    expect(await other.isPresent(TENANT, 'live', 'ann')).toBe(false);
    store.renewPresence();
    ofA.catchUp();
    ofA.maintain();
    const rows = 'SELECT player_id AS id FROM presence UNION ALL SELECT key FROM place_lease';
    while ((await place.rows(rows)).length < 2) await Bun.sleep(10);
    expect(await ofB.take('streams:live ten_a', 4)).toBeNull();
    expect(await other.isPresent(TENANT, 'live', 'ann')).toBe(true);
    expect(await other.isPresent(TENANT, 'live', 'ann', 'nod_b')).toBe(true);
    expect(await other.isPresent(TENANT, 'live', 'ann', 'nod_a')).toBe(false);
    expect(await other.isPresent(TENANT, 'live', 'ben')).toBe(false);
  });

  test('[N21][M2] it also has players back whom the tenant does not know yet: they can be added', async () => {
    for (const node of ['nod_a', 'nod_b']) await store.renewLease(node, LONG_MS, false);
    const world = { tenant: TENANT, mode: 'live', game: 'ludo' } as const;
    await store.setPresence({ ...world, playerId: 'new', node: 'nod_a', isConnected: true });
    await place.rows(
      `UPDATE node SET lease_until = lease_until - ${2 * LONG_MS} WHERE id = 'nod_a'`,
    );
    await other.removeLeftovers(0);
    expect(await store.renewLease('nod_a', LONG_MS, false)).toBe('lost');
    expect(await other.isPresent(TENANT, 'live', 'new')).toBe(false);
    store.renewPresence();
    while (!(await other.isPresent(TENANT, 'live', 'new'))) await Bun.sleep(10);
    const write = (eventId: string) => ({ at: T0, eventId, idempotency: null });
    const ticket = { ...world, ticket: 'tkt_1' };
    await store.createTicket({ ...ticket, capacity: 4, openTicketsMax: 10, ...write('evt_1') });
    const add = { ...ticket, playerId: 'new', newRef: 'ply_1', ...write('evt_2') };
    expect(await other.addToTicket(add)).toEqual({ kind: 'added' });
  });
});
