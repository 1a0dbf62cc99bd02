/** Results of webhook deliveries: positions in the log, outstanding events, attempts. */

import { restNumber } from '../../rows/webhook-rows.ts';
import type { Attempt, DeliveryProgress } from '../../webhooks.ts';
import { type Script, scriptOfOne, type Tx } from '../shared/script.ts';
import { noteWebhookChange } from './webhook-claims.ts';

/** How many of the latest attempts of each webhook are kept. */
const ATTEMPTS_KEPT = 200;

// ── progress ───────────────────────────────────────────────────────────────────────────────────

export const RECORD_PROGRESS: Script<DeliveryProgress, boolean> = {
  name: 'recordProgress',
  async act(tx, asks) {
    const recorded = new Set<DeliveryProgress>();
    for (const round of roundsOf(asks)) {
      for (const ask of await record(tx, round)) recorded.add(ask);
    }
    const isAnyEnded = [...recorded].some(({ disable }) => disable !== null);
    if (isAnyEnded) await noteWebhookChange(tx);
    return asks.map((ask) => recorded.has(ask));
  },
};

/** A statement updates a row once, so the asks for one webhook are in different rounds. */
function roundsOf(asks: readonly DeliveryProgress[]): readonly DeliveryProgress[][] {
  const rounds: DeliveryProgress[][] = [];
  for (const ofWebhook of Map.groupBy(asks, ({ webhook }) => webhook).values()) {
    for (const [i, ask] of ofWebhook.entries()) {
      rounds[i] ??= [];
      rounds[i].push(ask);
    }
  }
  return rounds;
}

/** The webhook's row is the lock. A node that lost the webhook has an older epoch. */
const LOCK = `SELECT id, epoch, attempts FROM webhook WHERE id IN :ids(text) AND disabled IS NULL
  ORDER BY id FOR UPDATE`;

const ADVANCE = `UPDATE webhook SET failing_since = given.failing_since, attempts = given.made,
    cursor = CASE WHEN webhook.cursor < given.cursor THEN given.cursor ELSE webhook.cursor END,
    disabled = given.disable,
    epoch = webhook.epoch + CASE WHEN given.disable IS NULL THEN 0 ELSE 1 END
  FROM @given(webhook text, cursor bigint, failing_since bigint, made bigint, disable text)
  WHERE webhook.id = given.webhook`;

/** Returns those that were recorded. */
async function record(
  tx: Tx,
  asks: readonly DeliveryProgress[],
): Promise<readonly DeliveryProgress[]> {
  const rows = await tx.all(LOCK, { ids: asks.map(({ webhook }) => webhook) });
  const locked = new Map(rows.map((row) => [row['id'], row]));
  const valid = asks.filter(
    ({ webhook, epoch }) => Number(locked.get(webhook)?.['epoch']) === epoch,
  );
  if (valid.length === 0) return valid;
  const numbered = valid.map((ask) => {
    const made = Number(locked.get(ask.webhook)!['attempts']) + ask.attempts.length;
    return { ...ask, made };
  });
  await tx.run(ADVANCE, { given: numbered });
  const { going = [], ended = [] } = Object.groupBy(valid, ({ disable }) =>
    disable === null ? 'going' : 'ended',
  );
  await writeOutstanding(tx, going);
  await dropOutstanding(tx, ended);
  await addAttempts(tx, numbered);
  return valid;
}

// `webhook IN :ids`: without it, PostgreSQL without statistics would scan the table.
const SETTLE = `DELETE FROM webhook_outstanding WHERE webhook IN :ids(text)
  AND (webhook, seq) IN (SELECT webhook, seq FROM @given(webhook text, seq bigint))`;

const KEEP = `INSERT INTO webhook_outstanding (webhook, seq, event, session, attempt, next_at, not_before,
    and_rest)
  SELECT webhook, seq, id, session, attempt, next_at, not_before, and_rest
    FROM @given(webhook text, seq bigint, id text, session text, attempt int, next_at bigint,
      not_before bigint, and_rest int)
   WHERE TRUE
  ON CONFLICT (webhook, seq) DO UPDATE SET attempt = excluded.attempt, next_at = excluded.next_at,
    not_before = excluded.not_before, and_rest = excluded.and_rest`;

