/** Leases and mail in PostgreSQL. */

import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { migratedDatabase } from '../../testing/servers/migrated-database.ts';
import { isPostgresHere } from '../../testing/servers/postgres.ts';
import { clusterContractSuite } from '../contract/cluster-cases.ts';
import { answerOf, seatOf, sessionOf, T0, TENANT } from '../contract/stage.ts';
import { makeClusterStore } from '../scripts/cluster/cluster.ts';
import { makeSessionLoads } from '../scripts/sessions/session-loads.ts';
import type { Runner } from '../scripts/shared/script.ts';
import type { IdempotencyRow } from '../store.ts';
import { WORLDS } from '../world.ts';
import { looseTx } from './commits/script-tx.ts';
import { openDatabase } from './connect/database.ts';
import type { Sql } from './connect/sql.ts';
import { openPostgresStore } from './postgres-store.ts';
import { makeRunner } from './runner.ts';

const isHere = isPostgresHere();
/** Creating a server and a database competes with whatever else the machine does. */
const START_MS_MAX = 60_000;
setDefaultTimeout(20_000);

function open(url: string) {
  return openDatabase({ url, max: 4, name: 'test', onHead: () => undefined });
}

if (isHere) {
  /** One database for all cases: creating one takes longer than they do. */
  let url = '';
  let sessions = 0;
  const makeSession = async (node: string, wakeAt: number | null): Promise<string> => {
    sessions += 1;
    const store = await openPostgresStore({ url, node });
    const session = sessionOf(sessions, { wakeAt });
    await store.createSession(session);
    await store.close();
    return session.row.id;
  };
  beforeAll(async () => {
    url = await migratedDatabase();
    await (await openPostgresStore({ url, node: 'first' })).close();
  }, START_MS_MAX);
  clusterContractSuite('postgres', async () => {
    const db = open(url);
    await db.run('TRUNCATE node, mail');
    return {
      store: makeClusterStore(makeRunner(db)),
      pass: (ms) => new Promise((done) => setTimeout(done, ms)),
      makeHeld: (node) => makeSession(node, null),
      makeAsleep: (wakeAt) => makeSession('a', wakeAt),
      async makeEnded() {
        const id = await makeSession('a', 1);
        await db.run(`UPDATE session SET status = 'ended' WHERE id = $1`, id);
        return id;
      },
      close: () => db.close(),
    };
  });
}

