/** `matchd doctor`: looks at all that a service needs, changes nothing, and says what to do. */

import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { Config, ConfigReading } from '../../config.ts';
import { DEV_KEYS_FILE, databaseFile, warningsOf } from '../../config.ts';
import {
  type Database,
  openDatabase as openServer,
} from '../../store/postgres/connect/database.ts';
import { pendingMigrations } from '../../store/sqlite/file/migrate.ts';
import { openDatabase } from '../../store/sqlite/file/open.ts';
import { makeSecretReads } from '../../store/sqlite/secrets.ts';
import { databaseBytes } from '../store/data-file.ts';
import type { Answer } from '../terminal/answer.ts';
import type { Progress } from '../terminal/progress.ts';
import { checkBus } from './doctor-bus.ts';
import * as data from './doctor-data.ts';
import { checkGames } from './doctor-games.ts';
import * as machine from './doctor-machine.ts';
import * as network from './doctor-network.ts';
import { sharedChecks } from './doctor-shared.ts';
import { type Check, type Finding, type Found, fail, ok, report, warn } from './finding.ts';

export interface DoctorDeps {
  readonly reading: ConfigReading;
  /** Look at every page of the database, however large it is. */
  readonly isDeep: boolean;
  readonly now: number;
  readonly say: Progress;
}

/** Checks that may take a while. */
const SLOW: ReadonlySet<string> = new Set(['database', 'public URL', 'webhooks', 'bus']);

export async function examine(deps: DoctorDeps): Promise<Answer> {
  const { reading, say } = deps;
  const shared = reading.ok ? reading.config.store : null;
  const checks: Check[] = [
    ['runtime', machine.checkRuntime],
    ...(shared === null ? [['sqlite', machine.checkSqlite] as const] : []),
    ['open files', machine.checkOpenFiles],
    ['configuration', () => checkConfig(reading)],
  ];
  const db = reading.ok && shared === null ? openIfThere(reading.config.dataDir) : null;
  const server = shared === null ? null : openShared(shared);
  if (reading.ok) {
    checks.push(['games', () => checkGames(reading.config.games)]);
    checks.push(...checksOf(reading.config, { db, server }, deps));
  }
  const findings: Finding[] = [];
  try {
    for (const [name, look] of checks) {
      if (SLOW.has(name)) say(name);
      findings.push(...(await tryOne(name, look)));
    }
  } finally {
    db?.close();
    await server?.close();
  }
  return report(findings);
}

/** A check that cannot be made is a failure like any other. */
async function tryOne(name: string, look: Check[1]): Promise<readonly Finding[]> {
  try {
    const found = await look();
    if (found === null) return [];
    return 'check' in found ? [found] : found;
  } catch (error) {
    return [fail(name, (error as Error).message, 'check that this user may reach and read it')];
  }
}

function openIfThere(dataDir: string): DatabaseSync | null {
  try {
    const file = databaseFile(dataDir);
    return existsSync(file) ? openDatabase(file, 'read') : null;
  } catch {
    return null; // `checkDatabase` says why.
  }
}

function openShared(url: string): Database {
  return openServer({ url, max: 1, name: 'matchd doctor', onHead: () => {} });
}

/** What the data is in, as far as it can be opened. */
interface Databases {
  readonly db: DatabaseSync | null;
  readonly server: Database | null;
}

function checksOf(config: Config, { db, server }: Databases, deps: DoctorDeps): readonly Check[] {
  const { dataDir, host, port, publicUrl } = config;
  const wires: readonly Check[] = [
    ['port', () => network.checkPort(host, port)],
    ['public URL', () => network.checkPublicUrl(publicUrl)],
  ];
  if (server !== null) {
    const bus: Check = ['bus', () => checkBus(config.bus)];
    return [...sharedChecks(server, config, deps.now), bus, ...wires];
  }
  if (!existsSync(dataDir)) {
    const none = warn(
      'data folder',
      `${dataDir} does not exist`,
      'the service creates it; check --data',
    );
    return [['data folder', () => none], ...wires];
  }
  return [
    ...folderChecks(dataDir, db, deps),
    ...(db === null ? [] : storeChecks(db, config, deps)),
    ...wires,
  ];
}

function folderChecks(
  dataDir: string,
  db: DatabaseSync | null,
  { isDeep }: DoctorDeps,
): readonly Check[] {
  const file = databaseFile(dataDir);
  const none = warn('database', `${file} does not exist`, 'the service creates it; check --data');
  return [
    ['data folder', () => data.checkFolder(dataDir)],
    ['files', () => data.checkFiles(dataDir)],
    ['development', () => data.checkDevelopment(dataDir)],
    ['disk space', () => machine.checkFreeSpace(dataDir, db === null ? 0 : databaseBytes(db))],
    ['file system', () => machine.checkFileSystem(dataDir)],
    ['flush to disk', () => machine.checkFlush(dataDir)],
    ['database', () => (existsSync(file) ? data.checkDatabase(dataDir, isDeep) : none)],
    ['write-ahead log', () => data.checkWal(dataDir)],
    ['commits', () => data.checkLost(dataDir)],
  ];
}

function storeChecks(db: DatabaseSync, config: Config, { now }: DoctorDeps): readonly Check[] {
  // What development made, development may reach.
  const allowLocal = existsSync(`${config.dataDir}/${DEV_KEYS_FILE}`);
  return [
    ['schema', () => data.checkSchema(pendingMigrations(db))],
    ['clock', () => data.checkClock(db, now)],
    ['sealing key', () => data.checkSealingKey(makeSecretReads(db), config)],
    ['failures', () => data.checkFailures(countFailures(db, now))],
    ['webhooks', () => network.checkWebhooks(listWebhooks(db), { allowLocal })],
  ];
}

function countFailures(db: DatabaseSync, now: number): number {
  const row = db
    .prepare("SELECT sum(n) AS n FROM usage WHERE kind = 'failed' AND day >= ?")
    .get(data.yesterday(now));
  return Number(row?.['n'] ?? 0);
}

function listWebhooks(db: DatabaseSync) {
  return db.prepare(network.CHECKED_WEBHOOKS).all();
}

function checkConfig(reading: ConfigReading): Found {
  if (!reading.ok) {
    return reading.problems.map((problem) =>
      fail('configuration', problem, 'run matchd config to see every setting'),
    );
  }
  const { host, publicUrl, trustedProxies } = reading.config;
  const warnings = warningsOf(reading.config).map((text) =>
    warn('configuration', text, 'put a TLS proxy in front of it, and set its https URL'),
  );
  const isProxied = publicUrl?.startsWith('https://') === true && trustedProxies.length === 0;
  if (isProxied) {
    const found = `${publicUrl} is served by a proxy that is not trusted: all callers share one address`;
    const todo = 'name the proxy: --trusted-proxies 127.0.0.1';
    warnings.push(warn('configuration', found, todo));
  }
  return warnings.length > 0 ? warnings : ok('configuration', `valid, to listen on ${host}`);
}
