/** Migrations, once for both databases. Forward only; what has run is never changed. */
// @table

import { rebuilt } from './rebuilt.ts';

export interface Migration {
  readonly name: string;
  readonly sql: readonly string[];
  /** What SQLite alone has to do, after the others. */
  readonly inSqlite?: readonly string[];
  /** A matchd that does not know it cannot work beside it; absent: it can, as it only adds. */
  readonly breaksOlder?: true;
}

/** From here on both databases have one schema: those after it are `MIGRATIONS`. */
export const ONE_SCHEMA = '0040-one-schema';

/** In the words of `tables.ts`, where a new database is given the same at once. */
export const MIGRATIONS: readonly Migration[] = [
  {
    name: '0041-tickets-by-player',
    // A player's tickets of a game, in their order.
    sql: [
      'DROP INDEX ticket_player_once',
      'CREATE UNIQUE INDEX ticket_player_once ON ticket_player (player, game, ticket)',
    ],
  },
  {
    name: '0042-login-tries',
    // Failures to sign in, by a digest of what they count against; `free` of them cost no wait.
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
    // See `dialects.ts`. Needs as much room again as the log has, twice where it is in the write-ahead log, too.
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
    // What registered bots scored, by level. Counted from here on.
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
    // How an endpoint's answer began that was no success.
    sql: [
      'ALTER TABLE webhook_attempt ADD COLUMN response TEXT',
      'CREATE INDEX webhook_attempt_response ON webhook_attempt (at) WHERE response IS NOT NULL',
    ],
  },
  {
    name: '0048-failed-authentications',
    // Why a key was not let in. The requests about a session are found by it.
    sql: [
      'ALTER TABLE request ADD COLUMN refusal TEXT',
      'CREATE INDEX request_session ON request (tenant, mode, session, id) WHERE session IS NOT NULL',
    ],
  },
  {
    name: '0049-tenant-metrics',
    // Figures over time, and counts of one tenant's matches from an index alone.
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
    // Who asked for the rematch of an ended session, what its end did to ratings, and what a tenant has set.
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
    // The audit by time, by act, by actor, and by both.
    sql: [
      'CREATE INDEX audit_time ON audit (tenant, at, n)',
      'CREATE INDEX audit_act ON audit (tenant, act, at, n)',
      'CREATE INDEX audit_actor ON audit (tenant, actor, at, n)',
      'CREATE INDEX audit_actor_act ON audit (tenant, actor, act, at, n)',
    ],
  },
];

/** How one of the databases comes from the oldest that is known to the newest. */
export interface History {
  /** Those that have run in the oldest, in their order. */
  readonly before: readonly Pick<Migration, 'name' | 'breaksOlder'>[];
  readonly steps: readonly Migration[];
}

/** From the one schema on: the names that a new database is said to have got. */
export function namesFrom({ steps }: History): readonly string[] {
  const names = steps.map(({ name }) => name);
  return names.slice(names.indexOf(ONE_SCHEMA));
}

/** What `names` lack of what must have run long ago, as a sentence; null where nothing is missing. */
export function tooOld({ before }: History, names: ReadonlySet<string>): string | null {
  const missing = before.find(({ name }) => !names.has(name));
  return missing === undefined
    ? null
    : `a matchd has made it that is older than this one can bring up to date (${missing.name} is missing): ` +
        'run matchd migrate of a version of 25 November 2026 on it first, then this one';
}
