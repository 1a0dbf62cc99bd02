/** What every store of several nodes guarantees for webhooks: each is served by one node. */

import { expect } from 'bun:test';
import type { WebhookClaimStore } from '../cluster.ts';
import type { DeliveryProgress, WebhookStore } from '../webhooks.ts';
import { times } from './area.ts';
import { auditOf, T0, TENANT } from './stage.ts';

const WRITE = { audit: auditOf('x'), idempotency: null };
export const CLAIM_NODES = ['a', 'b', 'c'] as const;

type NodeStore = WebhookClaimStore & WebhookStore;

export interface ClaimStage {
  /** One store for each of `CLAIM_NODES`, on the same empty database. */
  readonly stores: readonly NodeStore[];
  /** Sets how long a node's lease is valid from now on; negative ends it. */
  lease(node: string, ms: number, isDraining: boolean): Promise<unknown>;
}

/** The cases' operations on a stage. */
function makeHelpers(stage: ClaimStage) {
  const { stores } = stage;
  return {
    stores,
    lease: (node: string, ms = 60_000, isDraining = false) => stage.lease(node, ms, isDraining),
    make: (count: number) =>
      times(count, (n) => {
        const id = `whk_${String(n).padStart(2, '0')}`;
        const fields = { mode: 'live', url: 'https://a.example/', description: '' } as const;
        const webhook = { id, tenant: TENANT, ...fields, types: [], secrets: [], createdAt: T0 };
        return stores[0]!.createWebhook({ webhook, webhooksMax: 99, ...WRITE });
      }),
    async claim(node: string) {
      const { served, share } = await stores[0]!.claimWebhooks(node);
      return { ids: served.map(({ id }) => id), share, served };
    },
  };
}

function progress(webhook: string, epoch: number): DeliveryProgress {
  const nothing = { cursor: 0, changed: [], settled: [], attempts: [] };
  return { webhook, epoch, ...nothing, failingSince: null, disable: null };
}

interface ClaimCase {
  readonly title: string;
  run(stage: ReturnType<typeof makeHelpers>): Promise<void>;
}

export const claimCases: readonly { title: string; run(stage: ClaimStage): Promise<void> }[] = (
  [
    {
      title: '[N11] parallel claims give each webhook to one node, and leave none over',
      async run({ stores, lease, make, claim }) {
        await make(20);
        for (const node of CLAIM_NODES) await lease(node);
        // If two reach for the same one, one skips it: its next claim gets more.
        await times(3, (i) => stores[i]!.claimWebhooks(CLAIM_NODES[i]!));
        await times(3, (i) => stores[i]!.claimWebhooks(CLAIM_NODES[i]!));
        const held = await Promise.all(CLAIM_NODES.map(claim));
        expect(held.map(({ share }) => share)).toEqual([7, 7, 7]);
        expect(held.flatMap(({ ids }) => ids)).toHaveLength(20);
        expect(new Set(held.flatMap(({ ids }) => ids)).size).toBe(20);
        for (const { ids } of held) expect(ids.length).toBeLessThanOrEqual(7);
      },
    },
    {
      title:
        '[N11] a node without a lease has nothing; the webhooks of a dead one go to the others',
      async run({ lease, make, claim }) {
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
      },
    },
    {
      title:
        '[N11] deliveries begun by the former node do not count once another serves the webhook',
      async run({ stores, lease, make, claim }) {
        await make(1);
        await lease('a');
        const [first] = (await claim('a')).served;
        expect(await stores[0]!.recordProgress(progress('whk_00', first!.epoch))).toBe(true);
        await lease('a', -1);
        await lease('b');
        const [second] = (await claim('b')).served;
        expect(await stores[0]!.recordProgress(progress('whk_00', first!.epoch))).toBe(false);
        expect(await stores[1]!.recordProgress(progress('whk_00', second!.epoch))).toBe(true);
        // Back at the first node, which does not know of the time between: its older lane is void
        // as well.
        await lease('b', -1);
        await lease('a');
        const [third] = (await claim('a')).served;
        expect(third!.epoch).toBeGreaterThan(second!.epoch);
        expect(await stores[0]!.recordProgress(progress('whk_00', first!.epoch))).toBe(false);
      },
    },
    {
      title: '[N11] a new node gets its share of what others release; a draining node takes none',
      async run({ stores, lease, make, claim }) {
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
      },
    },
    {
      title:
        '[N11][E2] a disabled webhook is served by nobody; every change by the tenant is noticed',
      async run({ stores, lease, make, claim }) {
        await make(1);
        await lease('a');
        const [first] = (await claim('a')).served;
        const update = (change: object) =>
          stores[1]!.updateWebhook({ id: 'whk_00', tenant: TENANT, ...change, ...WRITE });
        await update({ description: 'b' });
        const [second] = (await claim('a')).served;
        expect(second).toEqual({ ...first!, revision: first!.revision + 1 });
        // Deliveries to the previous address are void.
        await update({ url: 'https://b.example/' });
        const { epoch, revision } = second!;
        const [third] = (await claim('a')).served;
        expect(third).toEqual({ ...first!, epoch: epoch + 1, revision: revision + 1 });
        await update({ active: false });
        expect((await claim('a')).ids).toEqual([]);
        await update({ active: true });
        expect((await claim('a')).served[0]!.epoch).toBeGreaterThan(first!.epoch);
      },
    },
    {
      title: "[N11] a node's webhooks are read again when one of them has changed, and only then",
      async run({ stores, lease, make }) {
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
        // Another node's claims do not matter.
        await lease('b');
        await stores[0]!.claimWebhooks('b');
        expect(await told()).toEqual(third);
        await lease('a', -1);
        await stores[1]!.claimWebhooks('b');
        await lease('a');
        expect(await told()).toEqual([]);
      },
    },
  ] satisfies ClaimCase[]
).map(({ title, run }) => ({ title, run: (stage) => run(makeHelpers(stage)) }));
