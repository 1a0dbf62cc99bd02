/** Deliveries to real endpoints in tests: all is closed after each test. */

import { afterEach } from 'bun:test';
import { openReceiver, type Receiver, type ReceiverAnswer } from './webhook-receiver.ts';
import { openWebhookWorld, type WebhookWorld } from './webhook-world.ts';

export function useWebhookWorld() {
  /** The one that is open: a restart replaces it. */
  let current: WebhookWorld | null = null;
  const receivers: Receiver[] = [];
  afterEach(async () => {
    await current?.close();
    current = null;
    await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
  });
  const track = (world: WebhookWorld): WebhookWorld => {
    current = { ...world, restart: async (next) => track(await world.restart(next)) };
    return current;
  };
  return {
    open: async (change: Parameters<typeof openWebhookWorld>[0] = {}): Promise<WebhookWorld> =>
      track(await openWebhookWorld(change)),
    async receive(answer?: () => ReceiverAnswer): Promise<Receiver> {
      const receiver = await openReceiver(answer);
      receivers.push(receiver);
      return receiver;
    },
  };
}

/** Ids in the order in which they first came. */
export const idsAt = (receiver: Receiver): string[] => [
  ...new Set(receiver.received.map(({ id }) => id)),
];
