/** How a SQLite file of an older matchd reaches the schema of `tables.ts`. Never changed. */
// @table

import { SINGLE_PROCESS } from '../shared/single-process.ts';
import { inSqlite } from './dialects.ts';
import { type History, MIGRATIONS, ONE_SCHEMA } from './migrations.ts';
import { rebuilt } from './rebuilt.ts';

/** What the version of 25 November 2026 had applied. */
const BEFORE = [
  '0001-ground',
  '0002-events',
  '0003-tickets',
  '0004-queue',
  '0005-bots',
  '0006-integrity',
  '0007-webhooks',
  '0008-dashboard',
  '0009-pool-places',
  '0010-session-game',
  '0011-session-open-game',
  '0012-held-findings',
  '0013-webhook-rest',
  '0014-ticket-list',
  '0015-census',
  '0016-session-metadata',
  '0017-usage-by-key',
  '0018-player-checks',
  '0019-former-seats',
  '0020-tenant-removal',
  '0021-bot-worlds',
  '0022-key-scopes',
  '0023-integrity-worlds',
  '0024-session-seals',
  '0025-audit-macs',
  '0026-player-worlds',
  '0027-passkeys',
  '0028-key-watch',
  '0029-anchor-events',
];

const STEPS: History['steps'] = [
  {
    name: '0030-real-wake-times',
    // `wake_at` excluded outages (rule P6); from here on it is clock time. Outages overlap where
    // two processes noticed them, and end in the future where a clock was ahead.
    sql: [
      `UPDATE session SET wake_at = wake_at + (
        SELECT coalesce(sum(max(0, min(to_at, now) - max(from_at, coalesce(known_to, 0)))), 0) FROM (
          SELECT from_at, to_at, CAST(unixepoch('subsec') * 1000 AS INTEGER) AS now, max(to_at)
            OVER (ORDER BY from_at ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS known_to
            FROM downtime))
        WHERE wake_at IS NOT NULL`,
      'DROP TABLE downtime',
    ],
  },
  {
    name: '0031-audit-heads',
    // The newest row of each chain, as in PostgreSQL.
    sql: [
      `CREATE TABLE audit_head (
        tenant TEXT PRIMARY KEY, n INTEGER NOT NULL, hash TEXT NOT NULL, mac TEXT
      ) STRICT, WITHOUT ROWID`,
      `INSERT INTO audit_head (tenant, n, hash, mac)
       SELECT tenant, n, hash, mac FROM audit AS newest
        WHERE n = (SELECT max(n) FROM audit WHERE tenant = newest.tenant)`,
    ],
  },
  {
    name: '0034-webhook-attempts',
    // As in PostgreSQL: `attempts` counts all attempts of a webhook and numbers the next one;
    // `revision` rises with every change by the tenant.
    sql: [
      'ALTER TABLE webhook ADD COLUMN revision INTEGER NOT NULL DEFAULT 0',
      'ALTER TABLE webhook ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0',
      'ALTER TABLE webhook_attempt RENAME TO webhook_attempt_before',
      `CREATE TABLE webhook_attempt (
        webhook TEXT NOT NULL, n INTEGER NOT NULL, event TEXT NOT NULL, type TEXT NOT NULL,
        session TEXT, attempt INTEGER NOT NULL, at INTEGER NOT NULL, duration_ms INTEGER NOT NULL,
        status INTEGER, error TEXT, next_at INTEGER, PRIMARY KEY (webhook, n)
      ) STRICT, WITHOUT ROWID`,
      // Numbers used to be shared by all webhooks. From here on each webhook's own numbers have no
      // gaps.
      `INSERT INTO webhook_attempt (webhook, n, event, type, session, attempt, at, duration_ms, status, error,
         next_at)
       SELECT webhook, row_number() OVER (PARTITION BY webhook ORDER BY n), event, type, session, attempt, at,
         duration_ms, status, error, next_at FROM webhook_attempt_before`,
      'DROP TABLE webhook_attempt_before',
      `UPDATE webhook SET attempts =
         (SELECT count(*) FROM webhook_attempt WHERE webhook_attempt.webhook = webhook.id)`,
    ],
  },
  {
    name: '0036-pool-counters',
    // Each pool counts its positions, as in PostgreSQL. The partial index needs the condition
    // `forming` exactly as written; of the two that could list a pool, only the one without ended
    // groups can be used now.
    sql: [
      `INSERT INTO counter (tenant, name, n)
       SELECT tenant, 'pool:' || mode || ':' || game, max(pool_place) FROM ticket
        WHERE pool_place IS NOT NULL GROUP BY tenant, mode, game`,
      'DROP INDEX ticket_player_forming',
      `CREATE UNIQUE INDEX ticket_player_forming ON ticket_player (player, mode, game)
         WHERE forming`,
      'DROP INDEX ticket_place',
      `CREATE UNIQUE INDEX ticket_place ON ticket (pool_place, tenant, mode, game)
         WHERE pool_place IS NOT NULL`,
    ],
  },
  {
    name: '0038-unindexed-metadata',
    // SQLite uses a partial index only if the query has `NOT metadata_indexed` exactly as written,
    // as PostgreSQL does.
    sql: [
      'DROP INDEX session_unindexed',
      `CREATE INDEX session_unindexed ON session (id)
         WHERE metadata IS NOT NULL AND NOT metadata_indexed`,
    ],
  },
  {
    name: '0039-nodes',
    // What nodes share, as in PostgreSQL. `holder` is the owner of a session; null while it sleeps
    // and after its end. The process that serves from a file owns sessions under a name that is no
    // node and has no lease.
    sql: [
      'ALTER TABLE session ADD COLUMN holder TEXT',
      'ALTER TABLE session ADD COLUMN due_node TEXT',
      `UPDATE session SET holder = '${SINGLE_PROCESS}' WHERE awake = 1`,
      'DROP INDEX session_awake',
      'ALTER TABLE session DROP COLUMN awake',
      'CREATE INDEX session_held ON session (holder, id) WHERE holder IS NOT NULL',
      'ALTER TABLE node RENAME TO node_before',
      `CREATE TABLE node (
        id TEXT PRIMARY KEY, name TEXT NOT NULL DEFAULT '', lease_until INTEGER NOT NULL DEFAULT 0,
        alive_at INTEGER NOT NULL DEFAULT 0, draining INTEGER NOT NULL DEFAULT 0,
        keys_audit INTEGER NOT NULL DEFAULT 0
      ) STRICT, WITHOUT ROWID`,
      'INSERT INTO node (id, alive_at) SELECT id, alive_at FROM node_before',
      'DROP TABLE node_before',
      `CREATE TABLE mail (
        to_node TEXT NOT NULL, from_node TEXT NOT NULL, n INTEGER NOT NULL, at INTEGER NOT NULL,
        body TEXT NOT NULL, PRIMARY KEY (to_node, from_node, n)
      ) STRICT, WITHOUT ROWID`,
      `CREATE TABLE token_window (
        key TEXT NOT NULL, ends_at INTEGER NOT NULL, used INTEGER NOT NULL, granted INTEGER NOT NULL,
        PRIMARY KEY (key, ends_at)
      ) STRICT, WITHOUT ROWID`,
      'CREATE INDEX token_window_end ON token_window (ends_at)',
      `CREATE TABLE place_lease (
        key TEXT NOT NULL, node TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (key, node)
      ) STRICT, WITHOUT ROWID`,
      'CREATE INDEX place_lease_node ON place_lease (node)',
      'CREATE TABLE place_head (key TEXT PRIMARY KEY) STRICT, WITHOUT ROWID',
      `CREATE TABLE presence (
        tenant TEXT NOT NULL, mode TEXT NOT NULL, player_id TEXT NOT NULL, node TEXT NOT NULL,
        PRIMARY KEY (tenant, mode, player_id, node)
      ) STRICT, WITHOUT ROWID`,
      'CREATE INDEX presence_node ON presence (node)',
      'ALTER TABLE webhook ADD COLUMN server TEXT',
      'CREATE INDEX webhook_server ON webhook (server, id) WHERE server IS NOT NULL',
      // With the conditions of a board's ordinary query.
      `CREATE INDEX rating_ranked ON rating (tenant, mode, game, rating, player)
         WHERE games >= 5 AND deviation <= 250`,
      // At most one row: `one` is always 1.
      'ALTER TABLE signing_secret RENAME TO signing_secret_before',
      `CREATE TABLE signing_secret (
        one INTEGER PRIMARY KEY DEFAULT 1 CHECK (one), kid TEXT NOT NULL, secret BLOB NOT NULL
      ) STRICT, WITHOUT ROWID`,
      `INSERT INTO signing_secret (kid, secret)
       SELECT kid, secret FROM signing_secret_before ORDER BY rowid LIMIT 1`,
      'DROP TABLE signing_secret_before',
      "INSERT INTO revision (name, n) VALUES ('service', 0)",
    ],
  },
  {
    name: ONE_SCHEMA,
    // The last difference from PostgreSQL: every table has its own primary key.
    sql: [
      ...rebuilt(
        'tenant',
        `id TEXT PRIMARY KEY, slug TEXT NOT NULL UNIQUE, name TEXT NOT NULL, plan TEXT NOT NULL,
          active INTEGER NOT NULL, limits TEXT NOT NULL, created_at INTEGER NOT NULL, removal_at INTEGER`,
        'id, slug, name, plan, active, limits, created_at, removal_at',
      ),
      ...rebuilt(
        'api_key',
        `id TEXT PRIMARY KEY, tenant TEXT NOT NULL, mode TEXT NOT NULL, name TEXT NOT NULL,
          origins TEXT NOT NULL, require_origin INTEGER NOT NULL, hint TEXT NOT NULL,
          created_at INTEGER NOT NULL, expires_at INTEGER, revoked_at INTEGER, last_used_at INTEGER,
          scopes TEXT CONSTRAINT restricted_text CHECK (scopes IS NULL OR substr(hint, 1, 4) = 'mrk_')`,
        `id, tenant, mode, name, origins, require_origin, hint, created_at, expires_at, revoked_at, last_used_at,
          scopes`,
      ),
      'CREATE INDEX api_key_tenant ON api_key (tenant, id)',
      ...rebuilt(
        'key_secret',
        'id TEXT PRIMARY KEY, key TEXT NOT NULL, hash TEXT NOT NULL, expires_at INTEGER',
        'id, key, hash, expires_at',
      ),
      'CREATE INDEX key_secret_key ON key_secret (key)',
      ...rebuilt('revision', 'name TEXT PRIMARY KEY, n INTEGER NOT NULL', 'name, n'),
      ...rebuilt(
        'audit',
        `tenant TEXT NOT NULL, n INTEGER NOT NULL, actor TEXT NOT NULL, act TEXT NOT NULL,
          object TEXT NOT NULL, at INTEGER NOT NULL, hash TEXT NOT NULL, mac TEXT, PRIMARY KEY (tenant, n)`,
        'tenant, n, actor, act, object, at, hash, mac',
      ),
      ...rebuilt(
        'key_alert',
        `id TEXT PRIMARY KEY, tenant TEXT NOT NULL, mode TEXT NOT NULL, key TEXT NOT NULL,
          kind TEXT NOT NULL, day TEXT NOT NULL, at INTEGER NOT NULL, details TEXT NOT NULL,
          acknowledged_at INTEGER, UNIQUE (key, kind, day)`,
        'id, tenant, mode, key, kind, day, at, details, acknowledged_at',
      ),
      'CREATE INDEX key_alert_open ON key_alert (tenant, mode, id) WHERE acknowledged_at IS NULL',
    ],
  },
];

export const SQLITE_HISTORY: History = {
  before: BEFORE.map((name) => ({ name })),
  steps: [
    ...STEPS,
    ...MIGRATIONS.map((each) => ({
      ...each,
      sql: [...each.sql.map(inSqlite), ...(each.inSqlite ?? [])],
    })),
  ],
};
