/** A tenant with many dead and slow endpoints: its fast endpoint is not affected. */

// @alone: it measures times, which parallel tests would stretch.

import { expect, test } from 'bun:test';
import { holdBar } from '../../testing/time-bar.ts';
import {
  openReceiver,
  type Receiver,
  type ReceiverAnswer,
} from '../../testing/webhooks/webhook-receiver.ts';
import { eventually, openWebhookWorld } from '../../testing/webhooks/webhook-world.ts';

test('[E2] dead and slow endpoints do not delay another', async () => {
  const world = await openWebhookWorld();
  const receivers: Receiver[] = [];
  const receive = async (answer?: () => ReceiverAnswer): Promise<Receiver> => {
    const receiver = await openReceiver(answer);
    receivers.push(receiver);
    return receiver;
  };
  const { register, emit } = world;
  // More than the limit for a tenant's troubled endpoints, so that they queue.
  const dead = await Promise.all(Array.from({ length: 50 }, () => receive(() => 'hang')));
  const slow = await Promise.all(
    Array.from({ length: 50 }, () => receive(() => ({ status: 200, delayMs: 2_000 }))),
  );
  for (const { url } of [...dead, ...slow]) await register(url);
  for (let i = 0; i < 5; i++) await register('http://127.0.0.1:9/refused');
  const quick = await receive();
  await register(quick.url);
  await emit(Array.from({ length: 100 }, (_, i) => `ses_warm_${i}`));
  await eventually(() => quick.received.length === 100, 20_000);
  const waits: number[] = [];
  for (let i = 0; i < 50; i++) {
    const began = performance.now();
    const [id] = await emit([`ses_${i}`]);
    await eventually(() => quick.received.some((each) => each.id === id));
    waits.push(performance.now() - began);
  }
  waits.sort((a, b) => a - b);
  holdBar('wait for the quick one at p95, ms', waits[Math.floor(waits.length * 0.95)]!, 500);
  for (const { peak } of dead) expect(peak()).toBeLessThanOrEqual(1);
  await world.close();
  await Promise.all(receivers.map((receiver) => receiver.close()));
}, 60_000);
