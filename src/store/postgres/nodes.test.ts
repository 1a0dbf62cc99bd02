/** Several nodes on one database: whatever they do at once, each thing is done by one of them. */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { followChain, NOTHING_FOLLOWED } from '../../accounts/audit-chain.ts';
import { deriveAuditKeys } from '../../accounts/audit-key.ts';
import { migratedDatabase } from '../../testing/servers/migrated-database.ts';
import { isPostgresHere } from '../../testing/servers/postgres.ts';
import { type EmptyingDatabase, openEmptying } from '../../testing/servers/postgres-place.ts';
import {
  answerOf,
  append,
  created,
  entryOf,
  kindOf,
  seatOf,
  sessionId,
  sessionOf,
  T0,
  TENANT,
} from '../contract/stage.ts';
import type { NewSession } from '../store.ts';
import { WORLDS } from '../world.ts';
import { openPostgresStore, type PostgresStore } from './postgres-store.ts';

setDefaultTimeout(60_000);

describe.skipIf(!isPostgresHere())('nodes on one PostgreSQL', () => {
  let database: EmptyingDatabase;
  let a: PostgresStore;
  let b: PostgresStore;
  let c: PostgresStore;
  let url = '';
  beforeAll(async () => {
    url = await migratedDatabase();
    const open = (node: string) => openPostgresStore({ url, node });
    // All open it for the first time at once: one of them creates the tables.
    [a, b, c] = await Promise.all([open('nod_a'), open('nod_b'), open('nod_c')]);
    database = await openEmptying(url);
  });
  afterAll(async () => {
    await Promise.all([a, b, c].map((store) => store.close()));
    await database.close();
  });

  const empty = () => database.empty();
  /** Only these nodes have a lease. */
  const lease = async (...nodes: string[]): Promise<void> => {
    await database.rows('UPDATE node SET lease_until = 0');
    for (const node of nodes) {
      await database.rows(
        `INSERT INTO node (id, lease_until) VALUES ('${node}', 1e15::bigint)
         ON CONFLICT (id) DO UPDATE SET lease_until = excluded.lease_until`,
      );
    }
  };
  const holderOf = async (id: string) => (await a.loadSession(id))!.holder;

  test('[D8] no chain is keyed while a node serves that writes no MACs', async () => {
    await empty();
    const keys = deriveAuditKeys([new Uint8Array(32).fill(1)]);
    await Promise.all([a, b].map((store) => store.useAuditKeys(keys)));
    // A node of an older version, which does not know the column.
    await lease('nod_older');
    await a.renewLease('nod_a', 60_000, false);
    expect(await a.keyChains(1, 'any')).toBe('later');
    const audit = { tenant: '', actor: 'cli', act: 'act', object: 'x', at: 1 };
    await b.addAudit(audit);
    await database.rows("UPDATE node SET lease_until = 0 WHERE id = 'nod_older'");
    expect(await a.keyChains(2, 'any')).toEqual(['']);
    await b.addAudit(audit);
    const rows = await c.readAudit('', 0, 9);
    expect(followChain(NOTHING_FOLLOWED, rows, keys)).toMatchObject({
      ok: true,
      link: { n: 3, keyedFrom: 2 },
    });
  });

  test('[R3] of a removed tenant, nodes claim no closed session; one with an owner stays open', async () => {
    await empty();
    for (const n of [1, 2, 3, 4]) await created(a, n);
    const other = await created(a, 5, { tenant: 'ten_b' });
    await lease('nod_a', 'nod_b');
    // A new session belongs to its creator; these belong to nobody, to a dead node, and to a live
    // one.
    await database.rows('UPDATE session SET holder = NULL');
    await database.rows(`UPDATE session SET holder = 'nod_gone' WHERE id = '${sessionId(2)}'`);
    await a.claim('nod_a', sessionId(3));
    expect(await c.closeSessions(TENANT, T0 + 9)).toBe(1);
    const claimed = (n: number) => b.claim('nod_b', sessionId(n));
    for (const n of [1, 2, 4])
      expect(await claimed(n)).toMatchObject({ holder: null, isNew: false });
    expect(await claimed(3)).toMatchObject({ holder: 'nod_a' });
    expect(await b.claim('nod_b', other)).toMatchObject({ holder: 'nod_b', isNew: true });
    // Its process ends without a shutdown.
    await lease('nod_b');
    expect(await c.closeSessions(TENANT, T0 + 9)).toBe(0);
  });

  test('[R3] of a parallel claim and removal, one gets the session', async () => {
    for (let round = 0; round < 20; round++) {
      await empty();
      await created(a, 1);
      await lease('nod_b');
      await database.rows('UPDATE session SET holder = NULL');
      const [, { holder }] = await Promise.all([
        c.closeSessions(TENANT, T0),
        b.claim('nod_b', sessionId(1)),
      ]);
      const left = await c.closeSessions(TENANT, T0);
      // A node that has claimed it keeps it: it is not closed meanwhile.
      expect([round, holder, left]).toEqual([round, left === 1 ? 'nod_b' : null, left]);
    }
  });

  test('[STORE-PG3] nodes that append to the same logs write each version once, and know which did', async () => {
    await empty();
    const sessions = 20;
    const versions = 30;
    for (let n = 0; n < sessions; n++) await created(a, n);
    const mine = new Map<string, string>();
    const play = async (store: PostgresStore, name: string, n: number): Promise<void> => {
      const id = sessionId(n);
      for (let v = 1; v <= versions; ) {
        const entries = [entryOf(v, { k: 'entropy', value: name })];
        if (n % 3 === 0) entries.push(entryOf(v + 1, { k: 'entropy', value: name }));
        const change = n % 2 === 0 ? { awake: true as const } : null;
        const outcome = await append(store, id, entries, change);
        if (outcome === 'committed') for (const each of entries) mine.set(`${id} ${each.v}`, name);
        else expect(outcome).toBe('conflict');
        v = (await store.loadSession(id))!.entries.length;
      }
    };
    await Promise.all(
      [a, b, c].flatMap((store, i) =>
        Array.from({ length: sessions }, (_, n) => play(store, 'abc'[i]!, n)),
      ),
    );
    for (let n = 0; n < sessions; n++) {
      const { entries } = (await a.loadSession(sessionId(n)))!;
      expect(entries.map(({ v }) => v)).toEqual(entries.map((_, i) => i));
      for (const { v, record } of entries.slice(1)) {
        expect(record).toEqual({
          k: 'entropy',
          seat: expect.anything(),
          value: mine.get(`${sessionId(n)} ${v}`)!,
        } as never);
      }
    }
    expect(new Set(mine.values()).size).toBe(3);
  });

  test("[STORE-PG4] a row names the session's owner, from create and takeover to sleep and end", async () => {
    await empty();
    const id = await created(a, 1, { wakeAt: null });
    expect(await holderOf(id)).toBe('nod_a');
    await append(b, id, [entryOf(1)], { awake: true });
    expect(await holderOf(id)).toBe('nod_b');
    // A node that has lost it does not put it to sleep.
    await a.sleep([{ id, wakeAt: T0 }]);
    expect(await holderOf(id)).toBe('nod_b');
    await b.sleep([{ id, wakeAt: T0 }]);
    expect(await a.loadSession(id)).toMatchObject({ holder: null, wakeAt: T0 });
    await append(c, id, [entryOf(2)], { status: 'active', startedAt: T0 });
    expect(await holderOf(id)).toBe('nod_c');
    await append(c, id, [entryOf(3)], { status: 'ended', endedAt: T0 });
    expect(await holderOf(id)).toBeNull();
  });

  test('[STORE-PG5] sessions of a dead node are shared by the live ones, each claimed by one', async () => {
    await empty();
    await lease('nod_a', 'nod_b', 'nod_c');
    const ids = await Promise.all(
      Array.from({ length: 90 }, (_, n) => created(a, n, { wakeAt: null })),
    );
    expect(await b.claimAwake('', 10)).toEqual([]);
    await lease('nod_b', 'nod_c');
    const take = async (store: PostgresStore): Promise<string[]> => {
      const taken: string[] = [];
      for (let after = ''; ; after = taken.at(-1)!) {
        const page = await store.claimAwake(after, 7);
        if (page.length === 0) return taken;
        taken.push(...page);
      }
    };
    const [ofB, ofC] = await Promise.all([take(b), take(c)]);
    // Rows that the other had locked were skipped.
    const left = [...(await take(b)), ...(await take(c))];
    expect([...ofB, ...ofC, ...left].sort()).toEqual([...ids].sort());
    for (const id of ofB) expect(await holderOf(id)).toBe('nod_b');
    for (const id of ofC) expect(await holderOf(id)).toBe('nod_c');
    expect(await take(a)).toEqual([]);
  });

  // A subquery with a limit and a lock runs once per row on the inner side of a nested loop.
  test.each(['nestloop', 'hashjoin', 'mergejoin'])(
    '[STORE-PG5] no plan claims more than the limit: only %s',
    async (join) => {
      await empty();
      await lease('nod_d');
      const ids = await Promise.all(
        [1, 2, 3, 4, 5, 6, 7].map((n) => created(a, n, { wakeAt: null })),
      );
      const due = await Promise.all([11, 12, 13, 14, 15].map((n) => created(a, n, { wakeAt: T0 })));
      await database.rows('ANALYZE session');
      const others = ['nestloop', 'hashjoin', 'mergejoin', 'hashagg', 'material', 'sort'].filter(
        (each) => each !== join,
      );
      const planned = new URL(url);
      planned.searchParams.set('options', others.map((each) => `-c enable_${each}=off`).join(' '));
      const store = await openPostgresStore({ url: planned.href, node: 'nod_d' });
      const first = await store.claimAwake('', 3);
      const second = await store.claimAwake(first.at(-1)!, 3);
      expect([...first, '|', ...second]).toEqual([...ids.slice(0, 3), '|', ...ids.slice(3, 6)]);
      expect(await store.claimDue(T0, 2)).toEqual(due.slice(0, 2));
      await store.close();
      const taken = await database.rows('SELECT id FROM session WHERE due_node IS NOT NULL');
      expect(taken).toHaveLength(2);
    },
  );

  test('[STORE-PG5] a claimed session keeps its due time until its owner writes, and is not due any more', async () => {
    await empty();
    await lease('nod_a', 'nod_b');
    const id = await created(a, 1, { wakeAt: T0 });
    await a.claim('nod_a', id);
    expect(await a.loadSession(id)).toMatchObject({
      holder: 'nod_a',
      isAsleep: false,
      wakeAt: T0,
    });
    for (const store of [a, b]) expect(await store.claimDue(T0, 9)).toEqual([]);
    await append(a, id, [entryOf(1)], { awake: true });
    expect((await a.loadSession(id))!.wakeAt).toBeNull();
  });

  test('[STORE-PG5] a row locked by a dead node’s last transaction is skipped, and claimed later', async () => {
    await empty();
    await lease('nod_b');
    const id = await created(a, 1, { wakeAt: null });
    // Like a backend that is in the middle of a transaction, or waits for a standby.
    await database.rows('BEGIN');
    await database.rows('UPDATE session SET integrity = integrity');
    expect(await b.claimAwake('', 9)).toEqual([]);
    await database.rows('ROLLBACK');
    expect(await b.claimAwake('', 9)).toEqual([id]);
    expect(await holderOf(id)).toBe('nod_b');
  });

  test('[STORE-PG6] a due session is woken by one node, and by another when that one dies', async () => {
    await empty();
    await lease('nod_a', 'nod_b');
    await Promise.all(Array.from({ length: 60 }, (_, n) => created(c, n, { wakeAt: T0 + n })));
    const pages = await Promise.all([a, b, a, b].map((store) => store.claimDue(T0 + 49, 20)));
    const ofA = new Set([...pages[0]!, ...pages[2]!]);
    const ofB = new Set([...pages[1]!, ...pages[3]!]);
    expect([...ofA].filter((id) => ofB.has(id))).toEqual([]);
    const all = new Set([
      ...ofA,
      ...ofB,
      ...(await a.claimDue(T0 + 49, 50)),
      ...(await b.claimDue(T0 + 49, 50)),
    ]);
    expect(all.size).toBe(50);
    // Its own sessions stay due until it has woken them.
    expect((await a.claimDue(T0 + 49, 50)).length + (await b.claimDue(T0 + 49, 50)).length).toBe(
      50,
    );
    await lease('nod_b');
    expect((await b.claimDue(T0 + 49, 100)).length).toBe(50);
  });

  test('[H6] creates on several nodes never exceed a limit, and reach it', async () => {
    await empty();
    const quota = { month: '2026-11', sessionsPerMonthMax: 100, openSessionsMax: 70 };
    const outcomes = await Promise.all(
      Array.from({ length: 150 }, (_, n) =>
        [a, b, c][n % 3]!.createSession(sessionOf(n, { quota })),
      ),
    );
    expect(outcomes.filter((outcome) => kindOf(outcome) === 'created').length).toBe(70);
    expect(outcomes.filter((outcome) => kindOf(outcome) === 'open_full').length).toBe(80);
    const [open, month] = await database.rows<{ n: string }>('SELECT n FROM counter ORDER BY name');
    expect([Number(open!.n), Number(month!.n)]).toEqual([70, 70]);
  });

  test('[S2] a player who asks several nodes at once waits in one session', async () => {
    await empty();
    const players = 20;
    const ask = (n: number, i: number): NewSession => ({
      ...sessionOf(n * 3 + i, { seats: [{ ...seatOf(0, `p${n}`), newRef: `ply_${n}_${i}` }] }),
      waiting: { pairing: 'x' },
    });
    const outcomes = await Promise.all(
      Array.from({ length: players }, (_, n) =>
        Promise.all([a, b, c].map((store, i) => store.createSession(ask(n, i)))),
      ),
    );
    for (const each of outcomes) {
      expect(each.map(kindOf).sort()).toEqual(['already_waiting', 'already_waiting', 'created']);
    }
    // The refused creates leave nothing.
    expect((await database.rows('SELECT FROM session')).length).toBe(players);
    expect((await database.rows('SELECT FROM room_code')).length).toBe(players);
    expect((await database.rows('SELECT FROM seat')).length).toBe(players);
  });

  test('[S2] a player seated from the queue by two nodes at once sits in one session', async () => {
    await empty();
    for (let round = 0; round < 10; round++) {
      const [one, two] = [round * 10, round * 10 + 1];
      for (const n of [one, two]) {
        const waiting = { pairing: `r${round}` };
        const seats = [seatOf(0, `first_${n}`)];
        await a.createSession({ ...sessionOf(n, { seats }), waiting });
      }
      const join = (store: PostgresStore, n: number) =>
        append(store, sessionId(n), [entryOf(1)], {
          seats: [{ ...seatOf(1, `late_${round}`), newRef: `ply_late_${n}` }],
          queued: true,
        });
      const outcomes = await Promise.all([join(a, one), join(b, two)]);
      expect(outcomes.sort()).toEqual(['committed', 'conflict']);
    }
    const logs = await database.rows('SELECT FROM log WHERE v = 1');
    expect(logs.length).toBe(10);
  });

  test('[R2] of names set by several nodes at once one stays, and an erased player has none', async () => {
    await empty();
    const name = (store: PostgresStore, n: number) =>
      store.namePlayer(
        {
          tenant: TENANT,
          world: 'live',
          playerId: `p${n % 5}`,
          displayName: `N${n}`,
          newRef: `ply_${n}`,
          at: T0,
        },
        answerOf(`k${n}`),
      );
    await Promise.all(Array.from({ length: 60 }, (_, n) => name([a, b, c][n % 3]!, n)));
    expect((await database.rows('SELECT FROM player')).length).toBe(5);
    const seat = (n: number) =>
      created([a, b, c][n % 3]!, n, {
        seats: [{ ...seatOf(0, 'p0', `Name${n}`), newRef: `ply_new_${n}` }],
      });
    await Promise.all([
      ...Array.from({ length: 30 }, (_, n) => seat(n)),
      b.erasePlayer(TENANT, WORLDS, 'p0', T0),
    ]);
    const erased = await database.rows<{ display_name: string | null }>(
      'SELECT display_name FROM player WHERE player_id IS NULL',
    );
    expect(erased).toEqual([{ display_name: null }]);
  });
});
