/**
 * Many players in the queues of two nodes at once, mostly the same: none waits in two places,
 * hardly any deadlocks, and parallel calls share few transactions.
 */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { makeRandom, type Random } from '../../../game/src/random.ts';
import { migratedDatabase } from '../../testing/servers/migrated-database.ts';
import { isPostgresHere } from '../../testing/servers/postgres.ts';
import { type EmptyingDatabase, openEmptying } from '../../testing/servers/postgres-place.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import {
  append,
  entryOf,
  kindOf,
  seatOf,
  sessionId,
  sessionOf,
  TENANT,
} from '../contract/stage.ts';
import { openPostgresStore, type PostgresStore } from './postgres-store.ts';

const WORLD = { tenant: TENANT, mode: 'live', game: 'tictactoe' } as const;
const SESSIONS = 400;
const PLAYERS = 150;
/** Of 800 changes. */
const DEADLOCKS_MAX = 5;
/** Of 2,000. */
const TRANSACTIONS_MAX = 200;

/** The server's counters lag by a moment. */
const COUNTED_MS = 1_500;

describe.skipIf(!isPostgresHere())('a storm of newcomers', () => {
  let database: EmptyingDatabase;
  const stores: PostgresStore[] = [];
  beforeAll(async () => {
    const url = await migratedDatabase();
    for (const node of ['a', 'b']) stores.push(await openPostgresStore({ url, node }));
    database = await openEmptying(url);
  }, 60_000);
  beforeEach(() => database.empty());
  afterAll(async () => {
    await database?.close();
    for (const store of stores) await store.close();
  });

  const statOf = async (column: string): Promise<number> => {
    await Bun.sleep(COUNTED_MS);
    const [row] = await database.rows<{ readonly n: number }>(
      `SELECT ${column}::int AS n FROM pg_stat_database WHERE datname = current_database()`,
    );
    return row!.n;
  };

  const wait = async (n: number, players: readonly string[]): Promise<string> => {
    const seats = players.map((id, seat) => seatOf(seat, id));
    const create = { ...sessionOf(n, { seats }), waiting: { pairing: 'x' } };
    return kindOf(await stores[n % 2]!.createSession(create));
  };
  const join = (n: number, playerId: string) =>
    append(stores[n % 2]!, sessionId(n), [entryOf(1)], {
      seats: [seatOf(2, playerId)],
      queued: true,
    });

  const onePlayer = (random: Random): string => `p${random.integer(PLAYERS)}`;
  function twoPlayers(random: Random): readonly string[] {
    const [one, two] = [onePlayer(random), onePlayer(random)];
    return one === two ? [one] : [one, two];
  }

  test(`[S2][N21] a player seated from the queues of two nodes waits there only (seed ${TEST_SEED})`, async () => {
    const random = makeRandom(`${TEST_SEED}`, () => 'storm', 0);
    const parties = Array.from({ length: SESSIONS }, () => twoPlayers(random));
    const made = await Promise.all(parties.map((party, n) => wait(n, party)));
    expect([...new Set(made)].sort()).toEqual(['already_waiting', 'created']);
    const joiners = parties.map((_, n) => (made[n] === 'created' ? onePlayer(random) : null));
    const joined = await Promise.all(joiners.map((id, n) => (id === null ? null : join(n, id))));
    expect([...new Set(joined)].sort()).toEqual(['committed', 'conflict', null]);
    const seated = parties.flatMap((party, n) => {
      if (made[n] !== 'created') return [];
      return (joined[n] === 'committed' ? [...party, joiners[n]!] : party).map((playerId) => ({
        playerId,
        session: sessionId(n),
      }));
    });
    // Each occurs once, because nobody is seated in two sessions.
    const all = Array.from({ length: PLAYERS }, (_, n) => `p${n}`);
    const byName = <T extends { playerId: string }>(rows: readonly T[]) =>
      [...rows].sort((a, b) => (a.playerId < b.playerId ? -1 : 1));
    expect(byName(await stores[0]!.findWaiting(WORLD, all))).toEqual(byName(seated));
    expect(await statOf('deadlocks')).toBeLessThanOrEqual(DEADLOCKS_MAX);
  });

  test('[S2] two thousand newcomers take some ten transactions, not two thousand', async () => {
    const before = await statOf('xact_commit');
    const made = await Promise.all(Array.from({ length: 1_000 }, (_, n) => wait(n, [`p${n}`])));
    expect(made.filter((each) => each !== 'created')).toEqual([]);
    const joined = await Promise.all(made.map((_, n) => join(n, `j${n}`)));
    expect(joined.filter((each) => each !== 'committed')).toEqual([]);
    const spent = (await statOf('xact_commit')) - before;
    expect(spent).toBeGreaterThan(1);
    expect(spent).toBeLessThan(TRANSACTIONS_MAX);
  });
});
