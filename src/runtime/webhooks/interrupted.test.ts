/** Deliveries across a restart, a store that cannot write, and a removal. */

import { expect, test } from 'bun:test';
import { idsAt, useWebhookWorld } from '../../testing/webhooks/use-webhook-world.ts';
import type { ReceiverAnswer } from '../../testing/webhooks/webhook-receiver.ts';
import { eventually } from '../../testing/webhooks/webhook-world.ts';

const { open, receive } = useWebhookWorld();

test('[E2] an endpoint that recovers after our restart is sent its postponed events at once', async () => {
  const first = await open();
  const receiver = await receive(() => ({ status: 500 }));
  const webhook = await first.register(receiver.url);
  const { epoch } = webhook;
  const ids = await first.emit(Array.from({ length: 6 }, (_, i) => `ses_${i}`));
  await eventually(() => receiver.received.length >= 5);
  await eventually(async () => (await first.store.listOutstanding(webhook.id)).length >= 5);
  // As after some hours of failures: the next attempts are far ahead.
  await first.stop(0);
  const rows = await first.store.listOutstanding(webhook.id);
  const nextAt = Date.now() + 6 * 3_600_000;
  await first.store.recordProgress({
    webhook: webhook.id,
    epoch,
    cursor: 6,
    settled: [],
    attempts: [],
    disable: null,
    changed: rows.map((row) => ({ ...row, attempt: 6, nextAt })),
    failingSince: Date.now() - 3_600_000,
  });
  receiver.answer(() => ({ status: 200 }));
  receiver.received.length = 0;
  const { emit } = await first.restart();
  const [fresh] = await emit(['ses_0']);
  const [other] = await emit(['ses_new']);
  await eventually(() => idsAt(receiver).includes(other!));
  // It is back: waiting events are sent, and those queued behind them.
  await eventually(
    () => idsAt(receiver).includes(ids[0]!) && idsAt(receiver).includes(fresh!),
    5_000,
  );
}, 20_000);

/**
 * How often an endpoint gets requests in 2.5 s with one event, while the result cannot be written.
 */
async function countUnkept(answer?: () => ReceiverAnswer): Promise<number> {
  const { store, register, emit } = await open();
  const receiver = await receive(answer);
  await register(receiver.url);
  const { recordProgress } = store;
  (store as { recordProgress: unknown }).recordProgress = () =>
    Promise.reject(new Error('database or disk is full'));
  await emit(['ses_a']);
  await Bun.sleep(2_500);
  (store as { recordProgress: unknown }).recordProgress = recordProgress;
  return receiver.received.length;
}

test('[E2] while progress cannot be stored an endpoint is not sent the same event repeatedly', async () => {
  expect(await countUnkept()).toBe(1);
}, 30_000);

test('[E2] while progress cannot be stored the gaps between retries grow', async () => {
  // The first retry is due after 10 s.
  expect(await countUnkept(() => ({ status: 500 }))).toBe(1);
}, 30_000);

test('[E2] a test in progress as its webhook is deleted leaves nothing behind', async () => {
  const { service, register, store } = await open();
  const receiver = await receive(() => ({ status: 204, delayMs: 500 }));
  const webhook = await register(receiver.url);
  const testing = service.test(webhook);
  await eventually(() => receiver.received.length === 1);
  await service.remove({ tenant: webhook.tenant, actor: 'key:x' }, webhook.id, null);
  await testing;
  expect(await store.listAttempts(webhook.id, null, 10)).toEqual([]);
});
