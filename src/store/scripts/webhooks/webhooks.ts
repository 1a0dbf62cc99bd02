/** Webhooks: endpoints, and test events that a tenant triggers. */

import type { NewEvent } from '../../../events/event.ts';
import { toAttempt, toOutstanding, toWebhook } from '../../rows/webhook-rows.ts';
import type { NewWebhook, WebhookChange, WebhookStore, WebhookWrite } from '../../webhooks.ts';
import { note } from '../shared/answers.ts';
import { AFTER_ALL_IDS, type Runner, type Sql, scriptOfOne, type Tx } from '../shared/script.ts';
import { takeTurn } from '../shared/turns.ts';
import { noteWebhookChange } from './webhook-claims.ts';
import { FORGET_RESPONSES, RECORD_ATTEMPT, RECORD_PROGRESS } from './webhook-progress.ts';

export function makeWebhookStore({ sql, write }: Runner): WebhookStore {
  return {
    ...makeReads(sql),
    createWebhook: (created) => write(CREATE, created),
    updateWebhook: (change) => write(UPDATE, change),
    removeWebhook: (tenant, id, noted) => write(REMOVE, { tenant, id, noted }),
    recordProgress: (progress) => write(RECORD_PROGRESS, progress),
    recordAttempt: (webhook, attempt) => write(RECORD_ATTEMPT, { webhook, attempt }),
    forgetResponses: (before, limit) => write(FORGET_RESPONSES, { before, limit }),
    triggerEvent: (event, noted) => write(TRIGGER, { event, noted }),
  };
}

// ── writes ─────────────────────────────────────────────────────────────────────────────────────

/** The last position in the event log: a new webhook is sent what comes after it. */
const HEAD = 'coalesce((SELECT seq FROM event_head WHERE tenant = :tenant AND mode = :mode), 0)';

const CREATE = scriptOfOne('createWebhook', async (tx, created: NewWebhook) => {
  const { id, tenant, mode, url, description, types, secrets, createdAt } = created.webhook;
  await takeTurn(tx, tenant, 'webhooks');
  const held = await tx.get('SELECT count(*) AS n FROM webhook WHERE tenant = :tenant', { tenant });
  if (Number(held!['n']) >= created.webhooksMax) return 'full';
  await tx.run(
    `INSERT INTO webhook (id, tenant, mode, url, description, types, secrets, created_at, cursor, epoch)
     VALUES (:id, :tenant, :mode, :url, :description, :types, :secrets, :created_at, ${HEAD}, 0)`,
    {
      id,
      tenant,
      mode,
      url,
      description,
      created_at: createdAt,
      types: JSON.stringify(types),
      secrets: JSON.stringify(secrets),
    },
  );
  await noteChange(tx, created);
  return 'created';
});

const UPDATE = scriptOfOne('updateWebhook', async (tx, change: WebhookChange) => {
  const { id, tenant, url, description, types, secrets, replaces, active } = change;
  const before = await tx.get(
    'SELECT mode, url, secrets FROM webhook WHERE id = :id AND tenant = :tenant FOR UPDATE',
    { id, tenant },
  );
  if (before === undefined) return false;
  if (replaces !== undefined && before['secrets'] !== JSON.stringify(replaces)) return false;
  await tx.run(
    `UPDATE webhook SET url = coalesce(:url, url), description = coalesce(:description, description),
       types = coalesce(:types, types), secrets = coalesce(:secrets, secrets), revision = revision + 1
     WHERE id = :id`,
    {
      id,
      url: url ?? null,
      description: description ?? null,
      types: types === undefined ? null : JSON.stringify(types),
      secrets: secrets === undefined ? null : JSON.stringify(secrets),
    },
  );
  if (url !== undefined && url !== before['url']) await resetDelivery(tx, id);
  if (active === false) await pause(tx, id);
  if (active === true) {
    await tx.run(
      `UPDATE webhook SET disabled = NULL, failing_since = NULL, cursor = ${HEAD}, epoch = epoch + 1
       WHERE id = :id AND disabled IS NOT NULL`,
      { id, tenant, mode: String(before['mode']) },
    );
  }
  await noteChange(tx, change);
  return true;
});

