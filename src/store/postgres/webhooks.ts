/** Webhooks in PostgreSQL: who is told of events, what is still to be delivered, what was tried. */

import { restNumber, toAttempt, toOutstanding, toWebhook } from '../rows/webhook-rows.ts';
import type {
  Attempt,
  DeliveryProgress,
  DisabledReason,
  NewWebhook,
  WebhookChange,
  WebhookStore,
  WebhookWrite,
} from '../webhooks.ts';
import { note } from './answer-rows.ts';
import type { Sql, Transactor, Tx } from './sql.ts';
import { takeTurn } from './turns.ts';

/** Attempts kept of each webhook: the latest. */
const ATTEMPTS_KEPT = 200;
/** Sorts after every id. */
const AFTER_ALL_IDS = '~';

export function makeWebhookStore(db: Sql & Transactor): WebhookStore {
  return {
    ...makeWebhookReads(db),
    createWebhook: (created) => db.transaction((tx) => create(tx, created)),
    updateWebhook: (change) => db.transaction((tx) => update(tx, change)),
    removeWebhook: (tenant, id, write) => db.transaction((tx) => remove(tx, tenant, id, write)),
    recordProgress: (progress) => db.transaction((tx) => recordProgress(tx, progress)),
    recordAttempt: (webhook, attempt) =>
      db.transaction(async (tx) => {
        const first = await numberAttempts(tx, webhook, 1);
        if (first !== null) await insertAttempts(tx, webhook, first, [attempt]);
      }),
    triggerEvent: (event, write) =>
      db.transaction(async (tx) => {
        tx.emit(event);
        await note(tx, write);
      }),
  };
}

function makeWebhookReads(db: Sql) {
  return {
    async findWebhook(tenant, id) {
      const row = await db.get('SELECT * FROM webhook WHERE id = $1 AND tenant = $2', id, tenant);
      return row === undefined ? null : toWebhook(row);
    },
    async listWebhooks({ tenant, mode, before, limit }) {
      const rows = await db.all(
        `SELECT * FROM webhook WHERE tenant = $1 AND mode = $2 AND id < $3
         ORDER BY id DESC LIMIT $4`,
        tenant,
        mode,
        before ?? AFTER_ALL_IDS,
        limit,
      );
      return rows.map(toWebhook);
    },
    async listActiveWebhooks(after, limit) {
      const rows = await db.all(
        'SELECT * FROM webhook WHERE disabled IS NULL AND id > $1 ORDER BY id LIMIT $2',
        after,
        limit,
      );
      return rows.map(toWebhook);
    },
    async listOutstanding(webhook) {
      const rows = await db.all(
        'SELECT * FROM webhook_outstanding WHERE webhook = $1 ORDER BY seq',
        webhook,
      );
      return rows.map(toOutstanding);
    },
    async listAttempts(webhook, before, limit) {
      const rows = await db.all(
        'SELECT * FROM webhook_attempt WHERE webhook = $1 AND n < $2 ORDER BY n DESC LIMIT $3',
        webhook,
        before ?? Number.MAX_SAFE_INTEGER,
        limit,
      );
      return rows.map(toAttempt);
    },
  } satisfies Partial<WebhookStore>;
}

async function create(tx: Tx, created: NewWebhook): Promise<'created' | 'full'> {
  const { id, tenant, mode, url, description, types, secrets, createdAt } = created.webhook;
  await takeTurn(tx, tenant, 'webhooks');
  const held = await tx.get('SELECT count(*) AS n FROM webhook WHERE tenant = $1', tenant);
  if (Number(held!['n']) >= created.webhooksMax) return 'full';
  await tx.run(
    `INSERT INTO webhook (id, tenant, mode, url, description, types, secrets, created_at, cursor,
       epoch) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, ${HEAD}, 0)`,
    id,
    tenant,
    mode,
    url,
    description,
    JSON.stringify(types),
    JSON.stringify(secrets),
    createdAt,
  );
  await note(tx, created);
  return 'created';
}

/** The last place in the log of tenant `$2` and mode `$3`: what begins now is sent what comes after. */
const HEAD = `coalesce((SELECT seq FROM event_head WHERE tenant = $2 AND mode = $3), 0)`;

async function update(tx: Tx, change: WebhookChange): Promise<boolean> {
  const { id, tenant, url, description, types, secrets, replaces, active } = change;
  const before = await tx.get(
    'SELECT url FROM webhook WHERE id = $1 AND tenant = $2 FOR UPDATE',
    id,
    tenant,
  );
  const row = await tx.get(
    `UPDATE webhook SET url = coalesce($3, url), description = coalesce($4, description),
       types = coalesce($5, types), secrets = coalesce($6, secrets), revision = revision + 1
     WHERE id = $1 AND tenant = $2 AND secrets = coalesce($7, secrets) RETURNING mode`,
    id,
    tenant,
    url ?? null,
    description ?? null,
    types === undefined ? null : JSON.stringify(types),
    secrets === undefined ? null : JSON.stringify(secrets),
    replaces === undefined ? null : JSON.stringify(replaces),
  );
  if (row === undefined) return false;
  if (url !== undefined && url !== before!['url']) await beginAfresh(tx, id);
  if (active === false) await disable(tx, id, 'paused');
  if (active === true) {
    await tx.run(
      `UPDATE webhook SET disabled = NULL, failing_since = NULL, cursor = ${HEAD}, epoch = epoch + 1
       WHERE id = $1 AND disabled IS NOT NULL`,
      id,
      tenant,
      row['mode'] as string,
    );
  }
  await note(tx, change);
  return true;
}

