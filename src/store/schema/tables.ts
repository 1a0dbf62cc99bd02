/**
 * The tables, written once for both databases. A new database is created from them; migrations
 * bring older ones to the same schema. Types are PostgreSQL's; `dialects.ts` translates them for
 * SQLite.
 */
// @table

export interface Table {
  readonly name: string;
  /** The columns of its primary key. */
  readonly key: readonly string[];
  readonly sql: string;
  readonly indexes: readonly string[];
  /** Data of running processes: it is not copied with a database. */
  readonly isPassing: boolean;
}

const KEY = 'PRIMARY KEY';

function table(sql: string, ...indexes: readonly string[]): Table {
  const name = sql.split(' ')[2]!;
  return { name, key: keyOf(sql), sql, indexes, isPassing: false };
}

/** A key of several columns is a clause of its own; a key of one follows the column and its type. */
function keyOf(sql: string): readonly string[] {
  const [before = '', ofMany = ''] = sql.split(`${KEY} (`);
  if (ofMany !== '') return ofMany.slice(0, ofMany.indexOf(')')).split(', ');
  const words = before.slice(0, before.indexOf(KEY)).trim().split(' ');
  return [words.at(-2)!.replace('(', '')];
}

function passing(sql: string, ...indexes: readonly string[]): Table {
  return { ...table(sql, ...indexes), isPassing: true };
}

const TENANCY = [
  // `removal_at`: when its removal began. Nodes then end its sessions.
  table(`CREATE TABLE tenant (
    id TEXT PRIMARY KEY, slug TEXT NOT NULL UNIQUE, name TEXT NOT NULL, plan TEXT NOT NULL,
    active BOOLEAN NOT NULL, limits TEXT NOT NULL, created_at BIGINT NOT NULL, removal_at BIGINT
  )`),
  // A tenant's settings for a mode (rule K9).
  table(`CREATE TABLE world_setting (
    tenant TEXT NOT NULL, mode TEXT NOT NULL, rematch TEXT NOT NULL, PRIMARY KEY (tenant, mode)
  )`),
  // `scopes` is null for all scopes. A restricted key's text has a prefix that an older matchd does
  // not accept, and the check keeps the old version from rotating it to a text that it would
  // accept.
  table(
    `CREATE TABLE api_key (
      id TEXT PRIMARY KEY, tenant TEXT NOT NULL, mode TEXT NOT NULL, name TEXT NOT NULL,
      origins TEXT NOT NULL, require_origin BOOLEAN NOT NULL, hint TEXT NOT NULL,
      created_at BIGINT NOT NULL, expires_at BIGINT, revoked_at BIGINT, last_used_at BIGINT,
      scopes TEXT CONSTRAINT restricted_text CHECK (scopes IS NULL OR substr(hint, 1, 4) = 'mrk_')
    )`,
    'CREATE INDEX api_key_tenant ON api_key (tenant, id)',
  ),
  table(
    // `last_used_at` is also null when the last use was before it was recorded.
    `CREATE TABLE key_secret (
      id TEXT PRIMARY KEY, key TEXT NOT NULL, hash TEXT NOT NULL, expires_at BIGINT, last_used_at BIGINT
    )`,
    'CREATE INDEX key_secret_key ON key_secret (key)',
  ),
  // One chain per tenant (rule D8). `mac` covers the row's hash, with a key that is not in the
  // database; null in rows from before the chain was keyed. Filters have indexes ordered by time.
  table(
    `CREATE TABLE audit (
      tenant TEXT NOT NULL, n BIGINT NOT NULL, actor TEXT NOT NULL, act TEXT NOT NULL,
      object TEXT NOT NULL, at BIGINT NOT NULL, hash TEXT NOT NULL, mac TEXT, PRIMARY KEY (tenant, n)
    )`,
    'CREATE INDEX audit_time ON audit (tenant, at, n)',
    'CREATE INDEX audit_act ON audit (tenant, act, at, n)',
    'CREATE INDEX audit_actor ON audit (tenant, actor, at, n)',
    'CREATE INDEX audit_actor_act ON audit (tenant, actor, act, at, n)',
  ),
  // The newest row of each chain. A transaction that appends to the chain locks it.
  table(`CREATE TABLE audit_head (
    tenant TEXT PRIMARY KEY, n BIGINT NOT NULL, hash TEXT NOT NULL, mac TEXT
  )`),
  // Hours are counted since 1970. `network` is a keyed digest; no address is stored.
  table(`CREATE TABLE key_hour (
    tenant TEXT NOT NULL, key TEXT NOT NULL, hour BIGINT NOT NULL, requests BIGINT NOT NULL,
    refused BIGINT NOT NULL, PRIMARY KEY (key, hour)
  )`),
  table(`CREATE TABLE key_network (
    tenant TEXT NOT NULL, key TEXT NOT NULL, network TEXT NOT NULL,
    first_at BIGINT NOT NULL, seen_at BIGINT NOT NULL, PRIMARY KEY (key, network)
  )`),
  table(
    `CREATE TABLE key_alert (
      id TEXT PRIMARY KEY, tenant TEXT NOT NULL, mode TEXT NOT NULL, key TEXT NOT NULL,
      kind TEXT NOT NULL, day TEXT NOT NULL, at BIGINT NOT NULL, details TEXT NOT NULL,
      acknowledged_at BIGINT, UNIQUE (key, kind, day)
    )`,
    'CREATE INDEX key_alert_open ON key_alert (tenant, mode, id) WHERE acknowledged_at IS NULL',
  ),
];

