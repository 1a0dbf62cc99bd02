/** Which webhooks a node serves: those assigned to it, no more than its share. */

import { expect, test } from 'bun:test';
import type { ServedWebhook } from '../../store/cluster.ts';
import { makeManualClock } from '../../testing/manual-clock.ts';
import { makeServed } from './served.ts';

interface Fake {
  served: ServedWebhook[];
  share: number;
  error: Error | null;
}

/** In the store it is the node's. */
function give(fake: Fake, ...webhooks: readonly ServedWebhook[]): void {
  fake.served = [...fake.served, ...webhooks].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function webhookOf(id: string, fields: Partial<ServedWebhook> = {}): ServedWebhook {
  return { tenant: 't', id, epoch: 1, revision: 0, ...fields };
}

function open(fake: Fake) {
  const told: string[] = [];
  const drops = new Map<string, () => void>();
  const clock = makeManualClock(0);
  const served = makeServed({
    clock,
    claims: {
      async claim() {
        if (fake.error !== null) throw fake.error;
        return { served: fake.served, share: fake.share };
      },
      async release(ids) {
        if (fake.error !== null) throw fake.error;
        told.push(...ids.map((id) => `release ${id}`));
        fake.served = fake.served.filter(({ id }) => !ids.includes(id));
      },
      onError: (error) => told.push(String(error)),
    },
    take: async ({ id, epoch }) => void told.push(`take ${id} ${epoch}`),
    drop: (id) => {
      told.push(`drop ${id}`);
      return new Promise((resolve) => drops.set(id, resolve));
    },
  });
  const tick = async (): Promise<string[]> => {
    clock.advance(1_000);
    for (let i = 0; i < 10; i++) await Promise.resolve();
    return told.splice(0);
  };
  return { served, told, drops, tick };
}

test('[N11] a node takes an assigned webhook once, and again when it has changed', async () => {
  const fake: Fake = { served: [webhookOf('a'), webhookOf('b')], share: 2, error: null };
  const { served, told, tick } = open(fake);
  await served.start();
  expect(told.splice(0)).toEqual(['take a 1', 'take b 1']);
  expect([served.epochOf('a'), served.epochOf('c')]).toEqual([1, null]);
  expect(await tick()).toEqual([]);
  fake.served = [webhookOf('a', { epoch: 3 }), webhookOf('b', { revision: 1 })];
  expect(await tick()).toEqual(['take a 3', 'take b 1']);
});

test('[N11] a webhook it no longer serves is dropped at once, without waiting', async () => {
  const fake: Fake = { served: [webhookOf('a'), webhookOf('b')], share: 2, error: null };
  const { served, told, tick } = open(fake);
  await served.start();
  told.length = 0;
  fake.served = [webhookOf('b')];
  expect(await tick()).toEqual(['drop a']);
  expect(served.epochOf('a')).toBeNull();
  fake.served = [webhookOf('a', { epoch: 2 }), webhookOf('b')];
  expect(await tick()).toEqual(['take a 2']);
});

test('[N11] webhooks over its share are released when they have no requests in progress', async () => {
  const fake: Fake = { served: ['a', 'b', 'c'].map((id) => webhookOf(id)), share: 3, error: null };
  const { served, told, drops, tick } = open(fake);
  await served.start();
  told.length = 0;
  fake.share = 2;
  expect(await tick()).toEqual(['drop c']);
  // It is still the node's in the store, and is neither taken nor released again.
  expect(await tick()).toEqual([]);
  drops.get('c')!();
  expect(await tick()).toEqual(['release c']);
  expect(await tick()).toEqual([]);
  expect(served.epochOf('b')).toBe(1);
});

test('[N11][E2] an epoch is for one lane: a dropped webhook that is still assigned is released first', async () => {
  const fake: Fake = { served: [webhookOf('a')], share: 1, error: null };
  const { served, told, drops, tick } = open(fake);
  await served.start();
  told.length = 0;
  // Its lease was lost for a moment, and no other node took the webhook over meanwhile.
  fake.served = [];
  expect(await tick()).toEqual(['drop a']);
  give(fake, webhookOf('a'));
  expect(await tick()).toEqual([]);
  drops.get('a')!();
  expect(await tick()).toEqual(['release a']);
  expect(served.epochOf('a')).toBeNull();
  give(fake, webhookOf('a', { epoch: 2 }));
  expect(await tick()).toEqual(['take a 2']);
});

test('[N11][E2] a webhook whose lane ended by itself is released, later if necessary, and taken again', async () => {
  const fake: Fake = { served: [webhookOf('a'), webhookOf('b')], share: 2, error: null };
  const { served, told, drops, tick } = open(fake);
  await served.start();
  told.length = 0;
  fake.error = new Error('away');
  served.ended('a');
  expect(told.splice(0)).toEqual(['drop a']);
  drops.get('a')!();
  expect(await tick()).toEqual(['Error: away', 'Error: away']);
  expect([served.epochOf('a'), served.epochOf('b')]).toEqual([null, 1]);
  fake.error = null;
  expect(await tick()).toEqual(['release a']);
  give(fake, webhookOf('a', { epoch: 2 }));
  expect(await tick()).toEqual(['take a 2']);
  // Nothing is left of it to release.
  expect(await tick()).toEqual([]);
});

test('[N11] while the store is unavailable it keeps its webhooks; when it stops it leaves all to others', async () => {
  const fake: Fake = { served: [webhookOf('a'), webhookOf('b')], share: 2, error: null };
  const { served, told, tick } = open(fake);
  await served.start();
  told.length = 0;
  fake.error = new Error('away');
  expect(await tick()).toEqual(['Error: away']);
  expect(served.epochOf('a')).toBe(1);
  fake.error = null;
  await served.stop();
  expect(told.splice(0)).toEqual(['release a', 'release b']);
  fake.served = [webhookOf('a')];
  expect(await tick()).toEqual([]);
});
