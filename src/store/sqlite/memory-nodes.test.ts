/** Nodes that share an in-memory database, tested against the contracts of several nodes. */

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { makeManualClock } from '../../testing/manual-clock.ts';
import { limitCases } from '../contract/accounts/limit-cases.ts';
import { CLAIM_NODES, claimCases } from '../contract/claim-cases.ts';
import { clusterContractSuite } from '../contract/cluster-cases.ts';
import { seatOf, sessionOf, T0, TENANT } from '../contract/stage.ts';
import { wholeStoreSuite } from '../contract/whole-suite.ts';
import type { NodeStore } from '../scripts/nodes.ts';
import type { Store } from '../whole-store.ts';
import { WORLDS } from '../world.ts';
import { type MemoryDatabase, openMemoryDatabase } from './memory-store.ts';
import { memoryContractSuite } from './memory-suite.test-kit.ts';

const WORLD = { tenant: TENANT, mode: 'live' } as const;
const LEASE_MS = 60_000;
/** Longer than any node is remembered. */
const LONG_MS = 720_000;

function setLease({ db }: MemoryDatabase, node: string, until: number, isDraining = false): void {
  db.prepare(
    `INSERT INTO node (id, lease_until, draining, keys_audit) VALUES (?, ?, ?, 1)
     ON CONFLICT (id) DO UPDATE SET lease_until = excluded.lease_until, draining = excluded.draining`,
  ).run(node, until, Number(isDraining));
}

clusterContractSuite('SQLite', async () => {
  const clock = makeManualClock();
  const database = openMemoryDatabase(clock.now);
  const store = database.openNode('a');
  let sessions = 0;
  const make = async (node: string, wakeAt: number | null) => {
    sessions += 1;
    const session = sessionOf(sessions, { wakeAt });
    const maker = database.openNode(node);
    await maker.createSession(session);
    await maker.close();
    return session.row.id;
  };
  return {
    store,
    async pass(ms) {
      clock.advance(ms);
    },
    makeHeld: (node) => make(node, null),
    makeAsleep: (wakeAt) => make('a', wakeAt),
    async makeEnded() {
      const id = await make('a', 1);
      database.db.prepare("UPDATE session SET status = 'ended' WHERE id = ?").run(id);
      return id;
    },
    async close() {
      await store.close();
      database.close();
    },
  };
});

describe('limits, by nodes on SQLite', () => {
  for (const { title, run } of limitCases) {
    test(title, async () => {
      const database = openMemoryDatabase();
      await run({
        store: database.openNode('nod_a'),
        other: database.openNode('nod_b'),
        setAlive: async (node, isAlive) => setLease(database, node, isAlive ? 2 ** 52 : 0),
      });
      database.close();
    });
  }
});

describe('webhooks, by nodes on SQLite', () => {
  for (const { title, run } of claimCases) {
    test(title, async () => {
      const database = openMemoryDatabase();
      await run({
        stores: CLAIM_NODES.map(database.openNode),
        lease: async (node, ms, isDraining) =>
          setLease(database, node, Date.now() + ms, isDraining),
      });
      database.close();
    });
  }
});

/** As in PostgreSQL: each store is a node. */
let nodes = 0;

function openOn(database: MemoryDatabase): Store {
  nodes += 1;
  return database.openNode(`nod_${nodes}`);
}

memoryContractSuite('a node on SQLite', openOn);

wholeStoreSuite('a node on SQLite', async () => {
  const database = openMemoryDatabase();
  // The process that the cases use is alive.
  setLease(database, 'nod_a', 2 ** 52);
  return { open: async () => openOn(database), remove: async () => database.close() };
});