const SESSIONS = [
  // The only place of player ids and names (rule R2). `ref` is the pseudonym. `world`: live and
  // test mode have separate players.
  table(
    `CREATE TABLE player (
      ref TEXT PRIMARY KEY, tenant TEXT NOT NULL, player_id TEXT, display_name TEXT,
      created_at BIGINT NOT NULL, erased_at BIGINT, world TEXT NOT NULL DEFAULT 'live'
    )`,
    'CREATE UNIQUE INDEX player_id ON player (tenant, world, player_id)',
  ),
  // `holder`: the node that owns it; null while it sleeps and after its end. `wake_at` is null once
  // its owner has written, or when nothing is due. `due_node`: the node that has claimed its
  // waking. `world`, for training only: the mode of the key that created it. `integrity`: verdicts
  // as JSON, by seat. `seal`: the signed summary of an ended session, as JSON. `metadata_indexed`
  // false: written by an older matchd; the sweeper adds its index rows. `next_session`: the rematch
  // of an ended session.
  table(
    `CREATE TABLE session (
      id TEXT PRIMARY KEY, tenant TEXT NOT NULL, mode TEXT NOT NULL, world TEXT, game TEXT NOT NULL,
      match_type TEXT NOT NULL, variant TEXT NOT NULL, status TEXT NOT NULL,
      room_code TEXT NOT NULL, metadata TEXT, theme TEXT, created_at BIGINT NOT NULL,
      started_at BIGINT, ended_at BIGINT, holder TEXT, wake_at BIGINT, due_node TEXT, integrity TEXT,
      metadata_indexed BOOLEAN NOT NULL DEFAULT FALSE, seal TEXT, next_session TEXT,
      rematch TEXT, rated TEXT
    )`,
    'CREATE INDEX session_list ON session (tenant, mode, id)',
    'CREATE INDEX session_game ON session (tenant, mode, game, id)',
    // Open sessions only, so that finding them never reads ended ones.
    "CREATE INDEX session_open ON session (tenant, mode, id) WHERE status <> 'ended'",
    "CREATE INDEX session_open_game ON session (tenant, mode, game, id) WHERE status <> 'ended'",
    // Metrics count open sessions from this index alone.
    "CREATE INDEX session_census ON session (tenant, mode, status, game) WHERE status <> 'ended'",
    'CREATE INDEX session_due ON session (wake_at) WHERE wake_at IS NOT NULL',
    'CREATE INDEX session_held ON session (holder, id) WHERE holder IS NOT NULL',
    'CREATE INDEX session_ended ON session (tenant, mode, ended_at) WHERE ended_at IS NOT NULL',
    'CREATE INDEX session_checked ON session (tenant, mode, id) WHERE integrity IS NOT NULL',
    `CREATE INDEX session_unindexed ON session (id)
       WHERE metadata IS NOT NULL AND NOT metadata_indexed`,
  ),
  table(
    `CREATE TABLE seat (
      session TEXT NOT NULL, seat INTEGER NOT NULL, player TEXT NOT NULL, is_bot BOOLEAN NOT NULL,
      PRIMARY KEY (session, seat)
    )`,
    'CREATE INDEX seat_player ON seat (player, session)',
  ),
  // `pair` is a digest of a key and its value.
  table(`CREATE TABLE session_metadata (
    tenant TEXT NOT NULL, mode TEXT NOT NULL, pair TEXT NOT NULL, game TEXT NOT NULL,
    session TEXT NOT NULL, PRIMARY KEY (tenant, mode, pair, game, session)
  )`),
  // Players who left a pending session, and with which record: earlier events name them.
  table(`CREATE TABLE former_seat (
    session TEXT NOT NULL, left_v BIGINT NOT NULL, seat INTEGER NOT NULL,
    player TEXT NOT NULL, is_bot BOOLEAN NOT NULL, PRIMARY KEY (session, left_v)
  )`),
  // The source of truth, keyed by (session, v). The primary key lets one writer have a version.
  table(`CREATE TABLE log (
    session TEXT NOT NULL, v INTEGER NOT NULL, at BIGINT NOT NULL, record TEXT NOT NULL,
    PRIMARY KEY (session, v)
  )`),
  table(`CREATE TABLE room_code (
    tenant TEXT NOT NULL, mode TEXT NOT NULL, code TEXT NOT NULL, session TEXT NOT NULL,
    expires_at BIGINT NOT NULL, PRIMARY KEY (tenant, mode, code)
  )`),
  // Updated often, rarely grown: free space on each page allows updates in place.
  table(`CREATE TABLE counter (
    tenant TEXT NOT NULL, name TEXT NOT NULL, n BIGINT NOT NULL, PRIMARY KEY (tenant, name)
  ) WITH (fillfactor = 50)`),
  table(
    `CREATE TABLE idempotency (
      tenant TEXT NOT NULL, mode TEXT NOT NULL, method TEXT NOT NULL, path TEXT NOT NULL,
      key TEXT NOT NULL, body_hash TEXT NOT NULL, status INTEGER NOT NULL, body TEXT NOT NULL,
      mint TEXT, expires_at BIGINT NOT NULL, PRIMARY KEY (tenant, mode, method, path, key)
    )`,
    'CREATE INDEX idempotency_expiry ON idempotency (expires_at)',
  ),
];

