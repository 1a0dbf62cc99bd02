/** The store that several nodes share: a PostgreSQL database. */

import type { AuditKeysInUse } from '../audit-keys.ts';
import { makeAreas } from '../scripts/areas.ts';
import { makeSecretStore } from '../scripts/cluster/secrets.ts';
import { makeAuditKeyCalls } from '../scripts/journal/audit-keys.ts';
import { makeNodeStore, type NodeStore } from '../scripts/nodes.ts';
import type { OnBatch } from '../shared/batches.ts';
import type { Store } from '../whole-store.ts';
import { LANES, makeSessionWrites } from './commits/session-writes.ts';
import { type Database, openDatabase } from './connect/database.ts';
import { checkSettings } from './connect/settings.ts';
import { makeHeads } from './heads.ts';
import { migrate } from './migrate.ts';
import { placeOf } from './place.ts';
import { makeRunner } from './runner.ts';

/** Connections for everything that is not part of a move. */
const POOL_MAX = 8;
/** For heartbeats: the most that may be pending while the server does not answer. */
const BEATS_MAX = 6;

/** The most connections that one node opens. For heartbeats it uses one or two, more only in a failover. */
export const CONNECTIONS_A_NODE = POOL_MAX + LANES + BEATS_MAX;

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string;
  /** The id of this process's run, stored in the rows that it owns. */
  readonly node: string;
  /** Serves even if the server may lose acknowledged writes (`--allow-unsafe-store`). */
  readonly allowUnsafe?: boolean;
  /** Called for each batch of commits and new sessions. */
  readonly onBatch?: OnBatch;
}

export type PostgresStore = Store & NodeStore;

/**
 * Opens the database, migrated if need be; any number of nodes may. Rejects, naming the database
 * but no password, when it cannot be reached, is another program's, or has unsafe settings.
 */
export async function openPostgresStore(options: PostgresOptions): Promise<PostgresStore> {
  const { url, node } = options;
  await prepare(options);
  const heads = makeHeads();
  const inUse: AuditKeysInUse = { keys: [] };
  const auditKeys = () => inUse.keys;
  const open = (max: number, name: string): Database =>
    openDatabase({ url, max, name, node, onHead: heads.tell, auditKeys });
  const db = open(POOL_MAX, `matchd ${node}`);
  const lanes = open(LANES, `matchd ${node} log`);
  const beats = open(BEATS_MAX, `matchd ${node} lease`);
  const stopWatching = heads.watch(db);
  const runner = makeRunner(db);
  const { settled, isFailing, ...sessions } = makeSessionWrites({
    db: lanes,
    onHead: heads.tell,
    onBatch: options.onBatch,
  });
  const { stopRetrying, ...nodes } = makeNodeStore(runner, makeRunner(beats));
  const areas = makeAreas(runner, node);
  return {
    ...areas,
    ...sessions,
    ping: async () => (await areas.ping()) && !isFailing(),
    ...makeSecretStore(runner),
    onEvents: heads.listen,
    ...makeAuditKeyCalls(runner, inUse),
    async useAuditKeys(keys) {
      inUse.keys = keys;
    },
    ...nodes,
    async close() {
      stopWatching();
      stopRetrying();
      await settled();
      await lanes.close();
      await beats.close();
      await db.close();
    },
  };
}

/** A later migration may take longer than the usual timeout. */
async function prepare({ url, node, allowUnsafe = false }: PostgresOptions): Promise<void> {
  const name = `matchd ${node} migrate`;
  const db = openDatabase({ url, max: 1, name, onHead: () => {}, isPatient: true });
  try {
    await checkSettings(db, allowUnsafe);
    await migrate(db);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${placeOf(url)} cannot be used as matchd's database: ${reason}`, {
      cause: error,
    });
  } finally {
    await db.close();
  }
}