describe('two nodes on SQLite', () => {
  let now = T0;
  let database: MemoryDatabase;
  let a: Store & NodeStore;
  let b: Store & NodeStore;
  beforeEach(async () => {
    now = T0;
    database = openMemoryDatabase(() => now);
    [a, b] = [database.openNode('nod_a'), database.openNode('nod_b')];
    for (const node of ['nod_a', 'nod_b']) await a.renewLease(node, LEASE_MS, false);
  });
  afterEach(async () => {
    await Promise.all([a.close(), b.close()]);
    database.close();
  });

  test("[N21] a connected player counts while the node's lease is valid", async () => {
    await a.setPresence({ ...WORLD, playerId: 'ann', node: 'nod_a', isConnected: true });
    expect(await b.isPresent(TENANT, 'live', 'ann')).toBe(true);
    expect(await b.isPresent(TENANT, 'live', 'ann', 'nod_a')).toBe(false);
    now += LEASE_MS + 1;
    expect(await b.isPresent(TENANT, 'live', 'ann')).toBe(false);
    expect(await a.renewLease('nod_a', LEASE_MS, false)).toBe('lost');
    expect(await b.isPresent(TENANT, 'live', 'ann')).toBe(true);
    await a.setPresence({ ...WORLD, playerId: 'ann', node: 'nod_a', isConnected: false });
    expect(await b.isPresent(TENANT, 'live', 'ann')).toBe(false);
  });

  test('[N20][N21] a node that was gone for long has its players back, except erased ones', async () => {
    const seats = ['ann', 'ben'].map((id, seat) => seatOf(seat, id));
    await a.createSession(sessionOf(1, { seats }));
    for (const playerId of ['ann', 'ben', 'new']) {
      await a.setPresence({ ...WORLD, playerId, node: 'nod_a', isConnected: true });
    }
    now += 2 * LONG_MS;
    await b.renewLease('nod_b', LEASE_MS, false);
    expect(await b.removeLeftovers(0)).toBe(3);
    await b.erasePlayer(TENANT, WORLDS, 'ben', T0);
    expect(await a.renewLease('nod_a', LEASE_MS, false)).toBe('lost');
    a.renewPresence();
    while (!(await b.isPresent(TENANT, 'live', 'ann'))) await Bun.sleep(1);
    const present = (id: string) => b.isPresent(TENANT, 'live', id);
    expect([await present('new'), await present('ben')]).toEqual([true, false]);
  });

  test('[N2] sessions of a node with an expired lease are taken over once, and due ones are woken by one node', async () => {
    const ids = [1, 2, 3, 4].map((n) => sessionOf(n).row.id);
    for (const n of [1, 2]) await a.createSession(sessionOf(n, { wakeAt: null }));
    for (const n of [3, 4]) await a.createSession(sessionOf(n, { wakeAt: now + n }));
    expect(await b.claimAwake('', 9)).toEqual([]);
    expect(await a.claimDue(now + 9, 1)).toEqual([ids[2]!]);
    expect(await b.claimDue(now + 9, 9)).toEqual([ids[3]!]);
    now += LEASE_MS + 1;
    await b.renewLease('nod_b', LEASE_MS, false);
    expect(await b.claimAwake('', 1)).toEqual([ids[0]!]);
    expect(await b.claimAwake(ids[0]!, 9)).toEqual([ids[1]!]);
    expect(await b.claimAwake('', 9)).toEqual([]);
    expect(await b.claimDue(now, 9)).toEqual([ids[2]!, ids[3]!]);
    expect(await b.holderOf(ids[0]!)).toBe('nod_b');
    // A late caller does not put another node's sessions to sleep.
    await a.sleep([{ id: ids[0]!, wakeAt: now }]);
    expect((await b.loadSession(ids[0]!))!.holder).toBe('nod_b');
  });

  test('[D12] secrets are replaced only while no lease is valid', async () => {
    await a.signingSecret(() => ({ kid: 'kid_a', secret: Uint8Array.of(1) }));
    const [read] = await a.listSecrets();
    expect(await a.replaceUnserved([{ read: read!, text: 'Ag==' }])).toBe(2);
    for (const node of ['nod_a', 'nod_b']) await a.removeNode(node);
    expect(await a.replaceUnserved([{ read: read!, text: 'Ag==' }])).toBe(0);
    expect(await a.listSecrets()).toEqual([{ ...read!, text: 'Ag==' }]);
  });
});