const SERVICE = [
  // A node: one run of one process. Its lease goes by the database's clock. `keys_audit`: it writes
  // MACs.
  table(`CREATE TABLE node (
    id TEXT PRIMARY KEY, name TEXT NOT NULL DEFAULT '', lease_until BIGINT NOT NULL DEFAULT 0,
    alive_at BIGINT NOT NULL DEFAULT 0, draining BOOLEAN NOT NULL DEFAULT FALSE,
    keys_audit BOOLEAN NOT NULL DEFAULT FALSE
  ) WITH (fillfactor = 50)`),
  // At most one row: `one` is always true.
  table(`CREATE TABLE signing_secret (
    one BOOLEAN PRIMARY KEY DEFAULT TRUE CHECK (one), kid TEXT NOT NULL, secret BYTEA NOT NULL
  )`),
  // Change counters, for processes that are running. `sealed`: since when every session that ends
  // has a seal, in ms.
  passing('CREATE TABLE revision (name TEXT PRIMARY KEY, n BIGINT NOT NULL)'),
  // Messages between nodes while the bus is down; the sender numbers them with `n`.
  passing(`CREATE TABLE mail (
    to_node TEXT NOT NULL, from_node TEXT NOT NULL, n BIGINT NOT NULL, at BIGINT NOT NULL,
    body TEXT NOT NULL, PRIMARY KEY (to_node, from_node, n)
  )`),
  // What all nodes together have taken of a limit in a window (rule H6); `granted`: the size of the
  // last grant.
  passing(
    `CREATE TABLE token_window (
      key TEXT NOT NULL, ends_at BIGINT NOT NULL, used BIGINT NOT NULL, granted BIGINT NOT NULL,
      PRIMARY KEY (key, ends_at)
    ) WITH (fillfactor = 50)`,
    'CREATE INDEX token_window_end ON token_window (ends_at)',
  ),
  // How many slots under a key each node has; they count while its lease is valid. A transaction
  // that changes them locks the head.
  passing(
    `CREATE TABLE place_lease (
      key TEXT NOT NULL, node TEXT NOT NULL, n BIGINT NOT NULL, PRIMARY KEY (key, node)
    ) WITH (fillfactor = 50)`,
    'CREATE INDEX place_lease_node ON place_lease (node)',
  ),
  passing('CREATE TABLE place_head (key TEXT PRIMARY KEY)'),
];

