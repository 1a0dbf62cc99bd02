/**
 * A throw-away PostgreSQL for tests: from the machine's own packages, on 127.0.0.1, ended with the
 * process that started it. One server serves all tests of a process; each uses its own database.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { makeTempFolder } from '../temp-folder.ts';
import { exitOf, findFreePorts, ordinaryUser } from './child-server.ts';
import { guardServer } from './guard.ts';
import { giveToServer, makeData, SUPERUSER } from './postgres-data.ts';

/** Where Debian-like systems keep the servers, by version; `MATCHD_TEST_POSTGRES` sets another path. */
const DEBIAN_FOLDER = '/usr/lib/postgresql';
const PORTS = { from: 20_000, to: 32_000 };
const START_TIMEOUT_MS = 20_000;
const RETRY_MS = 50;

/** The folder with `initdb` and `postgres`; null without a server. */
export function findPostgres(): string | null {
  const asked = process.env['MATCHD_TEST_POSTGRES'];
  const versions = existsSync(DEBIAN_FOLDER) ? readdirSync(DEBIAN_FOLDER) : [];
  const folders = [
    ...(asked === undefined ? [] : [asked]),
    ...versions
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(DEBIAN_FOLDER, version, 'bin')),
  ];
  return folders.find((folder) => existsSync(join(folder, 'initdb'))) ?? null;
}

/** False is reported: tests that need a server are then skipped (`describe.skipIf`). */
export function isPostgresHere(): boolean {
  const isHere = findPostgres() !== null;
  if (!isHere) {
    console.error(
      'SKIPPED: no PostgreSQL server is installed (Debian: apt-get install postgresql)',
    );
  }
  return isHere;
}

export interface PostgresServer {
  readonly port: number;
  /** Its processes, the first one first. */
  pids(): readonly number[];
  /** Creates an empty database, or a copy of the one with this URL; returns its URL. */
  createDatabase(template?: string): Promise<string>;
  /** Kills all of the server's processes, like a power cut. */
  kill(): Promise<void>;
  /** Starts it again on the same port and data. */
  restart(): Promise<void>;
  /** Stops it and removes its data. */
  stop(): Promise<void>;
}

/** Pauses all of the server's processes, or resumes them. */
export function signalPostgres(postgres: PostgresServer, name: 'SIGSTOP' | 'SIGCONT'): void {
  for (const pid of postgres.pids()) process.kill(pid, name);
}

/** Makes it read-only, like a standby before it is promoted. */
export async function setReadOnly({ port }: PostgresServer, is: boolean): Promise<void> {
  await ask(port, `ALTER SYSTEM SET default_transaction_read_only = ${is ? 'on' : 'off'}`);
  await ask(port, 'SELECT pg_reload_conf()');
}

/** Settings as `name=value`, in addition to those of every test server. */
export async function startPostgres(settings: readonly string[] = []): Promise<PostgresServer> {
  const bin = findPostgres();
  if (bin === null) throw new Error('There is no PostgreSQL here');
  const folder = makeTempFolder();
  const data = join(folder, 'data');
  giveToServer(folder);
  await makeData(bin, data);
  const asUser = ordinaryUser() ?? {};
  const port = (await findFreePorts(1, PORTS))[0]!;
  let release = (): void => undefined;
  const start = async (): Promise<ChildProcess> => {
    const flags = [`port=${port}`, 'listen_addresses=127.0.0.1', `unix_socket_directories=`];
    // One sync of the file system, instead of one of each file, when it starts after a crash.
    const quick = 'recovery_init_sync_method=syncfs';
    // Stored with the data, and so removed with it; /dev/shm would keep a killed server's memory.
    const shared = 'dynamic_shared_memory_type=mmap';
    const all = [...flags, 'fsync=on', 'max_connections=200', quick, shared, ...settings];
    const args = ['-D', data, ...all.flatMap((each) => ['-c', each])];
    const options = { ...asUser, cwd: folder, stdio: 'ignore' as const };
    const child = spawn(join(bin, 'postgres'), args, options);
    child.unref();
    release = guardServer(child.pid!, folder);
    await untilReady(port, child);
    return child;
  };
  const end = async (): Promise<void> => {
    release();
    await endAll(child);
  };
  let child = await start();
  let databases = 0;
  return {
    port,
    pids: () => pidsOf(child),
    async createDatabase(template) {
      databases += 1;
      const name = `test_${databases}`;
      const from = template === undefined ? 'template1' : new URL(template).pathname.slice(1);
      await ask(port, `CREATE DATABASE ${name} TEMPLATE ${from}`);
      return urlOf(port, name);
    },
    kill: end,
    async restart() {
      child = await start();
    },
    async stop() {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

let shared: Promise<PostgresServer> | null = null;

/** The server of this process, started on first use and ended with the process. */
export function sharedPostgres(): Promise<PostgresServer> {
  shared ??= startPostgres();
  return shared;
}

/** A new empty database on the server of this process. */
export async function freshDatabase(): Promise<string> {
  return await (await sharedPostgres()).createDatabase();
}

function urlOf(port: number, database: string): string {
  return `postgres://${SUPERUSER}@127.0.0.1:${port}/${database}`;
}

export async function untilReady(port: number, child: ChildProcess): Promise<void> {
  const until = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    try {
      await ask(port, 'SELECT 1');
      return;
    } catch (error) {
      if (child.exitCode !== null || Date.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

export async function ask(port: number, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf(port, 'postgres') });
  // The server may stop meanwhile; the promise below reports it.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(sql);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Empty if it is gone. */
function pidsOf({ pid, exitCode, signalCode }: ChildProcess): readonly number[] {
  if (pid === undefined || exitCode !== null || signalCode !== null) return [];
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
  return [pid, ...children.filter((id) => id !== '').map(Number)];
}

/** Each of its processes has its own session: they are killed by id. */
export function killAll(child: ChildProcess): void {
  for (const pid of pidsOf(child)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It is gone.
    }
  }
}

/** The same, and waits for each: no server starts on data that a former process still has open. */
export async function endAll(child: ChildProcess): Promise<void> {
  const pids = pidsOf(child);
  const gone = exitOf(child);
  killAll(child);
  await gone;
  while (pids.some(isThere)) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
}

/** A zombie process holds nothing. */
function isThere(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
