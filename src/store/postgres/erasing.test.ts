/** Erasures of players whose tenant has very many stored responses, and leases beside slow work. */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { migratedDatabase } from '../../testing/servers/migrated-database.ts';
import { isPostgresHere } from '../../testing/servers/postgres.ts';
import { answerOf, seatOf, sessionOf, T0, TENANT } from '../contract/stage.ts';
import { makeErasingStore } from '../scripts/erasures.ts';
import { makeNamedPlayerStore } from '../scripts/sessions/players.ts';
import { WORLDS } from '../world.ts';
import { type Database, openDatabase } from './connect/database.ts';
import { openPostgresStore, type PostgresStore } from './postgres-store.ts';
import { makeRunner } from './runner.ts';

setDefaultTimeout(60_000);

/** More than two steps examine. */
const ANSWERS = 12_345;

describe.skipIf(!isPostgresHere())('erasures', () => {
  let db: Database;
  let store: PostgresStore;
  beforeAll(async () => {
    const url = await migratedDatabase();
    store = await openPostgresStore({ url, node: 'nod_a' });
    db = openDatabase({ url, max: 2, name: 'test', onHead: () => {} });
  });
  afterAll(async () => {
    await Promise.all([db.close(), store.close()]);
  });

  const namePlayer = (playerId: string) =>
    store.namePlayer(
      {
        tenant: TENANT,
        world: 'live',
        playerId,
        newRef: `ply_${playerId}`,
        displayName: 'Ann',
        at: T0,
      },
      null,
    );

  /** Responses of a tenant in both modes; in key order, every fifth and those at the ends of steps name ann. */
  const keepMany = (tenant: string, path: string, body: string, mint: string) =>
    db.run(
      `INSERT INTO idempotency SELECT $1, CASE WHEN n % 2 = 0 THEN 'live' ELSE 'test' END, 'POST',
          replace($2::text, '#', (n % 7)::text), 'k' || n, '', 201, replace($3::text, '#', who),
          replace($4::text, '#', who), $5
        FROM (SELECT n, CASE WHEN n % 5 = 0 OR n % 5000 IN (4999, 1) THEN 'ann' ELSE 'p' || n END AS who
                FROM generate_series(0, ${ANSWERS - 1}) n) AS given`,
      tenant,
      path,
      body,
      mint,
      // Long before the range that is searched again at the end.
      T0 + 1,
    );

  const countOf = async (tenant: string, where: string): Promise<number> => {
    const row = await db.get(
      `SELECT count(*) AS n FROM idempotency WHERE tenant = $1 AND ${where}`,
      tenant,
    );
    return Number(row?.['n']);
  };

  test('[R2][H8] of very many stored responses, exactly those go that name a player', async () => {
    await namePlayer('ann');
    const body = '{"players":[{"id":"#"}]}';
    await keepMany(TENANT, '/v1/sessions', body, '');
    await keepMany('ten_b', '/v1/sessions', body, '');
    const named = await countOf(TENANT, `body LIKE '%"ann"%'`);
    expect(named).toBeGreaterThan(ANSWERS / 5);
    expect(await store.erasePlayer(TENANT, WORLDS, 'ann', T0)).toBe(true);
    expect(await countOf(TENANT, `body LIKE '%"ann"%'`)).toBe(0);
    expect(await countOf(TENANT, 'TRUE')).toBe(ANSWERS - named);
    expect(await countOf('ten_b', 'TRUE')).toBe(ANSWERS);
  });

  test('[R2][H8] of very many stored responses, exactly those go that have a lobby token of somebody who is no player', async () => {
    const tenant = 'ten_c';
    await keepMany(tenant, '/v1/players/:playerId/token##', '', '{"player":"#"}');
    const elsewhere = answerOf('other', { tenant, mint: '{"player":"ann"}' });
    await store.keepIdempotent(elsewhere);
    const named = await countOf(tenant, `mint LIKE '%"ann"%'`);
    expect(await store.erasePlayer(tenant, WORLDS, 'ann', T0)).toBe(false);
    expect(await countOf(tenant, `mint LIKE '%"ann"%'`)).toBe(1);
    expect(await countOf(tenant, 'TRUE')).toBe(ANSWERS + 1 - (named - 1));
  });

  test('[R2][H8] erasing several players at once removes all their responses, whatever their ids, and no others', async () => {
    const tenant = 'ten_e';
    const ids = [
      'a.n',
      'a(n|[b',
      '***:x',
      'd\\\\d',
      'q"t',
      'tab\tx',
      'é😀',
      '^$',
      'p{2}',
      `${'~a.*'.repeat(32)}`,
    ];
    const others = ['axn', 'dd', 'd7', 'pp', 'b'];
    for (const [n, id] of [...ids, ...others].entries()) {
      await store.namePlayer(
        { tenant, world: 'live', playerId: id, newRef: `ply_e${n}`, displayName: 'E', at: T0 },
        null,
      );
      const body = JSON.stringify({ players: [{ id }] });
      const told = JSON.stringify({ error: `Player is not connected: ${id}` });
      await store.keepIdempotent({ ...answerOf(`one ${n}`, { tenant }), body, expiresAt: T0 + 1 });
      await store.keepIdempotent({
        ...answerOf(`two ${n}`, { tenant }),
        body: told,
        expiresAt: T0 + 1,
      });
    }
    const many = Array.from({ length: 80 }, (_, n) => `${n}`);
    const erased = await Promise.all(
      [...many, ...ids].map((id) => store.erasePlayer(tenant, WORLDS, id, T0)),
    );
    expect(erased).toEqual([...many.map(() => false), ...ids.map(() => true)]);
    expect(await countOf(tenant, 'TRUE')).toBe(2 * others.length);
  });

  test('[R2][S2] a player who comes after the search for rows is not erased, and keeps their seat', async () => {
    const line = { tenant: TENANT, mode: 'live', game: 'tictactoe', pairing: 'open' } as const;
    let isMade = false;
    const slow: Database = {
      ...db,
      transaction: (run) =>
        db.transaction((tx) =>
          run({
            ...tx,
            async all(...asked) {
              const rows = await tx.all(...asked);
              if (!isMade && asked[0].includes('FOR UPDATE')) {
                isMade = true;
                const session = sessionOf(1, { seats: [seatOf(0, 'bob')] });
                await store.createSession({ ...session, waiting: line });
              }
              return rows;
            },
          }),
        ),
    };
    const runner = makeRunner(slow);
    const { findPlayer } = makeNamedPlayerStore(runner);
    const { erasePlayer } = makeErasingStore(runner, findPlayer);
    expect(await erasePlayer(TENANT, WORLDS, 'bob', T0)).toBe(false);
    expect(isMade).toBe(true);
    expect(await findPlayer(TENANT, 'live', 'bob')).not.toBeNull();
    expect(await store.findWaiting(line, ['bob'])).toHaveLength(1);
    expect(await store.erasePlayer(TENANT, WORLDS, 'bob', T0)).toBe(true);
    expect(await store.listWaiting(line, 10)).toEqual([]);
  });

  test('[R2] a player who becomes known during the search is forgotten like a known one', async () => {
    const tenant = 'ten_d';
    await keepMany(tenant, '/v1/sessions', '{"id":"#"}', '');
    let erasing: Promise<boolean> = Promise.resolve(false);
    await db.transaction(async (tx) => {
      // Their responses are searched once they are known.
      await tx.run('LOCK TABLE idempotency IN ACCESS EXCLUSIVE MODE');
      erasing = store.erasePlayer(tenant, WORLDS, 'ann', T0);
      await Bun.sleep(100);
      await tx.run(
        `INSERT INTO player (ref, tenant, player_id, created_at) VALUES ('ply_d', $1, 'ann', $2)`,
        tenant,
        T0,
      );
    });
    expect(await erasing).toBe(true);
    expect(await countOf(tenant, `body LIKE '%"ann"%'`)).toBe(0);
  });

  test('[STORE-cluster] a lease is renewed while everything else waits for the database', async () => {
    await store.renewLease('nod_a', 60_000, false);
    const order: string[] = [];
    let waiting: Promise<unknown>[] = [];
    await db.transaction(async (tx) => {
      await tx.run('LOCK TABLE idempotency IN ACCESS EXCLUSIVE MODE');
      waiting = Array.from({ length: 20 }, (_, n) =>
        store.keepIdempotent(answerOf(`late ${n}`)).then(() => order.push('kept')),
      );
      expect(await store.renewLease('nod_a', 60_000, false)).toBe('kept');
      expect(await store.listLeases()).toHaveLength(1);
      order.push('renewed');
    });
    await Promise.all(waiting);
    expect(order[0]).toBe('renewed');
  });
});