const EVENTS = [
  // All events of one commit and mode in one row: `body` is a JSON array, whose last event is
  // `last_seq`.
  table(
    `CREATE TABLE event_chunk (
      tenant TEXT NOT NULL, mode TEXT NOT NULL, last_seq BIGINT NOT NULL, n INTEGER NOT NULL,
      at BIGINT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (tenant, mode, last_seq)
    )`,
    'CREATE INDEX event_chunk_at ON event_chunk (tenant, mode, at, last_seq)',
  ),
  // Remains when its events are removed. A transaction that appends events locks it, so that they
  // become visible in order. `anchored_at`: when the log last got an event with an audit anchor.
  table(`CREATE TABLE event_head (
    tenant TEXT NOT NULL, mode TEXT NOT NULL, seq BIGINT NOT NULL, anchored_at BIGINT,
    PRIMARY KEY (tenant, mode)
  ) WITH (fillfactor = 50)`),
];

const MEETING = [
  // A ticket, and the group it becomes. `started_with`: from how many groups the session was made.
  table(
    `CREATE TABLE ticket (
      id TEXT PRIMARY KEY, tenant TEXT NOT NULL, mode TEXT NOT NULL, game TEXT NOT NULL,
      capacity INTEGER NOT NULL, taken INTEGER NOT NULL CHECK (taken BETWEEN 0 AND capacity),
      status TEXT NOT NULL, group_id TEXT, created_at BIGINT NOT NULL, promoted_at BIGINT,
      pool_place BIGINT, ended_at BIGINT, session TEXT, started_with INTEGER
    )`,
    'CREATE UNIQUE INDEX ticket_group ON ticket (group_id) WHERE group_id IS NOT NULL',
    // An order that lists no pool: otherwise SQLite would use this index and read all ended groups.
    `CREATE UNIQUE INDEX ticket_place ON ticket (pool_place, tenant, mode, game)
       WHERE pool_place IS NOT NULL`,
    "CREATE INDEX ticket_pool ON ticket (tenant, mode, game, pool_place) WHERE status = 'promoted'",
    'CREATE INDEX ticket_ended ON ticket (ended_at, id) WHERE ended_at IS NOT NULL',
    'CREATE INDEX ticket_open ON ticket (tenant, mode, id) WHERE ended_at IS NULL',
    'CREATE INDEX ticket_list ON ticket (tenant, mode, game, status, id)',
  ),
  // `mode`, `game` and `forming` are copies of the ticket's, for the second index. `integrity`: a
  // verdict as JSON.
  table(
    `CREATE TABLE ticket_player (
      ticket TEXT NOT NULL, place INTEGER NOT NULL, player TEXT NOT NULL, mode TEXT NOT NULL,
      game TEXT NOT NULL, forming BOOLEAN NOT NULL, added_at BIGINT NOT NULL, integrity TEXT,
      PRIMARY KEY (ticket, place)
    )`,
    'CREATE UNIQUE INDEX ticket_player_once ON ticket_player (player, game, ticket)',
    // Rule M2, enforced by the database: one forming ticket per player, mode and game.
    'CREATE UNIQUE INDEX ticket_player_forming ON ticket_player (player, mode, game) WHERE forming',
  ),
  // The newest verdict of a lobby token per mode, as JSON.
  table(`CREATE TABLE lobby_check (
    player TEXT NOT NULL, mode TEXT NOT NULL, verdict TEXT NOT NULL,
    checked_at BIGINT NOT NULL, PRIMARY KEY (player, mode)
  )`),
  // Which player is connected to which node; a row counts while the node's lease is valid. It has
  // the tenant's own player id: erasing a player (rule R2) removes it.
  passing(
    `CREATE TABLE presence (
      tenant TEXT NOT NULL, mode TEXT NOT NULL, player_id TEXT NOT NULL, node TEXT NOT NULL,
      PRIMARY KEY (tenant, mode, player_id, node)
    )`,
    'CREATE INDEX presence_node ON presence (node)',
  ),
  // Players who wait for opponents (rule S2). The primary key allows one waiting place per player
  // and game.
  table(
    `CREATE TABLE waiting (
      player TEXT NOT NULL, mode TEXT NOT NULL, game TEXT NOT NULL, tenant TEXT NOT NULL,
      pairing TEXT NOT NULL, session TEXT NOT NULL, rating DOUBLE PRECISION NOT NULL,
      since BIGINT NOT NULL, PRIMARY KEY (player, mode, game)
    )`,
    'CREATE INDEX waiting_line ON waiting (tenant, mode, game, pairing, session)',
    'CREATE INDEX waiting_session ON waiting (session)',
  ),
  table(
    `CREATE TABLE rating (
      player TEXT NOT NULL, mode TEXT NOT NULL, game TEXT NOT NULL, tenant TEXT NOT NULL,
      rating DOUBLE PRECISION NOT NULL, deviation DOUBLE PRECISION NOT NULL,
      volatility DOUBLE PRECISION NOT NULL, games INTEGER NOT NULL, wins INTEGER NOT NULL,
      losses INTEGER NOT NULL, draws INTEGER NOT NULL, last_played_at BIGINT NOT NULL,
      PRIMARY KEY (player, mode, game)
    )`,
    'CREATE INDEX rating_board ON rating (tenant, mode, game, rating, player)',
    // The players that a board shows (rule L1), with the conditions of its ordinary query.
    `CREATE INDEX rating_ranked ON rating (tenant, mode, game, rating, player)
       WHERE games >= 5 AND deviation <= 250`,
  ),
  // A deleted bot's row stays while it may have seats, which it plays to the end. Bots of test mode
  // do not block live ones, neither by a player id nor by their number (rule K3).
  table(
    `CREATE TABLE bot (
      id TEXT PRIMARY KEY, tenant TEXT NOT NULL, game TEXT NOT NULL, name TEXT NOT NULL,
      display_name TEXT NOT NULL, player_id TEXT NOT NULL, kind TEXT NOT NULL, difficulty TEXT,
      weight INTEGER NOT NULL, active BOOLEAN NOT NULL, created_at BIGINT NOT NULL,
      deleted_at BIGINT, mode TEXT NOT NULL DEFAULT 'live'
    )`,
    'CREATE UNIQUE INDEX bot_player ON bot (tenant, mode, player_id) WHERE deleted_at IS NULL',
    'CREATE INDEX bot_list ON bot (tenant, mode, id) WHERE deleted_at IS NULL',
    "CREATE INDEX bot_test_player ON bot (tenant, player_id) WHERE mode = 'test'",
  ),
  // Rated matches, by the level the bot played at; empty for a tenant's own program.
  table(`CREATE TABLE bot_score (
    bot TEXT NOT NULL, mode TEXT NOT NULL, level TEXT NOT NULL, tenant TEXT NOT NULL,
    matches INTEGER NOT NULL, wins INTEGER NOT NULL, losses INTEGER NOT NULL, draws INTEGER NOT NULL,
    PRIMARY KEY (bot, mode, level)
  )`),
];