/** Nothing of what the address before answered counts for another. */
async function beginAfresh(tx: Tx, id: string): Promise<void> {
  await tx.run('UPDATE webhook SET failing_since = NULL, epoch = epoch + 1 WHERE id = $1', id);
  await tx.run(
    'UPDATE webhook_outstanding SET attempt = 0, next_at = 0, not_before = 0 WHERE webhook = $1',
    id,
  );
}

async function disable(tx: Tx, id: string, reason: DisabledReason): Promise<void> {
  const changed = await tx.run(
    `UPDATE webhook SET disabled = $2, epoch = epoch + 1
     WHERE id = $1 AND disabled IS NULL`,
    id,
    reason,
  );
  if (changed > 0) await tx.run('DELETE FROM webhook_outstanding WHERE webhook = $1', id);
}

async function remove(tx: Tx, tenant: string, id: string, write: WebhookWrite): Promise<boolean> {
  const removed = await tx.run('DELETE FROM webhook WHERE id = $1 AND tenant = $2', id, tenant);
  if (removed === 0) return false;
  await tx.run('DELETE FROM webhook_outstanding WHERE webhook = $1', id);
  await tx.run('DELETE FROM webhook_attempt WHERE webhook = $1', id);
  await note(tx, write);
  return true;
}

/** Its row is the lock. A node that another has taken the webhook over from has an older epoch. */
async function recordProgress(tx: Tx, progress: DeliveryProgress): Promise<boolean> {
  const { webhook, epoch, cursor, changed, settled, attempts, failingSince } = progress;
  const row = await tx.get(
    `UPDATE webhook SET cursor = greatest(cursor, $3), failing_since = $4, attempts = attempts + $5
     WHERE id = $1 AND epoch = $2 AND disabled IS NULL RETURNING attempts`,
    webhook,
    epoch,
    cursor,
    failingSince,
    attempts.length,
  );
  if (row === undefined) return false;
  if (settled.length > 0) {
    await tx.run(
      'DELETE FROM webhook_outstanding WHERE webhook = $1 AND seq = ANY($2::bigint[])',
      webhook,
      settled,
    );
  }
  if (changed.length > 0) {
    await tx.run(
      `INSERT INTO webhook_outstanding (webhook, seq, event, session, attempt, next_at, not_before,
         and_rest)
       SELECT $1, * FROM unnest($2::bigint[], $3::text[], $4::text[], $5::int[], $6::bigint[],
         $7::bigint[], $8::int[])
       ON CONFLICT (webhook, seq) DO UPDATE SET attempt = excluded.attempt,
         next_at = excluded.next_at, not_before = excluded.not_before, and_rest = excluded.and_rest`,
      webhook,
      changed.map(({ seq }) => seq),
      changed.map(({ id }) => id),
      changed.map(({ session }) => session),
      changed.map(({ attempt }) => attempt),
      changed.map(({ nextAt }) => nextAt),
      changed.map(({ notBefore }) => notBefore),
      changed.map(({ standsFor }) => restNumber(standsFor)),
    );
  }
  await insertAttempts(tx, webhook, Number(row['attempts']) - attempts.length + 1, attempts);
  if (progress.disable !== null) await disable(tx, webhook, progress.disable);
  return true;
}

/** The number of the first of so many more attempts; null for a webhook that is gone. */
async function numberAttempts(tx: Tx, webhook: string, count: number): Promise<number | null> {
  const row = await tx.get(
    'UPDATE webhook SET attempts = attempts + $2 WHERE id = $1 RETURNING attempts',
    webhook,
    count,
  );
  return row === undefined ? null : Number(row['attempts']) - count + 1;
}

async function insertAttempts(
  tx: Tx,
  webhook: string,
  first: number,
  attempts: readonly Attempt[],
): Promise<void> {
  if (attempts.length === 0) return;
  const last = first + attempts.length - 1;
  // Of more than are kept, the older would be removed at once.
  const kept = attempts.slice(-ATTEMPTS_KEPT);
  const column = <Name extends keyof Attempt>(name: Name) => kept.map((each) => each[name]);
  await tx.run(
    `INSERT INTO webhook_attempt (webhook, n, event, type, session, attempt, at, duration_ms, status,
       error, next_at)
     SELECT $1, * FROM unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::int[],
       $7::bigint[], $8::bigint[], $9::int[], $10::text[], $11::bigint[])`,
    webhook,
    kept.map((_, i) => last - kept.length + 1 + i),
    column('event'),
    column('type'),
    column('session'),
    column('attempt'),
    column('at'),
    column('durationMs'),
    column('status'),
    column('error'),
    column('nextAt'),
  );
  await tx.run(
    'DELETE FROM webhook_attempt WHERE webhook = $1 AND n <= $2',
    webhook,
    last - ATTEMPTS_KEPT,
  );
}
