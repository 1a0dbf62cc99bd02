/** Writes of webhooks: each runs inside the writer's transaction. */

import type { NewEvent } from '../../events/event.ts';
import type { Outstanding } from '../../webhooks/parcel.ts';
import { restNumber } from '../rows/webhook-rows.ts';
import type {
  Attempt,
  DeliveryProgress,
  DisabledReason,
  NewWebhook,
  WebhookChange,
  WebhookWrite,
} from '../webhooks.ts';
import { note } from './shared-rows.ts';
import type { Statements, WriterTools } from './statements.ts';

/** Attempts kept of each webhook: the latest. */
export const ATTEMPTS_KEPT = 200;

export type WebhookOp =
  | { readonly op: 'createWebhook'; readonly created: NewWebhook }
  | { readonly op: 'updateWebhook'; readonly change: WebhookChange }
  | {
      readonly op: 'removeWebhook';
      readonly tenant: string;
      readonly id: string;
      readonly write: WebhookWrite;
    }
  | { readonly op: 'webhookProgress'; readonly progress: DeliveryProgress }
  | { readonly op: 'webhookAttempt'; readonly webhook: string; readonly attempt: Attempt }
  | { readonly op: 'triggerEvent'; readonly event: NewEvent; readonly write: WebhookWrite };

export interface WebhookAnswers {
  createWebhook: 'created' | 'full';
  updateWebhook: boolean;
  removeWebhook: boolean;
  webhookProgress: boolean;
  webhookAttempt: null;
  triggerEvent: null;
}

const OP_NAMES: Readonly<Record<WebhookOp['op'], true>> = {
  createWebhook: true,
  updateWebhook: true,
  removeWebhook: true,
  webhookProgress: true,
  webhookAttempt: true,
  triggerEvent: true,
};

/** Is it one of these rather than another's? */
export function isWebhookOp<Op extends { readonly op: string }>(
  op: Op,
): op is Extract<Op, WebhookOp> {
  return Object.hasOwn(OP_NAMES, op.op);
}

export function performWebhookOp(sql: WriterTools, op: WebhookOp): WebhookAnswers[WebhookOp['op']] {
  switch (op.op) {
    case 'createWebhook':
      return create(sql, op.created);
    case 'updateWebhook':
      return update(sql, op.change);
    case 'removeWebhook':
      return remove(sql, op.tenant, op.id, op.write);
    case 'webhookProgress':
      return recordProgress(sql, op.progress);
    case 'webhookAttempt':
      recordAttempt(sql, op.webhook, op.attempt);
      return null;
    case 'triggerEvent':
      sql.emit(op.event);
      note(sql, op.write);
      return null;
  }
}

function create(sql: Statements, created: NewWebhook): 'created' | 'full' {
  const { id, tenant, mode, url, description, types, secrets, createdAt } = created.webhook;
  const row = sql.get('SELECT count(*) AS n FROM webhook WHERE tenant = ?', tenant);
  if (Number(row!['n']) >= created.webhooksMax) return 'full';
  sql.run(
    `INSERT INTO webhook (id, tenant, mode, url, description, types, secrets, disabled,
       failing_since, created_at, cursor, epoch)
     VALUES (?, ?, ?, ?, ?, ?, ?, NULL, NULL, ?, ?, 0)`,
    id,
    tenant,
    mode,
    url,
    description,
    JSON.stringify(types),
    JSON.stringify(secrets),
    createdAt,
    headOf(sql, tenant, mode),
  );
  note(sql, created);
  return 'created';
}

/** The last place in a world's log: a webhook that begins now is sent what comes after it. */
function headOf(sql: Statements, tenant: string, mode: string): number {
  const row = sql.get('SELECT seq FROM event_head WHERE tenant = ? AND mode = ?', tenant, mode);
  return Number(row?.['seq'] ?? 0);
}

function update(sql: Statements, change: WebhookChange): boolean {
  const { id, tenant, url, description, types, secrets, replaces, active } = change;
  const before = sql.get('SELECT url FROM webhook WHERE id = ?', id);
  const changed = sql.run(
    `UPDATE webhook SET url = coalesce(?, url), description = coalesce(?, description),
       types = coalesce(?, types), secrets = coalesce(?, secrets)
     WHERE id = ? AND tenant = ? AND secrets = coalesce(?, secrets)`,
    url ?? null,
    description ?? null,
    types === undefined ? null : JSON.stringify(types),
    secrets === undefined ? null : JSON.stringify(secrets),
    id,
    tenant,
    replaces === undefined ? null : JSON.stringify(replaces),
  );
  if (changed === 0) return false;
  if (url !== undefined && url !== before!['url']) beginAfresh(sql, id);
  if (active === false) disable(sql, id, 'paused');
  if (active === true) enable(sql, id);
  note(sql, change);
  return true;
}