const INTEGRITY = [
  table(`CREATE TABLE integrity_credential (
    tenant TEXT NOT NULL, mode TEXT NOT NULL, platform TEXT NOT NULL, credential TEXT NOT NULL,
    updated_at BIGINT NOT NULL, PRIMARY KEY (tenant, mode, platform)
  )`),
  // Challenges and tokens are stored as digests: a reader of the database cannot use them.
  table(
    `CREATE TABLE integrity_challenge (
      digest TEXT PRIMARY KEY, tenant TEXT NOT NULL, platform TEXT NOT NULL,
      expires_at BIGINT NOT NULL, used BOOLEAN NOT NULL, mode TEXT NOT NULL DEFAULT 'live'
    )`,
    'CREATE INDEX integrity_challenge_expiry ON integrity_challenge (expires_at)',
  ),
  // Shared by all tenants: Google accepts a token once, whichever tenant asks. `claim` is a digest
  // too; `held` is the finding's JSON until a session has it.
  table(
    `CREATE TABLE integrity_token (
      digest TEXT PRIMARY KEY, noted_at BIGINT NOT NULL, claim TEXT, held TEXT
    )`,
    'CREATE INDEX integrity_token_noted ON integrity_token (noted_at)',
  ),
  table(`CREATE TABLE attested_key (
    tenant TEXT NOT NULL, mode TEXT NOT NULL, app_id TEXT NOT NULL, key_id TEXT NOT NULL,
    public_key TEXT NOT NULL, environment TEXT NOT NULL, counter BIGINT NOT NULL,
    attested_at BIGINT NOT NULL, PRIMARY KEY (tenant, mode, app_id, key_id)
  )`),
];

