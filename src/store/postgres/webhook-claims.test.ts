/** What several nodes on one PostgreSQL share: webhooks, each served by one, and news of each other's events. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { EventWorld, NewEvent } from '../../events/event.ts';
import { freshDatabase, isPostgresHere } from '../../testing/servers/postgres.ts';
import { type EmptyingDatabase, openEmptying } from '../../testing/servers/postgres-place.ts';
import { eventually } from '../../testing/webhook-world.ts';
import { times } from '../contract/area.ts';
import { auditOf, T0, TENANT } from '../contract/stage.ts';
import type { DeliveryProgress } from '../webhooks.ts';
import { openPostgresStore, type PostgresStore } from './postgres-store.ts';

const LIVE: EventWorld = { tenant: TENANT, mode: 'live' };
const WRITE = { audit: auditOf('x'), idempotency: null };
const NODES = ['a', 'b', 'c'] as const;

describe.skipIf(!isPostgresHere())('several nodes', () => {
  let emptying: EmptyingDatabase;
  const stores: PostgresStore[] = [];

  beforeAll(async () => {
    const url = await freshDatabase();
    for (const node of NODES) stores.push(await openPostgresStore({ url, node }));
    emptying = await openEmptying(url);
  }, 60_000);
  afterAll(async () => {
    await emptying?.close();
    for (const store of stores) await store.close();
  });
  beforeEach(() => emptying.empty());

  /** The lease of a node, from now on; negative ends it. */
  const lease = (node: string, ms = 60_000, draining = false) =>
    emptying.rows(`INSERT INTO node (id, lease_until, draining)
      VALUES ('${node}', (extract(epoch FROM clock_timestamp()) * 1000)::bigint + ${ms}, ${draining})
      ON CONFLICT (id) DO UPDATE
        SET lease_until = excluded.lease_until, draining = excluded.draining`);
  const make = (count: number) =>
    times(count, (n) => {
      const id = `whk_${String(n).padStart(2, '0')}`;
      const fields = { mode: 'live', url: 'https://a.example/', description: '' } as const;
      const webhook = { id, tenant: TENANT, ...fields, types: [], secrets: [], createdAt: T0 };
      return stores[0]!.createWebhook({ webhook, webhooksMax: 99, ...WRITE });
    });
  const claim = async (node: string) => {
    const { served, share } = await stores[0]!.claimWebhooks(node);
    return { ids: served.map(({ id }) => id), share, served };
  };
  const progress = (webhook: string, epoch: number): DeliveryProgress => {
    const nothing = { cursor: 0, changed: [], settled: [], attempts: [] };
    return { webhook, epoch, ...nothing, failingSince: null, disable: null };
  };
  const emit = (store: PostgresStore, n: number) => {
    const id = `evt_${n}`;
    const event: NewEvent = { id, ...LIVE, type: 'move.made', session: null, at: T0, data: '{}' };
    return store.triggerEvent(event, WRITE);
  };

  test('[N11] of claims at once each webhook goes to one node, and none is left over', async () => {
    await make(20);
    for (const node of NODES) await lease(node);
    // Where two reach for the same one, it is left to the other: the next time there is more.
    await times(3, (i) => stores[i]!.claimWebhooks(NODES[i]!));
    await times(3, (i) => stores[i]!.claimWebhooks(NODES[i]!));
    const held = await Promise.all(NODES.map(claim));
    expect(held.map(({ share }) => share)).toEqual([7, 7, 7]);
    expect(held.flatMap(({ ids }) => ids)).toHaveLength(20);
    expect(new Set(held.flatMap(({ ids }) => ids)).size).toBe(20);
    for (const { ids } of held) expect(ids.length).toBeLessThanOrEqual(7);
  });

  test('[N11] a node without a lease has nothing; what a dead one had goes to the others', async () => {
    await make(4);
    expect(await claim('a')).toEqual({ ids: [], share: 0, served: [] });
    await lease('a');
    expect((await claim('a')).ids).toHaveLength(4);
    await lease('b');
    // It is a's as long as a lives.
    expect((await claim('b')).ids).toEqual([]);
    await lease('a', -1);
    const taken = await claim('b');
    expect(taken.ids).toHaveLength(4);
    expect((await claim('a')).ids).toEqual([]);
    expect(taken.served.every(({ epoch }) => epoch === 2)).toBe(true);
  });

  test('[N11] what the node before began counts for nothing once another serves the webhook', async () => {
    await make(1);
    await lease('a');
    const [first] = (await claim('a')).served;
    expect(await stores[0]!.recordProgress(progress('whk_00', first!.epoch))).toBe(true);
    await lease('a', -1);
    await lease('b');
    const [second] = (await claim('b')).served;
    expect(await stores[0]!.recordProgress(progress('whk_00', first!.epoch))).toBe(false);
    expect(await stores[1]!.recordProgress(progress('whk_00', second!.epoch))).toBe(true);
    // Back at the first, who knows nothing of the time between: its older lane is void as well.
    await lease('b', -1);
    await lease('a');
    const [third] = (await claim('a')).served;
    expect(third!.epoch).toBeGreaterThan(second!.epoch);
    expect(await stores[0]!.recordProgress(progress('whk_00', first!.epoch))).toBe(false);
  });

  test('[N11] a new node gets its share of what the others release; one that drains takes none', async () => {
    await make(6);
    await lease('a');
    const { ids } = await claim('a');
    await lease('b');
    expect((await claim('a')).share).toBe(3);
    await stores[0]!.releaseWebhooks('b', ids);
    expect((await claim('b')).ids).toEqual([]);
    await stores[0]!.releaseWebhooks('a', ids.slice(3));
    expect((await claim('b')).ids).toEqual(ids.slice(3));
    await lease('a', 60_000, true);
    expect(await claim('a')).toMatchObject({ ids: ids.slice(0, 3), share: 0 });
    await stores[0]!.releaseWebhooks('a', ids.slice(0, 3));
    expect((await claim('a')).ids).toEqual([]);
    expect((await claim('b')).ids).toEqual(ids);
  });

  test('[N11][E2] one that is switched off is nobody’s; every change by the tenant is seen', async () => {
    await make(1);
    await lease('a');
    const [first] = (await claim('a')).served;
    const update = (change: object) =>
      stores[1]!.updateWebhook({ id: 'whk_00', tenant: TENANT, ...change, ...WRITE });
    await update({ description: 'b' });
    const [second] = (await claim('a')).served;
    expect(second).toEqual({ ...first!, revision: first!.revision + 1 });
    // What was under way to the address before is void.
    await update({ url: 'https://b.example/' });
    const { epoch, revision } = second!;
    const [third] = (await claim('a')).served;
    expect(third).toEqual({ ...first!, epoch: epoch + 1, revision: revision + 1 });
    await update({ active: false });
    expect((await claim('a')).ids).toEqual([]);
    await update({ active: true });
    expect((await claim('a')).served[0]!.epoch).toBeGreaterThan(first!.epoch);
  });

  test('[N11] what a node serves is read again when any of it has changed, and only then', async () => {
    await make(3);
    await lease('a');
    const told = async () => (await stores[0]!.claimWebhooks('a')).served;
    const first = await told();
    expect(await told()).toEqual(first);
    const second = await told();
    expect(await told()).toBe(second);
    await stores[1]!.removeWebhook(TENANT, 'whk_01', WRITE);
    expect((await told()).map(({ id }) => id)).toEqual(['whk_00', 'whk_02']);
    await stores[1]!.recordProgress({ ...progress('whk_02', 1), disable: 'gone' });
    expect((await told()).map(({ id }) => id)).toEqual(['whk_00']);
    // Progress alone is no change.
    const third = await told();
    await stores[1]!.recordProgress({ ...progress('whk_00', 1), cursor: 1 });
    expect(await told()).toBe(third);
    // Another node's claims have no part in it.
    await lease('b');
    await stores[0]!.claimWebhooks('b');
    expect(await told()).toEqual(third);
    await lease('a', -1);
    await stores[1]!.claimWebhooks('b');
    await lease('a');
    expect(await told()).toEqual([]);
  });

  test('[N12] events of another node are told of within a second, where somebody watches', async () => {
    const [writer, reader] = [stores[0]!, stores[1]!];
    const told: [EventWorld, number][] = [];
    let watched: EventWorld[] = [];
    reader.onEvents(
      (world, head) => void told.push([world, head]),
      () => watched,
    );
    await emit(writer, 1);
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(told).toEqual([]);
    watched = [LIVE];
    await eventually(() => told.length > 0, 1_000);
    expect(told).toEqual([[LIVE, 1]]);
    await times(20, (n) => emit(n % 2 === 0 ? writer : reader, n + 2));
    await eventually(() => told.at(-1)?.[1] === 21, 1_000);
    const heads = told.map(([, head]) => head);
    // Never back, and nothing twice.
    expect(heads).toEqual([...new Set(heads)].sort((a, b) => a - b));
    expect(await reader.readEvents(LIVE, 0, 99)).toHaveLength(21);
  });
});
