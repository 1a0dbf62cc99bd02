/** Webhooks and what is still to be delivered, as atomic steps. */

import type { NewEvent } from '../../src/events/event.ts';
import type { WebhookClaim } from '../../src/store/cluster.ts';
import type {
  Attempt,
  DeliveryProgress,
  DisabledReason,
  KeptAttempt,
  NewWebhook,
  Webhook,
  WebhookChange,
  WebhookFilter,
  WebhookWrite,
} from '../../src/store/webhooks.ts';
import type { Outstanding } from '../../src/webhooks/parcel.ts';
import { emit, eventHead } from './events.ts';
import { keep } from './players.ts';
import type { Tables, WebhookTableRow } from './tables.ts';

/** Attempts kept of each webhook: the latest. */
const ATTEMPTS_KEPT = 200;

function own(tables: Tables, tenant: string, id: string): WebhookTableRow | null {
  const row = tables.webhooks.get(id);
  return row?.webhook.tenant === tenant ? row : null;
}

function note(tables: Tables, { idempotency }: WebhookWrite): void {
  if (idempotency !== null) keep(tables, idempotency);
}

export function createWebhook(tables: Tables, created: NewWebhook): 'created' | 'full' {
  const { webhook } = created;
  const all = [...tables.webhooks.values()].filter((row) => row.webhook.tenant === webhook.tenant);
  if (all.length >= created.webhooksMax) return 'full';
  const cursor = eventHead(tables, webhook);
  tables.webhooks.set(webhook.id, {
    webhook: { ...webhook, disabled: null, failingSince: null, cursor, epoch: 0 },
    ...{ outstanding: new Map(), attempts: [], server: null, revision: 0 },
  });
  note(tables, created);
  return 'created';
}

export function updateWebhook(tables: Tables, change: WebhookChange): boolean {
  const row = own(tables, change.tenant, change.id);
  if (row === null) return false;
  const { url, description, types, secrets, replaces, active } = change;
  const isOther = JSON.stringify(replaces) !== JSON.stringify(row.webhook.secrets);
  if (replaces !== undefined && isOther) return false;
  const before = row.webhook.url;
  row.webhook = {
    ...row.webhook,
    ...(url === undefined ? null : { url }),
    ...(description === undefined ? null : { description }),
    ...(types === undefined ? null : { types }),
    ...(secrets === undefined ? null : { secrets }),
  };
  row.revision += 1;
  if (url !== undefined && url !== before) beginAfresh(row);
  if (active === false) disable(row, 'paused');
  if (active === true && row.webhook.disabled !== null) {
    const { webhook } = row;
    const on = { disabled: null, failingSince: null, epoch: webhook.epoch + 1 };
    row.webhook = { ...webhook, ...on, cursor: eventHead(tables, webhook) };
  }
  note(tables, change);
  return true;
}

/** Nothing of what the address before answered counts for another. */
function beginAfresh(row: WebhookTableRow): void {
  row.webhook = { ...row.webhook, failingSince: null, epoch: row.webhook.epoch + 1 };
  for (const [seq, each] of row.outstanding) {
    row.outstanding.set(seq, { ...each, attempt: 0, nextAt: 0, notBefore: 0 });
  }
}

function disable(row: WebhookTableRow, disabled: DisabledReason): void {
  if (row.webhook.disabled !== null) return;
  row.webhook = { ...row.webhook, disabled, epoch: row.webhook.epoch + 1 };
  row.outstanding.clear();
}

export function removeWebhook(
  tables: Tables,
  tenant: string,
  id: string,
  write: WebhookWrite,
): boolean {
  if (own(tables, tenant, id) === null) return false;
  tables.webhooks.delete(id);
  note(tables, write);
  return true;
}

export function findWebhook(tables: Tables, tenant: string, id: string): Webhook | null {
  return own(tables, tenant, id)?.webhook ?? null;
}

export function listWebhooks(tables: Tables, filter: WebhookFilter): readonly Webhook[] {
  return [...tables.webhooks.values()]
    .map(({ webhook }) => webhook)
    .filter(({ tenant, mode }) => tenant === filter.tenant && mode === filter.mode)
    .filter(({ id }) => filter.before === null || id < filter.before)
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, filter.limit);
}

export function listActiveWebhooks(
  tables: Tables,
  after: string,
  limit: number,
): readonly Webhook[] {
  return [...tables.webhooks.values()]
    .map(({ webhook }) => webhook)
    .filter(({ id, disabled }) => id > after && disabled === null)
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .slice(0, limit);
}

export function listOutstanding(tables: Tables, webhook: string): readonly Outstanding[] {
  const rows = tables.webhooks.get(webhook)?.outstanding.values() ?? [];
  return [...rows].sort((a, b) => a.seq - b.seq);
}

export function recordProgress(tables: Tables, progress: DeliveryProgress): boolean {
  const row = tables.webhooks.get(progress.webhook);
  if (row === undefined) return false;
  const { webhook } = row;
  if (webhook.epoch !== progress.epoch || webhook.disabled !== null) return false;
  const cursor = Math.max(webhook.cursor, progress.cursor);
  row.webhook = { ...webhook, cursor, failingSince: progress.failingSince };
  for (const seq of progress.settled) row.outstanding.delete(seq);
  for (const each of progress.changed) row.outstanding.set(each.seq, each);
  for (const attempt of progress.attempts) recordAttempt(tables, progress.webhook, attempt);
  if (progress.disable !== null) disable(row, progress.disable);
  return true;
}

export function recordAttempt(tables: Tables, webhook: string, attempt: Attempt): void {
  const row = tables.webhooks.get(webhook);
  if (row === undefined) return;
  const n = (row.attempts.at(-1)?.n ?? 0) + 1;
  row.attempts = [...row.attempts, { ...attempt, n }].slice(-ATTEMPTS_KEPT);
}

export function listAttempts(
  tables: Tables,
  webhook: string,
  before: number | null,
  limit: number,
): readonly KeptAttempt[] {
  const attempts = tables.webhooks.get(webhook)?.attempts ?? [];
  return attempts
    .filter(({ n }) => before === null || n < before)
    .reverse()
    .slice(0, limit);
}

export function triggerEvent(tables: Tables, event: NewEvent, write: WebhookWrite): void {
  emit(tables, [event]);
  note(tables, write);
}

/** What a node serves: what it has, and what is active and nobody's, up to its `part` of all. */
export function claimWebhooks(tables: Tables, node: string, part: number): WebhookClaim {
  if (!tables.isNodeValid(node)) return { served: [], share: 0 };
  const active = [...tables.webhooks.values()].filter(({ webhook }) => webhook.disabled === null);
  const share = Math.ceil(active.length * part);
  const held = active.filter(({ server }) => server === node);
  const free = active.filter(
    ({ server }) => server === null || (server !== node && !tables.isNodeValid(server)),
  );
  const taken = free.slice(0, Math.max(0, share - held.length));
  for (const row of taken) {
    row.server = node;
    row.webhook = { ...row.webhook, epoch: row.webhook.epoch + 1 };
  }
  const served = [...held, ...taken].map(({ webhook: { tenant, id, epoch }, revision }) => ({
    ...{ tenant, id, epoch, revision },
  }));
  return { served: served.sort((a, b) => (a.id < b.id ? -1 : 1)), share };
}

export function releaseWebhooks(tables: Tables, node: string, ids: readonly string[]): void {
  for (const id of ids) {
    const row = tables.webhooks.get(id);
    if (row?.server === node) row.server = null;
  }
}
