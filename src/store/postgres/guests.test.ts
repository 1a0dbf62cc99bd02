/** Guests of training that are removed while they take a seat: the two are serialized. */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { makeSeededRandomness } from '../../testing/seeded-randomness.ts';
import { migratedDatabase } from '../../testing/servers/migrated-database.ts';
import { isPostgresHere } from '../../testing/servers/postgres.ts';
import { type EmptyingDatabase, openEmptying } from '../../testing/servers/postgres-place.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import { append, created, entryOf, seatOf, sessionId, T0, TENANT } from '../contract/stage.ts';
import { openPostgresStore, type PostgresStore } from './postgres-store.ts';

setDefaultTimeout(60_000);

describe.skipIf(!isPostgresHere())('guests in PostgreSQL', () => {
  let database: EmptyingDatabase;
  let a: PostgresStore;
  let b: PostgresStore;
  beforeAll(async () => {
    const url = await migratedDatabase();
    a = await openPostgresStore({ url, node: 'nod_a' });
    b = await openPostgresStore({ url, node: 'nod_b' });
    database = await openEmptying(url);
  });
  afterAll(async () => {
    await Promise.all([a, b].map((store) => store.close()));
    await database.close();
  });

  const rounds = 30;
  const each = 20;
  const guests = Array.from({ length: each }, (_, n) => `guest:${String(n).padStart(26, '0')}`);
  const comeBack = guests.slice(0, each / 2);

  /** Half of them return, at some moment while `remove` removes all. */
  async function race(waitMs: number, remove: () => Promise<unknown>): Promise<void> {
    const seatAll = async (): Promise<void> => {
      await Bun.sleep(waitMs);
      await Promise.all(
        comeBack.map((guest, n) => created(b, 100 + n, { seats: [seatOf(0, guest)] })),
      );
    };
    await Promise.all([remove(), seatAll()]);
    expect(
      await database.rows('SELECT * FROM seat LEFT JOIN player ON ref = player WHERE ref IS NULL'),
    ).toEqual([]);
    for (const [n, guest] of comeBack.entries()) {
      expect((await a.loadSession(sessionId(100 + n)))!.roster[0]!.id).toBe(guest);
    }
    for (const guest of guests.slice(each / 2)) {
      expect(await a.findPlayer(TENANT, 'live', guest)).toBeNull();
    }
  }

  test(`[R1] a guest is never removed while taking a seat (seed ${TEST_SEED})`, async () => {
    const chance = makeSeededRandomness(TEST_SEED);
    for (let round = 0; round < rounds; round++) {
      await database.empty();
      const trained = async (guest: string, n: number): Promise<void> => {
        const seats = [seatOf(0, guest)];
        await created(a, n, { mode: 'training', seats });
        await append(a, sessionId(n), [entryOf(1)], { status: 'ended', endedAt: T0 });
      };
      await Promise.all(guests.map(trained));
      const filter = { tenant: TENANT, mode: 'training', endedBefore: T0 + 1, limit: 100 } as const;
      await race(chance.bytes(1)[0]! % 8, () => a.removeSessions(filter));
    }
  });

  test(`[R1] a leftover guest who returns is not removed (seed ${TEST_SEED})`, async () => {
    const chance = makeSeededRandomness(TEST_SEED);
    for (let round = 0; round < rounds; round++) {
      await database.empty();
      for (const [n, guest] of guests.entries()) {
        const naming = {
          world: 'live' as const,
          tenant: TENANT,
          playerId: guest,
          newRef: `ply_${n}`,
          at: T0,
        };
        await a.namePlayer({ ...naming, displayName: 'Guest' }, null);
      }
      await race(chance.bytes(1)[0]! % 4, () => a.removeGuests(TENANT, 'live', '', each + 1));
    }
  });
});
