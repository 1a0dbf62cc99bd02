/** Webhooks on a real store, with real requests and real time, without the HTTP side. */

import type { EventType, NewEvent } from '../../events/event.ts';
import { makeEventFeed } from '../../runtime/events/event-feed.ts';
import { makeIds } from '../../runtime/ids.ts';
import type { Clock } from '../../runtime/ports.ts';
import { makeSystemClock, systemRandomness } from '../../runtime/system.ts';
import { resolveBySystem } from '../../runtime/webhooks/sending/sender.ts';
import {
  makeWebhooks,
  type WebhookParts,
  type WebhookPartsDeps,
} from '../../runtime/webhooks/start.ts';
import type { WebhookSetting } from '../../runtime/webhooks/webhook-service.ts';
import { type MemoryDatabase, openMemoryDatabase } from '../../store/sqlite/memory-store.ts';
import type { StoredAttempt, Webhook } from '../../store/webhooks.ts';
import type { Store } from '../../store/whole-store.ts';
import type { Tenant } from '../../tenancy/tenant.ts';

export const WEBHOOK_TENANT = 'ten_hooks';
const ASKER = { tenant: WEBHOOK_TENANT, actor: 'key:key_hooks' };
const AUDIT = { tenant: WEBHOOK_TENANT, actor: 'cli', act: 'test', object: '', at: 0 };
const WEBHOOKS_MAX = 1_000;

export interface WebhookWorld extends WebhookParts {
  readonly store: Store;
  /** Errors on our own side. */
  readonly errors: unknown[];
  register(url: string, setting?: Partial<WebhookSetting>): Promise<Webhook>;
  /** Writes events of those sessions, all at once; returns their ids in order. */
  emit(sessions: readonly (string | null)[], type?: EventType): Promise<string[]>;
  find(webhook: Webhook): Promise<Webhook>;
  attempts(webhook: Webhook): Promise<readonly StoredAttempt[]>;
  /** Ends the service without a shutdown, and starts it again on the same file. */
  restart(change?: Partial<WebhookPartsDeps>): Promise<WebhookWorld>;
  close(): Promise<void>;
}

export async function openWebhookWorld(
  change: Partial<WebhookPartsDeps> = {},
  database: MemoryDatabase = openMemoryDatabase(),
): Promise<WebhookWorld> {
  const store = database.open();
  const clock = makeSystemClock();
  const makeId = makeIds(clock, systemRandomness);
  const errors: unknown[] = [];
  const { present, seqOf } = makeEventFeed(store);
  const parts = makeWebhooks({
    store,
    clock,
    randomness: systemRandomness,
    makeId,
    policy: { allowLocal: true },
    resolve: resolveBySystem,
    present,
    seqOf,
    onError: (_, error) => errors.push(error),
    ...change,
  });
  if ((await store.findTenant(WEBHOOK_TENANT)) === null) await store.createTenant(TENANT, AUDIT);
  await parts.start();
  const end = async (): Promise<void> => {
    await parts.stop(0);
    await store.close();
  };
  return {
    ...parts,
    store,
    errors,
    async register(url, setting = {}) {
      const full = { mode: 'live', types: [], description: '', ...setting, url } as const;
      const made = await parts.service.create(ASKER, full, WEBHOOKS_MAX, null);
      return made!;
    },
    async emit(sessions, type = 'session.started') {
      const events = sessions.map(
        (session): NewEvent => ({
          id: makeId('evt'),
          tenant: WEBHOOK_TENANT,
          mode: 'live',
          type,
          session,
          at: clock.now(),
          data: '{}',
        }),
      );
      const write = { audit: AUDIT, idempotency: null };
      await Promise.all(events.map((event) => store.triggerEvent(event, write)));
      return events.map(({ id }) => id);
    },
    find: async ({ id }) => (await store.findWebhook(WEBHOOK_TENANT, id))!,
    attempts: ({ id }) => store.listAttempts(id, null, 1_000),
    async restart(next = {}) {
      await end();
      return openWebhookWorld({ ...change, ...next }, database);
    },
    async close() {
      await end();
      database.close();
    },
  };
}

const TENANT: Tenant = {
  id: WEBHOOK_TENANT,
  slug: 'hooks',
  name: 'Hooks',
  plan: 'enterprise',
  active: true,
  limits: {},
  createdAt: 0,
};

/** The machine's clock, ahead of the real time. */
export function makeClockAhead(ms: number): Clock {
  const clock = makeSystemClock();
  return { now: () => clock.now() + ms, after: clock.after };
}

/** Waits until a condition is true; throws on timeout. */
export async function eventually(
  holds: () => boolean | Promise<boolean>,
  withinMs = 10_000,
): Promise<void> {
  const end = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`not within ${withinMs} ms: ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