/** Results of the previous address do not count for the new one. */
async function resetDelivery(tx: Tx, id: string): Promise<void> {
  await tx.run('UPDATE webhook SET failing_since = NULL, epoch = epoch + 1 WHERE id = :id', { id });
  await tx.run(
    'UPDATE webhook_outstanding SET attempt = 0, next_at = 0, not_before = 0 WHERE webhook = :id',
    { id },
  );
}

async function pause(tx: Tx, id: string): Promise<void> {
  const changed = await tx.run(
    `UPDATE webhook SET disabled = 'paused', epoch = epoch + 1 WHERE id = :id AND disabled IS NULL`,
    { id },
  );
  if (changed > 0) await tx.run('DELETE FROM webhook_outstanding WHERE webhook = :id', { id });
}

interface OfWebhook {
  readonly tenant: string;
  readonly id: string;
  readonly noted: WebhookWrite;
}

const REMOVE = scriptOfOne('removeWebhook', async (tx, { tenant, id, noted }: OfWebhook) => {
  const removed = await tx.run('DELETE FROM webhook WHERE id = :id AND tenant = :tenant', {
    id,
    tenant,
  });
  if (removed === 0) return false;
  await tx.run('DELETE FROM webhook_outstanding WHERE webhook = :id', { id });
  await tx.run('DELETE FROM webhook_attempt WHERE webhook = :id', { id });
  await noteChange(tx, noted);
  return true;
});

async function noteChange(tx: Tx, noted: WebhookWrite): Promise<void> {
  await note(tx, noted);
  await noteWebhookChange(tx);
}

interface Trigger {
  readonly event: NewEvent;
  readonly noted: WebhookWrite;
}

const TRIGGER = scriptOfOne('triggerEvent', async (tx, { event, noted }: Trigger) => {
  tx.emit(event);
  await note(tx, noted);
});

export const WEBHOOK_SCRIPTS = [
  CREATE,
  UPDATE,
  REMOVE,
  TRIGGER,
  RECORD_PROGRESS,
  RECORD_ATTEMPT,
  FORGET_RESPONSES,
];

// ── reads ──────────────────────────────────────────────────────────────────────────────────────

function makeReads(sql: Sql) {
  return {
    async findWebhook(tenant, id) {
      const row = await sql.get('SELECT * FROM webhook WHERE id = :id AND tenant = :tenant', {
        id,
        tenant,
      });
      return row === undefined ? null : toWebhook(row);
    },
    async listWebhooks({ tenant, mode, before, limit }) {
      const rows = await sql.all(
        `SELECT * FROM webhook WHERE tenant = :tenant AND mode = :mode AND id < :before
         ORDER BY id DESC LIMIT :limit`,
        { tenant, mode, before: before ?? AFTER_ALL_IDS, limit },
      );
      return rows.map(toWebhook);
    },
    async listActiveWebhooks(after, limit) {
      const rows = await sql.all(
        'SELECT * FROM webhook WHERE disabled IS NULL AND id > :after ORDER BY id LIMIT :limit',
        { after, limit },
      );
      return rows.map(toWebhook);
    },
    async listOutstanding(webhook) {
      const rows = await sql.all(
        'SELECT * FROM webhook_outstanding WHERE webhook = :webhook ORDER BY seq',
        { webhook },
      );
      return rows.map(toOutstanding);
    },
    async listAttemptsOf(webhook, event) {
      // A webhook has few attempts, so its key finds them fast enough.
      const rows = await sql.all(
        'SELECT * FROM webhook_attempt WHERE webhook = :webhook AND event = :event ORDER BY n DESC',
        { webhook, event },
      );
      return rows.map(toAttempt);
    },
    async listAttempts(webhook, before, limit) {
      const rows = await sql.all(
        `SELECT * FROM webhook_attempt WHERE webhook = :webhook AND n < :before
         ORDER BY n DESC LIMIT :limit`,
        { webhook, before: before ?? Number.MAX_SAFE_INTEGER, limit },
      );
      return rows.map(toAttempt);
    },
  } satisfies Partial<WebhookStore>;
}