/** Nothing of what the address before answered counts for another. */
function beginAfresh(sql: Statements, id: string): void {
  sql.run('UPDATE webhook SET failing_since = NULL, epoch = epoch + 1 WHERE id = ?', id);
  sql.run(
    'UPDATE webhook_outstanding SET attempt = 0, next_at = 0, not_before = 0 WHERE webhook = ?',
    id,
  );
}

function enable(sql: Statements, id: string): void {
  const row = sql.get('SELECT tenant, mode FROM webhook WHERE id = ?', id)!;
  sql.run(
    `UPDATE webhook SET disabled = NULL, failing_since = NULL, cursor = ?, epoch = epoch + 1
     WHERE id = ? AND disabled IS NOT NULL`,
    headOf(sql, String(row['tenant']), String(row['mode'])),
    id,
  );
}

function disable(sql: Statements, id: string, reason: DisabledReason): void {
  const changed = sql.run(
    'UPDATE webhook SET disabled = ?, epoch = epoch + 1 WHERE id = ? AND disabled IS NULL',
    reason,
    id,
  );
  if (changed > 0) sql.run('DELETE FROM webhook_outstanding WHERE webhook = ?', id);
}

function remove(sql: Statements, tenant: string, id: string, write: WebhookWrite): boolean {
  const removed = sql.run('DELETE FROM webhook WHERE id = ? AND tenant = ?', id, tenant);
  if (removed === 0) return false;
  sql.run('DELETE FROM webhook_outstanding WHERE webhook = ?', id);
  sql.run('DELETE FROM webhook_attempt WHERE webhook = ?', id);
  note(sql, write);
  return true;
}

function recordProgress(sql: Statements, progress: DeliveryProgress): boolean {
  const { webhook, epoch, cursor, changed, settled, attempts, failingSince } = progress;
  const moved = sql.run(
    `UPDATE webhook SET cursor = max(cursor, ?), failing_since = ?
     WHERE id = ? AND epoch = ? AND disabled IS NULL`,
    cursor,
    failingSince,
    webhook,
    epoch,
  );
  if (moved === 0) return false;
  for (const seq of settled) {
    sql.run('DELETE FROM webhook_outstanding WHERE webhook = ? AND seq = ?', webhook, seq);
  }
  for (const each of changed) keepOutstanding(sql, webhook, each);
  insertAttempts(sql, webhook, attempts);
  if (progress.disable !== null) disable(sql, webhook, progress.disable);
  return true;
}

function keepOutstanding(sql: Statements, webhook: string, each: Outstanding): void {
  sql.run(
    `INSERT INTO webhook_outstanding (webhook, seq, event, session, attempt, next_at, not_before,
       and_rest) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (webhook, seq) DO UPDATE SET attempt = excluded.attempt,
       next_at = excluded.next_at, not_before = excluded.not_before, and_rest = excluded.and_rest`,
    webhook,
    each.seq,
    each.id,
    each.session,
    each.attempt,
    each.nextAt,
    each.notBefore,
    restNumber(each.standsFor),
  );
}

/** Of a webhook that is gone nothing is kept. */
function recordAttempt(sql: Statements, webhook: string, attempt: Attempt): void {
  if (sql.get('SELECT id FROM webhook WHERE id = ?', webhook) === undefined) return;
  insertAttempts(sql, webhook, [attempt]);
}

function insertAttempts(sql: Statements, webhook: string, attempts: readonly Attempt[]): void {
  // Of more than are kept, the older would be removed at once.
  for (const each of attempts.slice(-ATTEMPTS_KEPT)) {
    sql.run(
      `INSERT INTO webhook_attempt (webhook, event, type, session, attempt, at, duration_ms, status,
         error, next_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      webhook,
      each.event,
      each.type,
      each.session,
      each.attempt,
      each.at,
      each.durationMs,
      each.status,
      each.error,
      each.nextAt,
    );
  }
  if (attempts.length === 0) return;
  sql.run(
    `DELETE FROM webhook_attempt WHERE webhook = ?1 AND n <= (SELECT n FROM webhook_attempt
       WHERE webhook = ?1 ORDER BY n DESC LIMIT 1 OFFSET ?2)`,
    webhook,
    ATTEMPTS_KEPT,
  );
}
