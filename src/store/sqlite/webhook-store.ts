/** Webhooks in SQLite: the calls of the port, reads beside the writer. */

import { toAttempt, toOutstanding, toWebhook } from '../rows/webhook-rows.ts';
import type { WebhookStore } from '../webhooks.ts';
import type { GroupCommit } from './group-commit.ts';
import type { Prepare } from './rows.ts';

export type WebhookReads = Pick<
  WebhookStore,
  'findWebhook' | 'listWebhooks' | 'listActiveWebhooks' | 'listOutstanding' | 'listAttempts'
>;

export function makeWebhookReads(all: Prepare): WebhookReads {
  const one = all('SELECT * FROM webhook WHERE id = ? AND tenant = ?');
  const page = all(
    `SELECT * FROM webhook WHERE tenant = ? AND mode = ? AND id < ? ORDER BY id DESC LIMIT ?`,
  );
  const active = all('SELECT * FROM webhook WHERE disabled IS NULL AND id > ? ORDER BY id LIMIT ?');
  const outstanding = all(
    `SELECT seq, event, session, attempt, next_at, not_before, and_rest FROM webhook_outstanding
     WHERE webhook = ? ORDER BY seq`,
  );
  const attempts = all(
    'SELECT * FROM webhook_attempt WHERE webhook = ? AND n < ? ORDER BY n DESC LIMIT ?',
  );
  return {
    async findWebhook(tenant, id) {
      const [found] = one(id, tenant);
      return found === undefined ? null : toWebhook(found);
    },
    listWebhooks: async ({ tenant, mode, before, limit }) =>
      page(tenant, mode, before ?? AFTER_ALL_IDS, limit).map(toWebhook),
    listActiveWebhooks: async (after, limit) => active(after, limit).map(toWebhook),
    listOutstanding: async (webhook) => outstanding(webhook).map(toOutstanding),
    listAttempts: async (webhook, before, limit) =>
      attempts(webhook, before ?? Number.MAX_SAFE_INTEGER, limit).map(toAttempt),
  };
}

/** Sorts after every id. */
const AFTER_ALL_IDS = '~';

export function makeWebhookStore(writer: GroupCommit, reads: WebhookReads): WebhookStore {
  return {
    ...reads,
    createWebhook: (created) => writer.perform<'createWebhook'>({ op: 'createWebhook', created }),
    updateWebhook: (change) => writer.perform<'updateWebhook'>({ op: 'updateWebhook', change }),
    removeWebhook: (tenant, id, write) =>
      writer.perform<'removeWebhook'>({ op: 'removeWebhook', tenant, id, write }),
    recordProgress: (progress) =>
      writer.perform<'webhookProgress'>({ op: 'webhookProgress', progress }),
    async recordAttempt(webhook, attempt) {
      await writer.perform<'webhookAttempt'>({ op: 'webhookAttempt', webhook, attempt });
    },
    async triggerEvent(event, write) {
      await writer.perform<'triggerEvent'>({ op: 'triggerEvent', event, write });
    },
  };
}
