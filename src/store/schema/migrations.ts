/** Migrations, written once for both databases. Forward only; a released migration never changes. */
// @table

import { rebuilt } from './rebuilt.ts';

export interface Migration {
  readonly name: string;
  readonly sql: readonly string[];
  /** Extra steps for SQLite, after the others. */
  readonly inSqlite?: readonly string[];
  /** An older matchd cannot run beside it; absent: it can, because the migration only adds. */
  readonly breaksOlder?: true;
}

/** Since this migration both databases have one schema: the later ones are `MIGRATIONS`. */
export const ONE_SCHEMA = '0040-one-schema';

/** Written like `tables.ts`, which gives a new database the same schema at once. */
export const MIGRATIONS: readonly Migration[] = [
  {
    name: '0041-tickets-by-player',
    // A player's tickets of a game, in order.
    sql: [
      'DROP INDEX ticket_player_once',
      'CREATE UNIQUE INDEX ticket_player_once ON ticket_player (player, game, ticket)',
    ],
  },
  {
    name: '0042-login-tries',
    // Failed sign-ins, by a digest of what they count against; the first `free` cost no wait.
    sql: [
      `CREATE TABLE login_try (
        name TEXT PRIMARY KEY, free BIGINT NOT NULL, failures BIGINT NOT NULL,
        blocked_until BIGINT NOT NULL, forget_at BIGINT NOT NULL
      )`,
      'CREATE INDEX login_try_forget ON login_try (forget_at)',
    ],
  },
  {
    name: '0043-log-as-it-comes',
    sql: [],
    // See `dialects.ts`. Needs free space of the log's size, twice that if the write-ahead log is
    // on the same disk.
    inSqlite: rebuilt(
      'log',
      `session TEXT NOT NULL, v INTEGER NOT NULL, at INTEGER NOT NULL, record TEXT NOT NULL,
        PRIMARY KEY (session, v)`,
      'session, v, at, record',
      'STRICT',
    ),
  },
  {
    name: '0044-rematches',
    // The rematch of an ended session.
    sql: ['ALTER TABLE session ADD COLUMN next_session TEXT'],
  },
  {
    name: '0045-secret-uses',
    // When each secret of a key was last used.
    sql: ['ALTER TABLE key_secret ADD COLUMN last_used_at BIGINT'],
  },
  {
    name: '0046-bot-scores',
    // Results of registered bots, by level. Counted from this migration on.
    sql: [
      `CREATE TABLE bot_score (
        bot TEXT NOT NULL, mode TEXT NOT NULL, level TEXT NOT NULL, tenant TEXT NOT NULL,
        matches INTEGER NOT NULL, wins INTEGER NOT NULL, losses INTEGER NOT NULL, draws INTEGER NOT NULL,
        PRIMARY KEY (bot, mode, level)
      )`,
    ],
  },
  {
    name: '0047-webhook-responses',
    // The beginning of an endpoint's unsuccessful response.
    sql: [
      'ALTER TABLE webhook_attempt ADD COLUMN response TEXT',
      'CREATE INDEX webhook_attempt_response ON webhook_attempt (at) WHERE response IS NOT NULL',
    ],
  },
  {
    name: '0048-failed-authentications',
    // Why a key was refused, and an index to find the requests about a session.
    sql: [
      'ALTER TABLE request ADD COLUMN refusal TEXT',
      'CREATE INDEX request_session ON request (tenant, mode, session, id) WHERE session IS NOT NULL',
    ],
  },
  {
    name: '0049-tenant-metrics',
    // Metrics over time, and an index that counts a tenant's matches without reading rows.
    sql: [
      `CREATE TABLE tenant_metric (
        tenant TEXT NOT NULL, mode TEXT NOT NULL, step_ms BIGINT NOT NULL, at BIGINT NOT NULL,
        node TEXT NOT NULL, figures TEXT NOT NULL, PRIMARY KEY (tenant, mode, step_ms, at, node)
      )`,
      'CREATE INDEX tenant_metric_due ON tenant_metric (step_ms, at)',
      'DROP INDEX session_census',
      `CREATE INDEX session_census ON session (tenant, mode, status, game) WHERE status <> 'ended'`,
    ],
  },
  {
    name: '0050-agreements',
    // Rematch requests of an ended session, its rating changes, and a tenant's settings.
    sql: [
      'ALTER TABLE session ADD COLUMN rematch TEXT',
      'ALTER TABLE session ADD COLUMN rated TEXT',
      `CREATE TABLE world_setting (
        tenant TEXT NOT NULL, mode TEXT NOT NULL, rematch TEXT NOT NULL, PRIMARY KEY (tenant, mode)
      )`,
    ],
  },
  {
    name: '0051-audit-filters',
    // Indexes of the audit by time, by act, by actor, and by both.
    sql: [
      'CREATE INDEX audit_time ON audit (tenant, at, n)',
      'CREATE INDEX audit_act ON audit (tenant, act, at, n)',
      'CREATE INDEX audit_actor ON audit (tenant, actor, at, n)',
      'CREATE INDEX audit_actor_act ON audit (tenant, actor, act, at, n)',
    ],
  },
];

/** The migrations of one database from the oldest supported version to the newest. */
export interface History {
  /** Those that the oldest supported version has applied, in order. */
  readonly before: readonly Pick<Migration, 'name' | 'breaksOlder'>[];
  readonly steps: readonly Migration[];
}

/** The migrations since the one schema: a new database is recorded as having them. */
export function namesFrom({ steps }: History): readonly string[] {
  const names = steps.map(({ name }) => name);
  return names.slice(names.indexOf(ONE_SCHEMA));
}

/** A sentence that names the old migrations missing from `names`; null when none is missing. */
export function tooOld({ before }: History, names: ReadonlySet<string>): string | null {
  const missing = before.find(({ name }) => !names.has(name));
  return missing === undefined
    ? null
    : `a matchd has made it that is older than this one can bring up to date (${missing.name} is missing): ` +
        'run matchd migrate of a version of 25 November 2026 on it first, then this one';
}