describe.skipIf(!isHere)('nodes in PostgreSQL', () => {
  test('[STORE-cluster] a heartbeat alone is no lease, and the first lease after it is no loss', async () => {
    const url = await migratedDatabase();
    const store = await openPostgresStore({ url, node: 'a' });
    const db = open(url);
    const cluster = makeClusterStore(makeRunner(db));
    await store.heartbeat('a', 1_000);
    expect(await cluster.listLeases()).toEqual([]);
    expect(await cluster.renewLease('a', 60_000, false)).toBe('kept');
    await db.close();
    await store.close();
  });

  test('[STORE-cluster] claiming a thousand sessions at once takes a few statements', async () => {
    const url = await migratedDatabase();
    const store = await openPostgresStore({ url, node: 'a' });
    const news = Array.from({ length: 1_000 }, (_, n) => sessionOf(n, { wakeAt: T0 + n }));
    await Promise.all(news.map((each) => store.createSession(each)));
    await Promise.all(['a', 'b', 'c'].map((node) => store.renewLease(node, 60_000, false)));
    const db = open(url);
    let statements = 0;
    const all: Sql['all'] = (...asked) => {
      statements += 1;
      return db.all(...asked);
    };
    const counted = { ...db, all };
    const runner = makeRunner(counted);
    const { claim, holderOf } = makeClusterStore(runner);
    const { loadSession } = makeSessionLoads(runner);
    const ids = news.map(({ row }) => row.id);
    const each = <T>(ask: (id: string, n: number) => Promise<T>) => Promise.all(ids.map(ask));
    // Each by two nodes, of which one finds it asleep; then by a third.
    const [mine, theirs] = await Promise.all([
      each((id, n) => claim(n % 2 === 0 ? 'a' : 'b', id)),
      each((id, n) => claim(n % 2 === 0 ? 'b' : 'a', id)),
    ]);
    expect(mine).toEqual(ids.map((_, n) => ({ holder: n % 2 === 0 ? 'a' : 'b', isNew: true })));
    expect(theirs).toEqual(mine.map(({ holder }) => ({ holder, isNew: false })));
    expect(await each((id) => claim('c', id))).toEqual(theirs);
    const [holders, again, loaded] = await Promise.all([
      each(holderOf),
      each(holderOf),
      each(loadSession),
    ]);
    expect(holders).toEqual(mine.map(({ holder }) => holder));
    expect(again).toEqual(holders);
    // The due times stay until the owner writes.
    expect(loaded.map((found) => [found!.row.id, found!.holder, found!.wakeAt])).toEqual(
      ids.map((id, n) => [id, holders[n]!, T0 + n]),
    );
    const [unknown] = await Promise.all([claim('a', 'ses_x'), each((id) => claim('a', id))]);
    expect(unknown).toEqual({ holder: null, isNew: false });
    expect(statements).toBeLessThan(120);
    await db.close();
    await store.close();
  });

  test('[STORE-cluster] an invalid id keeps none of the other asks from an answer', async () => {
    const url = await migratedDatabase();
    const store = await openPostgresStore({ url, node: 'a' });
    await store.renewLease('a', 60_000, false);
    const { row } = sessionOf(1);
    await store.createSession({ ...sessionOf(1), wakeAt: null });
    // PostgreSQL's texts cannot contain a zero.
    const asked = (['\u0000', row.id, '\u0000', row.id] as const).map((id) =>
      Promise.all([store.holderOf(id), store.loadSession(id), store.claim('a', id)]).then(
        ([holder, loaded]) => [holder, loaded?.row.id],
        () => 'refused',
      ),
    );
    const found = ['a', row.id];
    expect(await Promise.all(asked)).toEqual(['refused', found, 'refused', found]);
    await store.close();
  });

  test('[STORE-cluster] rows of nodes long gone are removed when one joins; the latest sign of life stays', async () => {
    const url = await migratedDatabase();
    const store = await openPostgresStore({ url, node: 'a' });
    const db = open(url);
    const cluster = makeClusterStore(makeRunner(db));
    await db.run(
      `INSERT INTO node (id, lease_until, alive_at) VALUES ('old', 5, 5), ('older', 4, 4)`,
    );
    await db.run(
      `INSERT INTO mail (to_node, from_node, n, at, body) VALUES ('old', 'x', 1, 1, 'm')`,
    );
    await cluster.renewLease('a', 60_000, false);
    expect((await cluster.listLeases()).map(({ node }) => node)).toEqual(['a']);
    expect(await db.all('SELECT body FROM mail')).toEqual([]);
    expect(await store.lastHeartbeat()).toBeGreaterThan(5);
    await db.close();
    await store.close();
  });

  test('[P6][STORE-cluster] a start removes leases from a time when the clock was ahead; a live node joins again', async () => {
    const url = await migratedDatabase();
    const store = await openPostgresStore({ url, node: 'a' });
    const ahead = Date.now() + 3_600_000;
    const db = open(url);
    for (const node of ['dead', 'live']) {
      const row = `('${node}', ${ahead + 5_000}, ${ahead})`;
      await db.run(`INSERT INTO node (id, lease_until, alive_at) VALUES ${row}`);
    }
    await store.renewLease('a', 60_000, false);
    await store.pruneHeartbeats(ahead);
    expect(await store.renewLease('live', 60_000, false)).toBe('kept');
    expect((await store.listLeases()).map(({ node }) => node)).toEqual(['a', 'live']);
    expect(await store.lastHeartbeat()).toBeLessThan(ahead);
    await db.close();
    await store.close();
  });

  test('[STORE-cluster][D12] secrets are replaced while no lease is valid; a new lease comes before or after', async () => {
    const url = await migratedDatabase();
    const store = await openPostgresStore({ url, node: 'a' });
    const db = open(url);
    await store.signingSecret(() => ({ kid: 'kid_a', secret: Uint8Array.of(1) }));
    const [read] = await store.listSecrets();
    const replace = () => store.replaceUnserved([{ read: read!, text: 'Ag==' }]);
    let replaced: Promise<number> | null = null;
    await db.transaction(async (tx) => {
      const runner = makeRunner(db);
      const beats: Runner = {
        ...runner,
        write: async (script, ask) => (await script.act(looseTx({ ...db, ...tx }), [ask]))[0]!,
      };
      await makeClusterStore(runner, beats).renewLease('b', 60_000, false);
      replaced = replace();
      // It must not read before this commit.
      await new Promise((done) => setTimeout(done, 200));
    });
    expect(await replaced!).toBe(1);
    expect(await store.listSecrets()).toEqual([read!]);
    await store.removeNode('b');
    expect(await replace()).toBe(0);
    expect(await store.listSecrets()).toEqual([{ ...read!, text: 'Ag==' }]);
    await db.close();
    await store.close();
  });

  test('[STORE-cluster][R2] seats of erased players are listed, whoever has their id now', async () => {
    const url = await migratedDatabase();
    const store = await openPostgresStore({ url, node: 'a' });
    const rooms = [
      sessionOf(1, { seats: [seatOf(0, 'ann', 'Ann'), seatOf(1, 'bob')] }),
      sessionOf(2, { seats: [seatOf(0, 'bob'), seatOf(1, 'ann')] }),
      sessionOf(3, { seats: [seatOf(0, 'ann')] }),
    ];
    const [first, second, third] = rooms.map(({ row }) => row.id);
    for (const room of rooms) await store.createSession(room);
    expect(await store.listErased([first!, second!])).toEqual([]);
    expect([
      await store.erasureRevision(),
      await store.erasePlayer(TENANT, WORLDS, 'nobody', T0),
    ]).toEqual([0, false]);
    expect(await store.erasePlayer(TENANT, WORLDS, 'ann', T0)).toBe(true);
    expect(await store.erasureRevision()).toBe(1);
    const later = sessionOf(4, { seats: [seatOf(0, 'ann')] });
    await store.createSession(later);
    const listed = await store.listErased([first!, second!, later.row.id, 'ses_none']);
    expect([...listed].sort((a, b) => a.seat - b.seat)).toEqual([
      { session: first!, seat: 0, at: T0 },
      { session: second!, seat: 1, at: T0 },
    ]);
    expect(await store.listErased([third!])).toEqual([{ session: third!, seat: 0, at: T0 }]);
    expect(await store.listErased([])).toEqual([]);
    await store.erasePlayer(TENANT, WORLDS, 'bob', T0);
    expect(await store.erasureRevision()).toBe(2);
    await store.close();
  });

  test('[STORE-cluster][R2][H8] of the latest responses, those go that name nobody’s player', async () => {
    const url = await migratedDatabase();
    const store = await openPostgresStore({ url, node: 'a' });
    const id = 'a "nn"';
    const body = JSON.stringify({ players: [{ id }] });
    const expiresAt = T0 + 86_400_000;
    const late = answerOf('late', { body, expiresAt });
    const minted = answerOf('minted', {
      mint: JSON.stringify([id]),
      expiresAt: expiresAt - 59_000,
    });
    const others = [
      answerOf('old', { body, expiresAt: expiresAt - 60_001 }),
      answerOf('erasing', { path: '/v1/players/x', expiresAt }),
      answerOf('theirs', { body, tenant: 'ten_b', expiresAt }),
      answerOf('unnamed', { expiresAt }),
    ];
    for (const each of [late, minted, ...others]) await store.keepIdempotent(each);
    const kept = async (rows: readonly IdempotencyRow[]) =>
      (await Promise.all(rows.map((row) => store.findIdempotent(row, T0)))).map((row) => row?.key);
    await store.createSession(sessionOf(1, { seats: [seatOf(0, id)] }));
    await store.forgetAnswers(TENANT, 'live', id);
    expect(await kept([late, minted])).toEqual(['late', 'minted']);
    // They are erased, and a node that does not know it yet stores a response afterwards.
    await store.erasePlayer(TENANT, WORLDS, id, T0);
    for (const each of [late, minted, ...others]) await store.keepIdempotent(each);
    await store.forgetAnswers(TENANT, 'live', id);
    expect(await kept([late, minted])).toEqual([undefined, undefined]);
    expect(await kept(others)).toEqual(others.map(({ key }) => key));
    await store.close();
  });
});
