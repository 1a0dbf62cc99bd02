/** The tables, as migrations in order. Forward only; what has run once is never changed. */

export interface Migration {
  readonly name: string;
  readonly sql: readonly string[];
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
      // `wake_at` is service time; null while a process holds the session, or nothing is due.
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
];
