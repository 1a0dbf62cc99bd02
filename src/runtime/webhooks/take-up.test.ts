/** Deliveries left by a previous process are resumed, however often the store fails first. */

import { expect, test } from 'bun:test';
import { setImmediate } from 'node:timers/promises';
import type { StoredEvent } from '../../events/event.ts';
import type { Webhook } from '../../store/webhooks.ts';
import { makeManualClock } from '../../testing/manual-clock.ts';
import { WEBHOOK } from '../../testing/webhooks/webhook-row.ts';
import { systemRandomness } from '../system.ts';
import { type DispatcherDeps, makeDispatcher } from './dispatcher.ts';

test('[E2] webhooks that could not be listed at the start are listed again', async () => {
  const clock = makeManualClock();
  const errors: unknown[] = [];
  let lists = 0;
  const store = {
    onEvents() {},
    async listActiveWebhooks() {
      lists += 1;
      if (lists < 3) throw new Error('the store is away');
      return [];
    },
  };
  const dispatcher = makeDispatcher({
    store,
    clock,
    randomness: systemRandomness,
    courier: {},
    onError: (_: unknown, error: unknown) => void errors.push(error),
  } as unknown as DispatcherDeps);
  await dispatcher.start();
  for (const wanted of [2, 3, 3]) {
    clock.advance(1_000);
    await setImmediate();
    expect(lists).toBe(wanted);
  }
  expect(errors).toHaveLength(2);
});

test('[E2] events waiting in the log are sent although its end could not be read at first', async () => {
  const clock = makeManualClock();
  const webhook: Webhook = WEBHOOK;
  const event: StoredEvent = {
    seq: 1,
    id: 'evt_1',
    tenant: 'ten_a',
    mode: 'live',
    type: 'session.started',
    session: null,
    at: 0,
    data: '{}',
  };
  let asked = 0;
  const sent: string[] = [];
  const store = {
    onEvents() {},
    listActiveWebhooks: async () => [webhook],
    findWebhook: async () => webhook,
    listOutstanding: async () => [],
    listAttempts: async () => [],
    async eventHead() {
      asked += 1;
      if (asked === 1) throw new Error('the store is away');
      return 1;
    },
    readEvents: async () => [event],
    findTenant: async () => ({ active: true, plan: 'pro', limits: {} }),
    recordProgress: async () => true,
  };
  const courier = {
    async deliver(_: unknown, { id }: StoredEvent) {
      sent.push(id);
      return { status: 204, retryAfter: null };
    },
  };
  const dispatcher = makeDispatcher({
    store,
    clock,
    randomness: systemRandomness,
    courier,
    onError() {},
  } as unknown as DispatcherDeps);
  await dispatcher.start();
  expect(sent).toEqual([]);
  for (let i = 0; i < 4; i++) {
    await setImmediate();
    clock.advance(1_000);
  }
  expect(sent).toEqual(['evt_1']);
});