const WEBHOOKS = [
  // `types` and `secrets` are JSON. `attempts` counts all attempts and numbers the next one.
  // `server`: the node that delivers its events, while that node's lease is valid. `revision` rises
  // with every change by the tenant, so that the server notices.
  table(
    `CREATE TABLE webhook (
      id TEXT PRIMARY KEY, tenant TEXT NOT NULL, mode TEXT NOT NULL, url TEXT NOT NULL,
      description TEXT NOT NULL, types TEXT NOT NULL, secrets TEXT NOT NULL, disabled TEXT,
      failing_since BIGINT, created_at BIGINT NOT NULL, cursor BIGINT NOT NULL,
      epoch BIGINT NOT NULL, revision BIGINT NOT NULL DEFAULT 0,
      attempts BIGINT NOT NULL DEFAULT 0, server TEXT
    )`,
    'CREATE INDEX webhook_list ON webhook (tenant, mode, id)',
    'CREATE INDEX webhook_active ON webhook (id) WHERE disabled IS NULL',
    'CREATE INDEX webhook_server ON webhook (server, id) WHERE server IS NOT NULL',
  ),
  // Only failed deliveries and those queued behind them: the others are found after the webhook's
  // cursor. `and_rest` 1: the row also stands for all later events of its session; 2: only for
  // those.
  table(`CREATE TABLE webhook_outstanding (
    webhook TEXT NOT NULL, seq BIGINT NOT NULL, event TEXT NOT NULL, session TEXT,
    attempt INTEGER NOT NULL, next_at BIGINT NOT NULL, and_rest INTEGER NOT NULL DEFAULT 0,
    not_before BIGINT NOT NULL DEFAULT 0, PRIMARY KEY (webhook, seq)
  )`),
  // `response`: the beginning of an unsuccessful response.
  table(
    `CREATE TABLE webhook_attempt (
      webhook TEXT NOT NULL, n BIGINT NOT NULL, event TEXT NOT NULL, type TEXT NOT NULL,
      session TEXT, attempt INTEGER NOT NULL, at BIGINT NOT NULL, duration_ms BIGINT NOT NULL,
      status INTEGER, error TEXT, next_at BIGINT, response TEXT, PRIMARY KEY (webhook, n)
    )`,
    'CREATE INDEX webhook_attempt_response ON webhook_attempt (at) WHERE response IS NOT NULL',
  ),
];