async function writeOutstanding(tx: Tx, asks: readonly DeliveryProgress[]): Promise<void> {
  const settled = asks.flatMap(({ webhook, settled }) => settled.map((seq) => ({ webhook, seq })));
  if (settled.length > 0)
    await tx.run(SETTLE, { ids: settled.map(({ webhook }) => webhook), given: settled });
  const changed = asks.flatMap(({ webhook, changed }) =>
    changed.map((each) => ({ ...each, webhook, andRest: restNumber(each.standsFor) })),
  );
  if (changed.length > 0) await tx.run(KEEP, { given: changed });
}

async function dropOutstanding(tx: Tx, ended: readonly DeliveryProgress[]): Promise<void> {
  if (ended.length === 0) return;
  await tx.run('DELETE FROM webhook_outstanding WHERE webhook IN :ids(text)', {
    ids: ended.map(({ webhook }) => webhook),
  });
}

// ── attempts ───────────────────────────────────────────────────────────────────────────────────

interface NewAttempts {
  readonly webhook: string;
  readonly attempts: readonly Attempt[];
  /** How many the webhook has made, including these. */
  readonly made: number;
}

const ADD = `INSERT INTO webhook_attempt (webhook, n, event, type, session, attempt, at, duration_ms, status,
    error, next_at, response)
  SELECT webhook, n, event, type, session, attempt, at, duration_ms, status, error, next_at, response
    FROM @given(webhook text, n bigint, event text, type text, session text, attempt int, at bigint,
      duration_ms bigint, status int, error text, next_at bigint, response text)`;

const TRIM = `DELETE FROM webhook_attempt WHERE webhook IN :ids(text) AND (webhook, n) IN (
  SELECT old.webhook, old.n FROM @given(webhook text, last bigint)
    JOIN webhook_attempt AS old ON old.webhook = given.webhook AND old.n <= given.last
   WHERE old.webhook IN :ids(text))`;

async function addAttempts(tx: Tx, all: readonly NewAttempts[]): Promise<void> {
  const added = all.flatMap(({ webhook, attempts, made }) => {
    // Older ones would be removed immediately.
    const kept = attempts.slice(-ATTEMPTS_KEPT);
    return kept.map((each, i) => ({ ...each, webhook, n: made - kept.length + 1 + i }));
  });
  if (added.length === 0) return;
  await tx.run(ADD, { given: added });
  const full = all.filter(({ attempts, made }) => attempts.length > 0 && made > ATTEMPTS_KEPT);
  if (full.length === 0) return;
  await tx.run(TRIM, {
    ids: full.map(({ webhook }) => webhook),
    given: full.map(({ webhook, made }) => ({ webhook, last: made - ATTEMPTS_KEPT })),
  });
}

interface Forgetting {
  readonly before: number;
  readonly limit: number;
}

export const FORGET_RESPONSES = scriptOfOne(
  'forgetResponses',
  (tx, { before, limit }: Forgetting) =>
    tx.run(
      `UPDATE webhook_attempt SET response = NULL WHERE (webhook, n) IN (
         SELECT webhook, n FROM webhook_attempt WHERE response IS NOT NULL AND at < :before
          ORDER BY at LIMIT :limit)`,
      { before, limit },
    ),
);

interface OneAttempt {
  readonly webhook: string;
  readonly attempt: Attempt;
}

export const RECORD_ATTEMPT = scriptOfOne(
  'recordAttempt',
  async (tx, { webhook, attempt }: OneAttempt) => {
    const row = await tx.get(
      'UPDATE webhook SET attempts = attempts + 1 WHERE id = :webhook RETURNING attempts',
      { webhook },
    );
    // Nothing is stored for a webhook that is gone.
    if (row === undefined) return;
    await addAttempts(tx, [{ webhook, attempts: [attempt], made: Number(row['attempts']) }]);
  },
);
