/** What `matchd migrate --from … --to …` copies: each table of PostgreSQL, and what it is in SQLite. */
// @table

export interface TableCopy {
  readonly table: string;
  /** Columns that no two rows have the same: rows are read, and compared, in their order. */
  readonly key: readonly string[];
  /** What is read in SQLite when it is no table of that name; a query in brackets. */
  readonly from?: string;
  /** Columns that SQLite does not have: what they are made of there. */
  readonly made?: Readonly<Record<string, string>>;
  /** Columns of PostgreSQL alone that begin with what they are by default. */
  readonly begun?: readonly string[];
  /** Columns of SQLite alone, which stay behind. */
  readonly left?: readonly string[];
}

export const TABLE_COPIES: readonly TableCopy[] = [
  { table: 'tenant', key: ['id'] },
  { table: 'api_key', key: ['id'] },
  { table: 'key_secret', key: ['id'] },
  { table: 'key_hour', key: ['key', 'hour'] },
  { table: 'key_network', key: ['key', 'network'] },
  { table: 'key_alert', key: ['id'] },
  { table: 'audit', key: ['tenant', 'n'], left: ['id'] },
  { table: 'audit_head', key: ['tenant'] },
  { table: 'player', key: ['ref'] },
  // Those that were awake have a holder without a lease: any node takes them over.
  { table: 'session', key: ['id'] },
  { table: 'seat', key: ['session', 'seat'] },
  { table: 'session_metadata', key: ['tenant', 'mode', 'pair', 'game', 'session'] },
  { table: 'former_seat', key: ['session', 'left_v'] },
  { table: 'log', key: ['session', 'v'] },
  { table: 'room_code', key: ['tenant', 'mode', 'code'] },
  { table: 'counter', key: ['tenant', 'name'] },
  { table: 'idempotency', key: ['tenant', 'mode', 'method', 'path', 'key'] },
  { table: 'node', key: ['id'] },
  { table: 'signing_secret', key: ['kid'] },
  { table: 'event_chunk', key: ['tenant', 'mode', 'last_seq'] },
  { table: 'event_head', key: ['tenant', 'mode'] },
  { table: 'ticket', key: ['id'] },
  { table: 'ticket_player', key: ['ticket', 'place'] },
  { table: 'lobby_check', key: ['player', 'mode'] },
  { table: 'waiting', key: ['player', 'mode', 'game'] },
  { table: 'rating', key: ['player', 'mode', 'game'] },
  { table: 'bot', key: ['id'] },
  { table: 'integrity_credential', key: ['tenant', 'mode', 'platform'] },
  { table: 'integrity_challenge', key: ['digest'] },
  { table: 'integrity_token', key: ['digest'] },
  { table: 'attested_key', key: ['tenant', 'mode', 'app_id', 'key_id'] },
  { table: 'webhook', key: ['id'] },
  { table: 'webhook_outstanding', key: ['webhook', 'seq'] },
  { table: 'webhook_attempt', key: ['webhook', 'n'] },
  { table: 'account', key: ['id'] },
  { table: 'member', key: ['account', 'tenant'] },
  { table: 'recovery_code', key: ['account', 'hash'] },
  { table: 'passkey', key: ['id'] },
  { table: 'passkey_challenge', key: ['hash'] },
  { table: 'account_link', key: ['hash'] },
  { table: 'login', key: ['hash'] },
  { table: 'request', key: ['tenant', 'mode', 'id'] },
  { table: 'usage', key: ['tenant', 'mode', 'day', 'kind'] },
  { table: 'key_usage', key: ['tenant', 'day', 'key', 'mode', 'kind', 'game'] },
  { table: 'usage_peak', key: ['tenant', 'day', 'mode', 'kind'] },
  { table: 'milestone', key: ['tenant', 'mode', 'name'] },
];

/** Tables of PostgreSQL that have nothing to do with what SQLite keeps. */
export const OTHER_TABLES: readonly string[] = [
  'matchd_migration',
  // Counts changes for processes that run meanwhile: there are none.
  'revision',
  'mail',
  'token_window',
  'place_lease',
  'place_head',
  'presence',
  // What nodes see now: they are stopped.
  'usage_now',
];

/** Tables of SQLite that have nothing to do with what PostgreSQL keeps. */
export const OTHER_SQLITE_TABLES: readonly string[] = [
  'migration',
  'revision',
  'sqlite_sequence',
  'mail',
  'token_window',
  'place_lease',
  'place_head',
  'presence',
  'usage_now',
];
