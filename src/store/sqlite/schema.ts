/** The tables, as migrations in order. Forward only; what has run once is never changed. */
// @table

import type { DatabaseSync } from 'node:sqlite';
import { ALONE } from '../alone.ts';
import { ACCOUNT_TABLES, JOURNAL_TABLES, linkOldAudit } from './account-schema.ts';
import { moveMarks, PLAYER_WORLDS } from './player-worlds.ts';

export interface Migration {
  readonly name: string;
  readonly sql: readonly string[];
  /** What SQL alone cannot do, after it. */
  readonly run?: (db: DatabaseSync) => void;
}

export const MIGRATIONS: readonly Migration[] = [
  {
    name: '0001-ground',
    sql: [
      `CREATE TABLE tenant (
        id TEXT PRIMARY KEY, slug TEXT NOT NULL UNIQUE, name TEXT NOT NULL, plan TEXT NOT NULL,
        active INTEGER NOT NULL, limits TEXT NOT NULL, created_at INTEGER NOT NULL
      ) STRICT`,
      `CREATE TABLE api_key (
        id TEXT PRIMARY KEY, tenant TEXT NOT NULL, mode TEXT NOT NULL, name TEXT NOT NULL,
        origins TEXT NOT NULL, require_origin INTEGER NOT NULL, hint TEXT NOT NULL,
        created_at INTEGER NOT NULL, expires_at INTEGER, revoked_at INTEGER, last_used_at INTEGER
      ) STRICT`,
      'CREATE INDEX api_key_tenant ON api_key (tenant, id)',
      `CREATE TABLE key_secret (
        id TEXT PRIMARY KEY, key TEXT NOT NULL, hash TEXT NOT NULL, expires_at INTEGER
      ) STRICT`,
      'CREATE INDEX key_secret_key ON key_secret (key)',
      // Names of players stand here and nowhere else (rule R2). `ref` is the pseudonym.
      `CREATE TABLE player (
        ref TEXT PRIMARY KEY, tenant TEXT NOT NULL, player_id TEXT, display_name TEXT,
        created_at INTEGER NOT NULL, erased_at INTEGER
      ) STRICT, WITHOUT ROWID`,
      'CREATE UNIQUE INDEX player_id ON player (tenant, player_id)',
      // `wake_at` is null while a process holds the session, or nothing is due. Until 0030 it stops while outages last.
      `CREATE TABLE session (
        id TEXT PRIMARY KEY, tenant TEXT NOT NULL, mode TEXT NOT NULL, game TEXT NOT NULL,
        match_type TEXT NOT NULL, variant TEXT NOT NULL, status TEXT NOT NULL,
        room_code TEXT NOT NULL, metadata TEXT, theme TEXT, created_at INTEGER NOT NULL,
        started_at INTEGER, ended_at INTEGER, awake INTEGER NOT NULL, wake_at INTEGER
      ) STRICT, WITHOUT ROWID`,
      'CREATE INDEX session_list ON session (tenant, mode, id)',
      // The few that are under way, so that finding them never walks through all that have ended.
      `CREATE INDEX session_open ON session (tenant, mode, id) WHERE status <> 'ended'`,
      `CREATE INDEX session_due ON session (wake_at) WHERE wake_at IS NOT NULL`,
      `CREATE INDEX session_awake ON session (id) WHERE awake = 1`,
      `CREATE INDEX session_ended ON session (tenant, mode, ended_at) WHERE ended_at IS NOT NULL`,
      `CREATE TABLE seat (
        session TEXT NOT NULL, seat INTEGER NOT NULL, player TEXT NOT NULL, is_bot INTEGER NOT NULL,
        PRIMARY KEY (session, seat)
      ) STRICT, WITHOUT ROWID`,
      'CREATE INDEX seat_player ON seat (player, session)',
      // The truth: key (session, v). Who holds a version holds it alone.
      `CREATE TABLE log (
        session TEXT NOT NULL, v INTEGER NOT NULL, at INTEGER NOT NULL, record TEXT NOT NULL,
        PRIMARY KEY (session, v)
      ) STRICT, WITHOUT ROWID`,
      `CREATE TABLE room_code (
        tenant TEXT NOT NULL, mode TEXT NOT NULL, code TEXT NOT NULL, session TEXT NOT NULL,
        expires_at INTEGER NOT NULL, PRIMARY KEY (tenant, mode, code)
      ) STRICT, WITHOUT ROWID`,
      `CREATE TABLE counter (
        tenant TEXT NOT NULL, name TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (tenant, name)
      ) STRICT, WITHOUT ROWID`,
      `CREATE TABLE idempotency (
        tenant TEXT NOT NULL, mode TEXT NOT NULL, method TEXT NOT NULL, path TEXT NOT NULL,
        key TEXT NOT NULL, body_hash TEXT NOT NULL, status INTEGER NOT NULL, body TEXT NOT NULL,
        mint TEXT, expires_at INTEGER NOT NULL, PRIMARY KEY (tenant, mode, method, path, key)
      ) STRICT, WITHOUT ROWID`,
      'CREATE INDEX idempotency_expiry ON idempotency (expires_at)',
      `CREATE TABLE audit (
        id INTEGER PRIMARY KEY, tenant TEXT NOT NULL, actor TEXT NOT NULL, act TEXT NOT NULL,
        object TEXT NOT NULL, at INTEGER NOT NULL
      ) STRICT`,
      'CREATE TABLE node (id TEXT PRIMARY KEY, alive_at INTEGER NOT NULL) STRICT, WITHOUT ROWID',
      'CREATE TABLE downtime (from_at INTEGER PRIMARY KEY, to_at INTEGER NOT NULL) STRICT',
      'CREATE TABLE signing_secret (kid TEXT PRIMARY KEY, secret BLOB NOT NULL) STRICT',
      'CREATE TABLE revision (name TEXT PRIMARY KEY, n INTEGER NOT NULL) STRICT',
      "INSERT INTO revision (name, n) VALUES ('tenancy', 0)",
    ],
  },
  {
    name: '0002-events',
    sql: [
      // All events of one commit and world in one row: `body` is a JSON array, the last has `last_seq`.
      `CREATE TABLE event_chunk (
        tenant TEXT NOT NULL, mode TEXT NOT NULL, last_seq INTEGER NOT NULL, n INTEGER NOT NULL,
        at INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (tenant, mode, last_seq)
      ) STRICT, WITHOUT ROWID`,
      'CREATE INDEX event_chunk_at ON event_chunk (tenant, mode, at, last_seq)',
      // Stays when the events it counts have been removed.
      `CREATE TABLE event_head (
        tenant TEXT NOT NULL, mode TEXT NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (tenant, mode)
      ) STRICT, WITHOUT ROWID`,
    ],
  },
  {
    name: '0003-tickets',
    sql: [
      // A ticket, and the group it becomes. `started_with`: how many groups the session was made of.
      `CREATE TABLE ticket (
        id TEXT PRIMARY KEY, tenant TEXT NOT NULL, mode TEXT NOT NULL, game TEXT NOT NULL,
        capacity INTEGER NOT NULL, taken INTEGER NOT NULL CHECK (taken BETWEEN 0 AND capacity),
        status TEXT NOT NULL, group_id TEXT, created_at INTEGER NOT NULL, promoted_at INTEGER,
        pool_place INTEGER, ended_at INTEGER, session TEXT, started_with INTEGER
      ) STRICT, WITHOUT ROWID`,
      'CREATE UNIQUE INDEX ticket_group ON ticket (group_id) WHERE group_id IS NOT NULL',
      'CREATE UNIQUE INDEX ticket_place ON ticket (pool_place) WHERE pool_place IS NOT NULL',
      `CREATE INDEX ticket_pool ON ticket (tenant, mode, game, pool_place)
         WHERE status = 'promoted'`,
      'CREATE INDEX ticket_ended ON ticket (ended_at, id) WHERE ended_at IS NOT NULL',
      // `mode`, `game` and `forming` repeat the ticket's, for the second index.
      `CREATE TABLE ticket_player (
        ticket TEXT NOT NULL, place INTEGER NOT NULL, player TEXT NOT NULL, mode TEXT NOT NULL,
        game TEXT NOT NULL, forming INTEGER NOT NULL, added_at INTEGER NOT NULL,
        PRIMARY KEY (ticket, place)
      ) STRICT, WITHOUT ROWID`,
      'CREATE UNIQUE INDEX ticket_player_once ON ticket_player (player, ticket)',
      // Rule M2: one forming ticket a player, mode and game, whatever else goes wrong.
      `CREATE UNIQUE INDEX ticket_player_forming ON ticket_player (player, mode, game)
         WHERE forming = 1`,
    ],
  },
  {
    name: '0004-queue',
    sql: [
      // Who waits for opponents (rule S2). The key lets nobody wait twice for a game.
      `CREATE TABLE waiting (
        player TEXT NOT NULL, mode TEXT NOT NULL, game TEXT NOT NULL, tenant TEXT NOT NULL,
        pairing TEXT NOT NULL, session TEXT NOT NULL, rating REAL NOT NULL, since INTEGER NOT NULL,
        PRIMARY KEY (player, mode, game)
      ) STRICT, WITHOUT ROWID`,
      'CREATE INDEX waiting_line ON waiting (tenant, mode, game, pairing, session)',
      'CREATE INDEX waiting_session ON waiting (session)',
      `CREATE TABLE rating (
        player TEXT NOT NULL, mode TEXT NOT NULL, game TEXT NOT NULL, tenant TEXT NOT NULL,
        rating REAL NOT NULL, deviation REAL NOT NULL, volatility REAL NOT NULL,
        games INTEGER NOT NULL, wins INTEGER NOT NULL, losses INTEGER NOT NULL,
        draws INTEGER NOT NULL, last_played_at INTEGER NOT NULL, PRIMARY KEY (player, mode, game)
      ) STRICT, WITHOUT ROWID`,
      'CREATE INDEX rating_board ON rating (tenant, mode, game, rating, player)',
    ],
  },
  {
    name: '0005-bots',
    sql: [
      // A bot that is deleted stays while it may hold seats: they are played to the end.
      `CREATE TABLE bot (
        id TEXT PRIMARY KEY, tenant TEXT NOT NULL, game TEXT NOT NULL, name TEXT NOT NULL,
        display_name TEXT NOT NULL, player_id TEXT NOT NULL, kind TEXT NOT NULL, difficulty TEXT,
        weight INTEGER NOT NULL, active INTEGER NOT NULL, created_at INTEGER NOT NULL,
        deleted_at INTEGER
      ) STRICT, WITHOUT ROWID`,
      'CREATE UNIQUE INDEX bot_player ON bot (tenant, player_id) WHERE deleted_at IS NULL',
      'CREATE INDEX bot_list ON bot (tenant, id) WHERE deleted_at IS NULL',
      // Of training sessions only: the world of the key that made it.
      'ALTER TABLE session ADD COLUMN world TEXT',
    ],
  },
  {
    name: '0006-integrity',
    sql: [
      `CREATE TABLE integrity_credential (
        tenant TEXT NOT NULL, platform TEXT NOT NULL, credential TEXT NOT NULL,
        updated_at INTEGER NOT NULL, PRIMARY KEY (tenant, platform)
      ) STRICT, WITHOUT ROWID`,
      // Challenges and tokens stand here as digests: what is read here opens nothing.
      `CREATE TABLE integrity_challenge (
        digest TEXT PRIMARY KEY, tenant TEXT NOT NULL, platform TEXT NOT NULL,
        expires_at INTEGER NOT NULL, used INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID`,
      'CREATE INDEX integrity_challenge_expiry ON integrity_challenge (expires_at)',
      // For all tenants together: Google answers rightly once, whoever asks.
      `CREATE TABLE integrity_token (
        digest TEXT PRIMARY KEY, noted_at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID`,
      'CREATE INDEX integrity_token_noted ON integrity_token (noted_at)',
      `CREATE TABLE attested_key (
        tenant TEXT NOT NULL, app_id TEXT NOT NULL, key_id TEXT NOT NULL, public_key TEXT NOT NULL,
        environment TEXT NOT NULL, counter INTEGER NOT NULL, attested_at INTEGER NOT NULL,
        PRIMARY KEY (tenant, app_id, key_id)
      ) STRICT, WITHOUT ROWID`,
      // The session's verdicts as JSON, by seat; most sessions have none.
      'ALTER TABLE session ADD COLUMN integrity TEXT',
    ],
  },
  {
    name: '0007-webhooks',
    sql: [
      // `types` and `secrets` are JSON. The secrets have to be known to sign with them: like those
      // of tokens they stand here as they are, in a file that nobody else may read.
      `CREATE TABLE webhook (
        id TEXT PRIMARY KEY, tenant TEXT NOT NULL, mode TEXT NOT NULL, url TEXT NOT NULL,
        description TEXT NOT NULL, types TEXT NOT NULL, secrets TEXT NOT NULL, disabled TEXT,
        failing_since INTEGER, created_at INTEGER NOT NULL, cursor INTEGER NOT NULL,
        epoch INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID`,
      'CREATE INDEX webhook_list ON webhook (tenant, mode, id)',
      'CREATE INDEX webhook_active ON webhook (id) WHERE disabled IS NULL',
      // Only what failed and what waits behind it: the rest is found behind the webhook's cursor.
      `CREATE TABLE webhook_outstanding (
        webhook TEXT NOT NULL, seq INTEGER NOT NULL, event TEXT NOT NULL, session TEXT,
        attempt INTEGER NOT NULL, next_at INTEGER NOT NULL, PRIMARY KEY (webhook, seq)
      ) STRICT, WITHOUT ROWID`,
      `CREATE TABLE webhook_attempt (
        n INTEGER PRIMARY KEY AUTOINCREMENT, webhook TEXT NOT NULL, event TEXT NOT NULL,
        type TEXT NOT NULL, session TEXT, attempt INTEGER NOT NULL, at INTEGER NOT NULL,
        duration_ms INTEGER NOT NULL, status INTEGER, error TEXT, next_at INTEGER
      ) STRICT`,
      'CREATE INDEX webhook_attempt_list ON webhook_attempt (webhook, n)',
    ],
  },
  {
    name: '0008-dashboard',
    sql: [...ACCOUNT_TABLES, ...JOURNAL_TABLES],
    run: linkOldAudit,
  },
  {
    name: '0009-pool-places',
    sql: [
      'DROP INDEX ticket_place',
      `CREATE UNIQUE INDEX ticket_place ON ticket (tenant, mode, game, pool_place)
         WHERE pool_place IS NOT NULL`,
    ],
  },
  {
    name: '0010-session-game',
    // Without it a game that is seldom played is looked for in every session there is.
    sql: ['CREATE INDEX session_game ON session (tenant, mode, game, id)'],
  },
  {
    name: '0011-session-open-game',
    sql: [
      `CREATE INDEX session_open_game ON session (tenant, mode, game, id)
         WHERE status <> 'ended'`,
    ],
  },
  {
    name: '0012-held-findings',
    // `claim` is a digest, too; `held` the finding's JSON, while no session bears it.
    sql: [
      'ALTER TABLE integrity_token ADD COLUMN claim TEXT',
      'ALTER TABLE integrity_token ADD COLUMN held TEXT',
    ],
  },
  {
    name: '0013-webhook-rest',
    // 1: the row stands for all that comes after it of its session, too; 2: only for that.
    sql: [
      'ALTER TABLE webhook_outstanding ADD COLUMN and_rest INTEGER NOT NULL DEFAULT 0',
      'ALTER TABLE webhook_outstanding ADD COLUMN not_before INTEGER NOT NULL DEFAULT 0',
    ],
  },
  {
    name: '0014-ticket-list',
    sql: ['CREATE INDEX ticket_list ON ticket (tenant, mode, game, status, id)'],
  },
  {
    name: '0015-census',
    // Metrics count what is open without a look at the rows.
    sql: [`CREATE INDEX session_census ON session (game, mode, status) WHERE status <> 'ended'`],
  },
  {
    name: '0016-session-metadata',
    // `pair` is a digest of a key and its value. The sweeper adds the rows of older sessions: those with
    // `metadata_indexed` 0.
    sql: [
      `CREATE TABLE session_metadata (
        tenant TEXT NOT NULL, mode TEXT NOT NULL, pair TEXT NOT NULL, game TEXT NOT NULL,
        session TEXT NOT NULL, PRIMARY KEY (tenant, mode, pair, game, session)
      ) STRICT, WITHOUT ROWID`,
      'ALTER TABLE session ADD COLUMN metadata_indexed INTEGER NOT NULL DEFAULT 0',
      `CREATE INDEX session_unindexed ON session (id)
         WHERE metadata IS NOT NULL AND metadata_indexed = 0`,
    ],
  },
  {
    name: '0017-usage-by-key',
    // `usage_now`: what each node saw last, so that a peak is that of all nodes together.
    sql: [
      `CREATE TABLE key_usage (
        tenant TEXT NOT NULL, day TEXT NOT NULL, key TEXT NOT NULL, mode TEXT NOT NULL,
        kind TEXT NOT NULL, game TEXT NOT NULL, n INTEGER NOT NULL,
        PRIMARY KEY (tenant, day, key, mode, kind, game)
      ) STRICT, WITHOUT ROWID`,
      `CREATE TABLE usage_peak (
        tenant TEXT NOT NULL, day TEXT NOT NULL, mode TEXT NOT NULL, kind TEXT NOT NULL,
        n INTEGER NOT NULL, PRIMARY KEY (tenant, day, mode, kind)
      ) STRICT, WITHOUT ROWID`,
      `CREATE TABLE usage_now (
        tenant TEXT NOT NULL, mode TEXT NOT NULL, node TEXT NOT NULL, n INTEGER NOT NULL,
        at INTEGER NOT NULL, PRIMARY KEY (node, tenant, mode)
      ) STRICT, WITHOUT ROWID`,
    ],
  },
  {
    name: '0018-player-checks',
    // Verdicts as JSON: of who is in a ticket, and the newest of a lobby token in each mode.
    sql: [
      'ALTER TABLE ticket_player ADD COLUMN integrity TEXT',
      `CREATE TABLE lobby_check (
        player TEXT NOT NULL, mode TEXT NOT NULL, verdict TEXT NOT NULL,
        checked_at INTEGER NOT NULL, PRIMARY KEY (player, mode)
      ) STRICT, WITHOUT ROWID`,
    ],
  },
  {
    name: '0019-former-seats',
    // Who left a pending session, and with which record: events told before name them.
    sql: [
      `CREATE TABLE former_seat (
        session TEXT NOT NULL, left_v INTEGER NOT NULL, seat INTEGER NOT NULL,
        player TEXT NOT NULL, is_bot INTEGER NOT NULL, PRIMARY KEY (session, left_v)
      ) STRICT, WITHOUT ROWID`,
    ],
  },
  {
    name: '0020-tenant-removal',
    // When its removal began: whoever serves ends its sessions.
    sql: ['ALTER TABLE tenant ADD COLUMN removal_at INTEGER'],
  },
  {
    name: '0021-bot-worlds',
    // Bots of test mode hold up no live one: neither by a player id nor by their number (rule K3).
    sql: [
      "ALTER TABLE bot ADD COLUMN mode TEXT NOT NULL DEFAULT 'live'",
      'DROP INDEX bot_player',
      `CREATE UNIQUE INDEX bot_player ON bot (tenant, mode, player_id)
         WHERE deleted_at IS NULL`,
      'DROP INDEX bot_list',
      'CREATE INDEX bot_list ON bot (tenant, mode, id) WHERE deleted_at IS NULL',
      `CREATE INDEX bot_test_player ON bot (tenant, player_id) WHERE mode = 'test'`,
    ],
  },
  {
    name: '0022-key-scopes',
    // Null: everything. The text of a restricted key says that it is one.
    sql: [`ALTER TABLE api_key ADD COLUMN scopes TEXT CHECK (scopes IS NULL OR hint GLOB 'mrk_*')`],
  },
  {
    name: '0023-integrity-worlds',
    // The mode is part of two primary keys, so their tables are made anew.
    sql: [
      'ALTER TABLE integrity_credential RENAME TO integrity_credential_before',
      `CREATE TABLE integrity_credential (
        tenant TEXT NOT NULL, mode TEXT NOT NULL, platform TEXT NOT NULL,
        credential TEXT NOT NULL, updated_at INTEGER NOT NULL,
        PRIMARY KEY (tenant, mode, platform)
      ) STRICT, WITHOUT ROWID`,
      `INSERT INTO integrity_credential (tenant, mode, platform, credential, updated_at)
       SELECT tenant, 'live', platform, credential, updated_at FROM integrity_credential_before`,
      'DROP TABLE integrity_credential_before',
      'ALTER TABLE attested_key RENAME TO attested_key_before',
      `CREATE TABLE attested_key (
        tenant TEXT NOT NULL, mode TEXT NOT NULL, app_id TEXT NOT NULL, key_id TEXT NOT NULL,
        public_key TEXT NOT NULL, environment TEXT NOT NULL, counter INTEGER NOT NULL,
        attested_at INTEGER NOT NULL, PRIMARY KEY (tenant, mode, app_id, key_id)
      ) STRICT, WITHOUT ROWID`,
      `INSERT INTO attested_key
         (tenant, mode, app_id, key_id, public_key, environment, counter, attested_at)
       SELECT tenant, 'live', app_id, key_id, public_key, environment, counter, attested_at
         FROM attested_key_before`,
      'DROP TABLE attested_key_before',
      "ALTER TABLE integrity_challenge ADD COLUMN mode TEXT NOT NULL DEFAULT 'live'",
    ],
  },
  {
    name: '0024-session-seals',
    // What an ended session was, signed, as JSON. `sealed` says since when none ends without, in ms.
    sql: [
      'ALTER TABLE session ADD COLUMN seal TEXT',
      `INSERT INTO revision (name, n)
         VALUES ('sealed', CAST(strftime('%s', 'now') AS INTEGER) * 1000)`,
    ],
  },
  {
    name: '0025-audit-macs',
    // Of the row's hash, by a key that lies outside; null in rows from before the chain was keyed.
    sql: ['ALTER TABLE audit ADD COLUMN mac TEXT'],
  },
  {
    name: '0026-player-worlds',
    // `world`: live and test know players of their own.
    sql: PLAYER_WORLDS,
    run: moveMarks,
  },
  {
    name: '0027-passkeys',
    // `passkey_challenge`: digests of challenges that were signed, so that none is signed in with twice.
    sql: [
      `CREATE TABLE passkey (
        id TEXT PRIMARY KEY, account TEXT NOT NULL, credential TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL, public_key TEXT NOT NULL, counter INTEGER NOT NULL,
        created_at INTEGER NOT NULL, last_used_at INTEGER
      ) STRICT, WITHOUT ROWID`,
      'CREATE INDEX passkey_account ON passkey (account, id)',
      `CREATE TABLE passkey_challenge (
        hash TEXT PRIMARY KEY, expires_at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID`,
      'ALTER TABLE account ADD COLUMN passkey_revision INTEGER NOT NULL DEFAULT 0',
      'ALTER TABLE login ADD COLUMN passkey TEXT',
    ],
  },
  {
    name: '0028-key-watch',
    // Hours are counted since 1970; `network` is a keyed digest, and no address stands anywhere.
    sql: [
      `CREATE TABLE key_hour (
        tenant TEXT NOT NULL, key TEXT NOT NULL, hour INTEGER NOT NULL, requests INTEGER NOT NULL,
        refused INTEGER NOT NULL, PRIMARY KEY (key, hour)
      ) STRICT, WITHOUT ROWID`,
      `CREATE TABLE key_network (
        tenant TEXT NOT NULL, key TEXT NOT NULL, network TEXT NOT NULL,
        first_at INTEGER NOT NULL, seen_at INTEGER NOT NULL, PRIMARY KEY (key, network)
      ) STRICT, WITHOUT ROWID`,
      `CREATE TABLE key_alert (
        id TEXT PRIMARY KEY, tenant TEXT NOT NULL, mode TEXT NOT NULL, key TEXT NOT NULL,
        kind TEXT NOT NULL, day TEXT NOT NULL, at INTEGER NOT NULL, details TEXT NOT NULL,
        acknowledged_at INTEGER, UNIQUE (key, kind, day)
      ) STRICT`,
      `CREATE INDEX key_alert_open ON key_alert (tenant, mode, id) WHERE acknowledged_at IS NULL`,
    ],
  },
  {
    name: '0029-anchor-events',
    // When the log was last given an event with an anchor of the audit; null for never.
    sql: ['ALTER TABLE event_head ADD COLUMN anchored_at INTEGER'],
  },
  {
    name: '0030-real-wake-times',
    // `wake_at` was time without outages (rule P6); from here on it is time by the clock. Outages overlap where
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
    // As in PostgreSQL: `attempts` counts those ever made of a webhook and numbers the next one; `revision` rises
    // with every change by the tenant.
    sql: [
      'ALTER TABLE webhook ADD COLUMN revision INTEGER NOT NULL DEFAULT 0',
      'ALTER TABLE webhook ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0',
      'ALTER TABLE webhook_attempt RENAME TO webhook_attempt_before',
      `CREATE TABLE webhook_attempt (
        webhook TEXT NOT NULL, n INTEGER NOT NULL, event TEXT NOT NULL, type TEXT NOT NULL,
        session TEXT, attempt INTEGER NOT NULL, at INTEGER NOT NULL, duration_ms INTEGER NOT NULL,
        status INTEGER, error TEXT, next_at INTEGER, PRIMARY KEY (webhook, n)
      ) STRICT, WITHOUT ROWID`,
      // Numbers were those of all webhooks together. Of each webhook they have no gaps from here on.
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
    // The places that were given in each pool are counted, as in PostgreSQL. One index is found by `forming` as it
    // stands; of the other two that a pool could be listed by, only the one without the ended groups fits now.
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
    // An index is found by `NOT metadata_indexed` as it stands, which is how PostgreSQL finds its own.
    sql: [
      'DROP INDEX session_unindexed',
      `CREATE INDEX session_unindexed ON session (id)
         WHERE metadata IS NOT NULL AND NOT metadata_indexed`,
    ],
  },
  {
    name: '0039-nodes',
    // What several nodes need of each other, as in PostgreSQL. `holder` says who has a session in memory; null while it
    // sleeps and when it has ended. The process that serves from a file holds under a name that no node has and no lease.
    sql: [
      'ALTER TABLE session ADD COLUMN holder TEXT',
      'ALTER TABLE session ADD COLUMN due_node TEXT',
      `UPDATE session SET holder = '${ALONE}' WHERE awake = 1`,
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
      // As the ordinary query of a board names them.
      `CREATE INDEX rating_ranked ON rating (tenant, mode, game, rating, player)
         WHERE games >= 5 AND deviation <= 250`,
      // One row at most: `one` is always 1.
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
];