const DASHBOARD = [
  // `totp` is encrypted with a key that is not in the database.
  table(`CREATE TABLE account (
    id TEXT PRIMARY KEY, email TEXT NOT NULL UNIQUE, name TEXT NOT NULL, password TEXT NOT NULL,
    operator BOOLEAN NOT NULL, totp TEXT, totp_step BIGINT NOT NULL, created_at BIGINT NOT NULL,
    passkey_revision BIGINT NOT NULL DEFAULT 0
  )`),
  table(
    `CREATE TABLE member (
      account TEXT NOT NULL, tenant TEXT NOT NULL, role TEXT NOT NULL, since BIGINT NOT NULL,
      PRIMARY KEY (account, tenant)
    )`,
    'CREATE INDEX member_tenant ON member (tenant, account)',
  ),
  table(`CREATE TABLE recovery_code (
    account TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (account, hash)
  )`),
  table(
    `CREATE TABLE passkey (
      id TEXT PRIMARY KEY, account TEXT NOT NULL, credential TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL, public_key TEXT NOT NULL, counter BIGINT NOT NULL,
      created_at BIGINT NOT NULL, last_used_at BIGINT
    )`,
    'CREATE INDEX passkey_account ON passkey (account, id)',
  ),
  // Digests of signed challenges, so that none is used to sign in twice.
  table('CREATE TABLE passkey_challenge (hash TEXT PRIMARY KEY, expires_at BIGINT NOT NULL)'),
  // Failed sign-ins, by a digest of what they count against; the first `free` cost no wait.
  passing(
    `CREATE TABLE login_try (
      name TEXT PRIMARY KEY, free BIGINT NOT NULL, failures BIGINT NOT NULL,
      blocked_until BIGINT NOT NULL, forget_at BIGINT NOT NULL
    )`,
    'CREATE INDEX login_try_forget ON login_try (forget_at)',
  ),
  // Links and sessions are stored as digests: a reader of the database cannot use them.
  table(`CREATE TABLE account_link (
    hash TEXT PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, tenant TEXT, role TEXT,
    email TEXT, created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL
  )`),
  table(
    `CREATE TABLE login (
      hash TEXT PRIMARY KEY, id TEXT NOT NULL UNIQUE, account TEXT NOT NULL,
      created_at BIGINT NOT NULL, seen_at BIGINT NOT NULL, expires_at BIGINT NOT NULL,
      address TEXT NOT NULL, agent TEXT NOT NULL, passkey TEXT
    )`,
    'CREATE INDEX login_account ON login (account, id)',
  ),
  // Ids begin with their time: the newest of a mode are a range at the end. `refusal`: why a key
  // was refused.
  table(
    `CREATE TABLE request (
      tenant TEXT NOT NULL, mode TEXT NOT NULL, id TEXT NOT NULL, at BIGINT NOT NULL,
      method TEXT NOT NULL, route TEXT NOT NULL, status INTEGER NOT NULL, code TEXT,
      took_ms BIGINT NOT NULL, key TEXT NOT NULL, session TEXT, refusal TEXT,
      PRIMARY KEY (tenant, mode, id)
    )`,
    'CREATE INDEX request_error ON request (tenant, mode, id) WHERE status >= 400',
    'CREATE INDEX request_session ON request (tenant, mode, session, id) WHERE session IS NOT NULL',
  ),
  table(`CREATE TABLE usage (
    tenant TEXT NOT NULL, mode TEXT NOT NULL, day TEXT NOT NULL, kind TEXT NOT NULL,
    n BIGINT NOT NULL, PRIMARY KEY (tenant, mode, day, kind)
  )`),
  table(`CREATE TABLE key_usage (
    tenant TEXT NOT NULL, day TEXT NOT NULL, key TEXT NOT NULL, mode TEXT NOT NULL,
    kind TEXT NOT NULL, game TEXT NOT NULL, n BIGINT NOT NULL,
    PRIMARY KEY (tenant, day, key, mode, kind, game)
  )`),
  table(`CREATE TABLE usage_peak (
    tenant TEXT NOT NULL, day TEXT NOT NULL, mode TEXT NOT NULL, kind TEXT NOT NULL,
    n BIGINT NOT NULL, PRIMARY KEY (tenant, day, mode, kind)
  )`),
  // What each node saw last, so that a peak is over all nodes.
  passing(`CREATE TABLE usage_now (
    tenant TEXT NOT NULL, mode TEXT NOT NULL, node TEXT NOT NULL, n BIGINT NOT NULL,
    at BIGINT NOT NULL, PRIMARY KEY (node, tenant, mode)
  )`),
  // What a node counted in a minute, or all nodes in a longer step (then `node` is empty), as JSON.
  // No player ids.
  table(
    `CREATE TABLE tenant_metric (
      tenant TEXT NOT NULL, mode TEXT NOT NULL, step_ms BIGINT NOT NULL, at BIGINT NOT NULL,
      node TEXT NOT NULL, figures TEXT NOT NULL, PRIMARY KEY (tenant, mode, step_ms, at, node)
    )`,
    'CREATE INDEX tenant_metric_due ON tenant_metric (step_ms, at)',
  ),
  table(`CREATE TABLE milestone (
    tenant TEXT NOT NULL, mode TEXT NOT NULL, name TEXT NOT NULL, at BIGINT NOT NULL,
    PRIMARY KEY (tenant, mode, name)
  )`),
];

export const TABLES: readonly Table[] = [
  ...TENANCY,
  ...SESSIONS,
  ...SERVICE,
  ...EVENTS,
  ...MEETING,
  ...INTEGRITY,
  ...WEBHOOKS,
  ...DASHBOARD,
];

/** The rows that a new database starts with. */
export const FIRST_ROWS =
  "INSERT INTO revision (name, n) VALUES ('tenancy', 0), ('service', 0), ('sealed', now_ms())";
