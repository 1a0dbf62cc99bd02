/** `matchd doctor` with a PostgreSQL database: what the server is set to, and how the nodes on it are. */

import type { Config } from '../../config.ts';
import type { Database } from '../../store/postgres/connect/database.ts';
import { findSettingFaults } from '../../store/postgres/connect/settings.ts';
import { pendingMigrations } from '../../store/postgres/migrate.ts';
import { placeOf } from '../../store/postgres/place.ts';
import { CONNECTIONS_A_NODE } from '../../store/postgres/postgres-store.ts';
import { makeRunner } from '../../store/postgres/runner.ts';
import { makeSecretStore } from '../../store/scripts/cluster/secrets.ts';
import * as data from './doctor-data.ts';
import * as network from './doctor-network.ts';
import { type Check, type Finding, fail, ok, warn } from './finding.ts';

/** Leases are by the database's clock, what happened when by the node's: so far apart does no harm. */
const SKEW_MS_WARN = 1_000;
const SKEW_MS_FAIL = 5_000;

export function sharedChecks(db: Database, config: Config, now: number): readonly Check[] {
  // What cannot be reached, or has no tables yet, is said once.
  const is = { reached: false, made: false };
  const reached = (name: string, look: Check[1]): Check => [
    name,
    () => (is.reached ? look() : null),
  ];
  const made = (name: string, look: Check[1]): Check => [name, () => (is.made ? look() : null)];
  return [
    [
      'database',
      async () => {
        const found = await checkServer(db, config);
        is.reached = true;
        return found;
      },
    ],
    reached('standby', () => checkStandby(db)),
    reached('schema', async () => {
      const pending = await pendingMigrations(db);
      is.made = pending.length === 0;
      return data.checkSchema(pending);
    }),
    reached('clock', () => checkClock(db)),
    reached('connections', () => checkConnections(db)),
    made('nodes', () => checkNodes(db)),
    made('sealing key', async () => {
      const { holding } = await countNodes(db);
      return data.checkSealingKey(makeSecretStore(makeRunner(db)), config, holding);
    }),
    made('failures', async () => data.checkFailures(await countFailures(db, now))),
    made('webhooks', async () =>
      network.checkWebhooks(await listWebhooks(db), { allowLocal: false }),
    ),
  ];
}

/** A line for each thing that is not as it should be, or one for all. */
async function checkServer(
  db: Database,
  { store, allowUnsafeStore }: Config,
): Promise<readonly Finding[]> {
  const place = placeOf(store!);
  const row = await db
    .get("SELECT current_setting('server_version') AS version")
    .catch((error: Error) => {
      throw new Error(`${place} cannot be reached: ${error.message}`);
    });
  const faults = await findSettingFaults(db);
  if (faults.length === 0) return [ok('database', `${place}, PostgreSQL ${row!['version']}`)];
  return faults.map(({ kind, text }) =>
    kind === 'unsafe' && allowUnsafeStore
      ? warn('database', `${place}: ${text}`, 'for tests only: restore the default')
      : fail('database', `${place}: ${text}`, 'restore the default, and reload the server'),
  );
}

async function checkStandby(db: Database): Promise<Finding> {
  const row = (await db.get(
    `SELECT current_setting('synchronous_standby_names') AS names,
       (SELECT count(*) FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')) AS n`,
  ))!;
  if (row['names'] === '') {
    const found = 'commits wait for no standby: acknowledged data is on one machine only';
    return warn(
      'standby',
      found,
      'set synchronous_standby_names (docs/guides/running-a-cluster.md, The database), or accept it',
    );
  }
  return Number(row['n']) > 0
    ? ok('standby', `${row['n']} synchronous`)
    : fail(
        'standby',
        `${row['names']}: none is connected, so no commit completes`,
        'start a standby',
      );
}

async function checkClock(db: Database): Promise<Finding> {
  const asked = Date.now();
  const row = await db.get('SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now');
  const skewMs = Math.round(Number(row!['now']) - (asked + Date.now()) / 2);
  const found = `${skewMs} ms between the database's clock and this machine's`;
  const todo = 'synchronise both clocks with NTP';
  if (Math.abs(skewMs) >= SKEW_MS_FAIL) return fail('clock', found, todo);
  return Math.abs(skewMs) >= SKEW_MS_WARN ? warn('clock', found, todo) : ok('clock', found);
}

/** One node more has to fit in: while nodes are replaced there are both. */
async function checkConnections(db: Database): Promise<Finding> {
  const row = (await db.get(
    `SELECT current_setting('max_connections')::int
         - current_setting('superuser_reserved_connections')::int AS max,
       (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS open`,
  ))!;
  const [max, open] = [Number(row['max']), Number(row['open'])];
  const found = `${open} of ${max} are open; a node needs up to ${CONNECTIONS_A_NODE}`;
  return max - open >= CONNECTIONS_A_NODE
    ? ok('connections', found)
    : warn('connections', found, 'raise max_connections, or stop other programs on this server');
}

async function countNodes(db: Database) {
  const rows = await db.all(
    `SELECT lease_until > extract(epoch FROM clock_timestamp()) * 1000 AS holds, draining
     FROM node WHERE lease_until > 0`,
  );
  const holding = rows.filter((row) => row['holds'] === true);
  const draining = holding.filter((row) => row['draining'] === true).length;
  return { holding: holding.length, draining };
}

async function checkNodes(db: Database): Promise<Finding> {
  const { holding, draining } = await countNodes(db);
  const found = `${holding} serve${draining > 0 ? `, ${draining} of them draining` : ''}`;
  return holding > 0
    ? ok('nodes', found)
    : warn('nodes', 'none serves', 'start the service, if it should run');
}

async function countFailures(db: Database, now: number): Promise<number> {
  const row = await db.get(
    "SELECT sum(n) AS n FROM usage WHERE kind = 'failed' AND day >= $1",
    data.yesterday(now),
  );
  return Number(row?.['n'] ?? 0);
}

function listWebhooks(db: Database) {
  return db.all(network.CHECKED_WEBHOOKS);
}
