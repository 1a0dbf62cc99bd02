/**
 * Webhooks with two nodes on one PostgreSQL: each is served by one node, and none misses an event.
 */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { NewEvent } from '../../events/event.ts';
import { openPostgresStore, type PostgresStore } from '../../store/postgres/postgres-store.ts';
import type { Webhook } from '../../store/webhooks.ts';
import { migratedDatabase } from '../../testing/servers/migrated-database.ts';
import { isPostgresHere } from '../../testing/servers/postgres.ts';
import { type EmptyingDatabase, openEmptying } from '../../testing/servers/postgres-place.ts';
import { openReceiver, type Receiver } from '../../testing/webhooks/webhook-receiver.ts';
import { eventually } from '../../testing/webhooks/webhook-world.ts';
import { makeEventFeed } from '../events/event-feed.ts';
import { makeIds } from '../ids.ts';
import { makeSystemClock, systemRandomness } from '../system.ts';
import { resolveBySystem } from './sending/sender.ts';
import { makeWebhooks, type WebhookParts } from './start.ts';

const TENANT = 'ten_hooks';
const ASKER = { tenant: TENANT, actor: 'key:key_a' };
const AUDIT = { tenant: TENANT, actor: 'cli', act: 'test', object: '', at: 0 };
const HOOKS = 6;

interface Node {
  readonly store: PostgresStore;
  readonly parts: WebhookParts;
}

describe.skipIf(!isPostgresHere())('webhooks of two nodes', () => {
  const clock = makeSystemClock();
  const makeId = makeIds(clock, systemRandomness);
  let url = '';
  let database: EmptyingDatabase;

  beforeAll(async () => {
    url = await migratedDatabase();
    const store = await openPostgresStore({ url, node: 'nod_0' });
    await store.createTenant(
      { id: TENANT, slug: 'h', name: 'H', plan: 'pro', active: true, limits: {}, createdAt: 0 },
      AUDIT,
    );
    await store.close();
    database = await openEmptying(url);
  }, 60_000);
  afterAll(() => database?.close());

  /** Ends a node's lease, or extends it for the test. */
  const lease = (node: string, until: '0' | '1e15') =>
    database.rows(`INSERT INTO node (id, lease_until) VALUES ('${node}', ${until}::bigint)
      ON CONFLICT (id) DO UPDATE SET lease_until = excluded.lease_until`);

  async function openNode(node: string): Promise<Node> {
    const store = await openPostgresStore({ url, node });
    await lease(node, '1e15');
    const { present, seqOf } = makeEventFeed(store);
    const parts = makeWebhooks({
      store,
      clock,
      makeId,
      randomness: systemRandomness,
      policy: { allowLocal: true },
      resolve: resolveBySystem,
      present,
      seqOf,
      onError: () => {},
      claims: {
        claim: () => store.claimWebhooks(node),
        release: (ids) => store.releaseWebhooks(node, ids),
        onError: () => {},
      },
    });
    await parts.start();
    return { store, parts };
  }

  /** Writes events of four sessions through one node; returns their ids. */
  async function emit({ store }: Node, count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let i = 0; i < count; i++) {
      const event: NewEvent = {
        id: makeId('evt'),
        tenant: TENANT,
        mode: 'live',
        type: 'session.started',
        session: `ses_${i % 4}`,
        at: clock.now(),
        data: '{}',
      };
      ids.push(event.id);
      await store.triggerEvent(event, { audit: AUDIT, idempotency: null });
    }
    return ids;
  }

  const has = (receiver: Receiver, ids: readonly string[]) => {
    const seen = new Set(receiver.received.map(({ id }) => id));
    return ids.every((id) => seen.has(id));
  };

  test('[N11][E2] when a node dies the other takes its webhooks over, and no event is missed', async () => {
    const [a, b] = [await openNode('nod_a'), await openNode('nod_b')];
    const receivers = await Promise.all(Array.from({ length: HOOKS }, () => openReceiver()));
    for (const { url } of receivers) {
      const setting = { mode: 'live', types: [], description: '', url } as const;
      await a.parts.service.create(ASKER, setting, 99, null);
    }
    const lanes = () => [a.parts.figures().lanes, b.parts.figures().lanes];
    // The first took all; the second gets its part.
    await eventually(() => lanes().join() === '3,3');
    const sent = [...(await emit(a, 40)), ...(await emit(b, 40))];
    await eventually(() => receivers.every((each) => has(each, sent)));
    // Each was sent by one node, so once.
    for (const { received } of receivers) expect(received).toHaveLength(80);

    const [before, dying] = [await emit(b, 10), a.store.close()];
    await Promise.all([dying, lease('nod_a', '0')]);
    const after = await emit(b, 10);
    const all = [...sent, ...before, ...after];
    await eventually(() => receivers.every((each) => has(each, all)));
    expect(b.parts.figures().lanes).toBe(HOOKS);
    // In order within a session, by the first arrival of each event.
    for (const { received } of receivers) {
      const first = [...new Set(received.map(({ id }) => id))];
      for (let n = 0; n < 4; n++) {
        const ofSession = (ids: readonly string[]) =>
          ids.filter((id) => sessionOf(received, id) === `ses_${n}`);
        expect(ofSession(first)).toEqual(ofSession(all));
      }
    }
    await a.parts.stop(0);
    await b.parts.stop(0);
    await b.store.close();
    await Promise.all(receivers.map((each) => each.close()));
  }, 30_000);

  test('[N11][E2] a node whose lease was lost for a moment continues under a new epoch, and no event is missed', async () => {
    await lease('nod_b', '0');
    const node = await openNode('nod_c');
    const receiver = await openReceiver(() => ({ status: 204, delayMs: 100 }));
    const setting = { mode: 'live', types: [], description: '', url: receiver.url } as const;
    const webhook = (await node.parts.service.create(ASKER, setting, 99, null))!;
    const find = async () => (await node.store.findWebhook(TENANT, webhook.id))!;
    const before = await emit(node, 1);
    await eventually(() => has(receiver, before));
    const { epoch } = await find();
    // No other node is there to take it over, so in the store it stays this node's under the old
    // epoch.
    const meanwhile = await emit(node, 20);
    await lease('nod_c', '0');
    await eventually(() => node.parts.figures().lanes === 0);
    meanwhile.push(...(await emit(node, 20)));
    await lease('nod_c', '1e15');
    await eventually(() => has(receiver, meanwhile));
    expect((await find()).epoch).toBeGreaterThan(epoch);
    await eventually(async () => (await find()).cursor === (await node.store.eventHead(webhook)));
    expect(await node.store.listOutstanding(webhook.id)).toEqual([]);
    await node.parts.stop(0);
    await node.store.close();
    await receiver.close();
  }, 30_000);

  test('[N11][E2] a new address set at a node that does not serve the webhook is sent what waits', async () => {
    await lease('nod_c', '0');
    const nodes = [await openNode('nod_f'), await openNode('nod_g')];
    const [old, next] = [await openReceiver(() => ({ status: 500 })), await openReceiver()];
    const setting = { mode: 'live', types: [], description: '', url: old.url } as const;
    const webhook = (await nodes[0]!.parts.service.create(ASKER, setting, 99, null))!;
    const ids = await emit(nodes[0]!, 8);
    const find = async () => (await nodes[0]!.store.findWebhook(TENANT, webhook.id))!;
    await eventually(async () => (await find()).failingSince !== null);
    const [row] = await database.rows<{ readonly server: string }>(
      `SELECT server FROM webhook WHERE id = '${webhook.id}'`,
    );
    const other = row!.server === 'nod_f' ? nodes[1]! : nodes[0]!;
    const fields = { url: other.parts.service.parseUrl(next.url)! };
    await other.parts.service.update(ASKER, await find(), fields, null);
    // At the old address they would be due in 10 s.
    await eventually(() => has(next, ids), 6_000);
    await eventually(async () => (await other.store.listOutstanding(webhook.id)).length === 0);
    expect((await find()).failingSince).toBeNull();
    for (const { parts, store } of nodes) {
      await parts.stop(0);
      await store.close();
    }
    await Promise.all([old.close(), next.close()]);
  }, 30_000);

  test('[E2] after concurrent rotations on two nodes each secret that was shown signs', async () => {
    const nodes = [await openNode('nod_d'), await openNode('nod_e')];
    const receiver = await openReceiver();
    const setting = { mode: 'live', types: [], description: '', url: receiver.url } as const;
    const webhook = (await nodes[0]!.parts.service.create(ASKER, setting, 99, null))!;
    for (let i = 0; i < 10; i++) {
      const rotated = await Promise.all(
        nodes.map(({ parts }) => parts.service.rotate(ASKER, webhook, 60_000, null)),
      );
      const shown = rotated.map((each) => (each as Webhook).secrets[0]!.text);
      const { secrets } = (await nodes[0]!.store.findWebhook(TENANT, webhook.id))!;
      expect(new Set(secrets.map(({ text }) => text))).toEqual(new Set(shown));
    }
    for (const { parts, store } of nodes) {
      await parts.stop(0);
      await store.close();
    }
    await receiver.close();
  }, 30_000);
});

function sessionOf(received: Receiver['received'], id: string): string {
  const { body } = received.find((each) => each.id === id)!;
  return (JSON.parse(body) as { readonly sessionId: string }).sessionId;
}
