/** A PostgreSQL with a synchronous standby: killed, restarted, and replaced by the standby. */

import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  closeSync,
  openSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { ordinaryUser } from '../../src/testing/servers/child-server.ts';
import {
  ask,
  endAll,
  findPostgres,
  killAll,
  untilReady,
} from '../../src/testing/servers/postgres.ts';
import { SUPERUSER } from '../../src/testing/servers/postgres-data.ts';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';
import { freePort } from '../parts/server-process.ts';

export interface PostgresPair {
  /** The writable server's address. It moves with a promotion. */
  readonly port: number;
  /** The name of the database. */
  readonly database: string;
  /** The port for clients, of the server that takes writes. */
  readonly url: string;
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /**
   * From now on the standby gets nothing, and commits wait for it, until the returned function is
   * called.
   */
  silence(): Promise<() => Promise<void>>;
  /** Ends the primary without warning and starts it again on its data. */
  crash(): Promise<void>;
  /**
   * Makes the standby the primary while the old one still runs, calls `moved` with the new port,
   * then ends the old one. Commits wait for no standby until `renew`.
   */
  promote(moved: (port: number) => void): Promise<void>;
  /** Makes a new standby, and has commits wait for it again. */
  renew(): Promise<void>;
  close(): Promise<void>;
}

const DATABASE = 'matchd';
const STANDBY = 'standby';
const SYNCHRONOUS = `ANY 1 (${STANDBY})`;
const SETTINGS = [
  'fsync=on',
  'max_connections=200',
  'unix_socket_directories=',
  // Otherwise each start after a crash syncs a thousand files one by one.
  'recovery_init_sync_method=syncfs',
  'listen_addresses=127.0.0.1',
  // The other server must not wait long for one that is gone.
  'wal_receiver_timeout=5s',
  'wal_sender_timeout=5s',
  'wal_keep_size=256MB',
];
const STEP_MS_MAX = 30_000;
const LOOK_AGAIN_MS = 50;

const run = promisify(execFile);

/** One server of the two. */
interface Server {
  readonly data: string;
  readonly port: number;
  child: ChildProcess | null;
}

interface Place {
  readonly bin: string;
  readonly folder: string;
  readonly asUser: { readonly uid?: number; readonly gid?: number };
}

export async function openPostgresPair(): Promise<PostgresPair> {
  const place = makePlace();
  let primary: Server = { data: join(place.folder, 'a'), port: await freePort(), child: null };
  const flags = ['-U', SUPERUSER, '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '-N', '-k'];
  const options = { ...place.asUser, cwd: place.folder, stdio: 'pipe' as const };
  execFileSync(join(place.bin, 'initdb'), ['-D', primary.data, ...flags], options);
  await start(place, primary);
  await ask(primary.port, `CREATE DATABASE ${DATABASE}`);
  let standby: Server | null = null;
  const renew = async (): Promise<void> => {
    const letter = primary.data.endsWith('a') ? 'b' : 'a';
    standby = { data: join(place.folder, letter), port: await freePort(), child: null };
    await copyPrimary(place, primary, standby);
    await start(place, standby);
    await ask(primary.port, `ALTER SYSTEM SET synchronous_standby_names = '${SYNCHRONOUS}'`);
    await ask(primary.port, 'SELECT pg_reload_conf()');
    await untilFollowed(primary, true);
  };
  await renew();
  const onExit = (): void => {
    for (const each of [primary, standby]) if (each?.child != null) killAll(each.child);
    removeFolder(place.folder);
  };
  process.once('exit', onExit);
  return {
    get port() {
      return primary.port;
    },
    get url() {
      return urlOf(primary.port);
    },
    database: DATABASE,
    silence: () => silence(primary, standby!),
    query: (text, values = []) => query(primary.port, text, values),
    async crash() {
      await end(primary);
      await start(place, primary);
    },
    async promote(moved) {
      const old = primary;
      if (standby === null) throw new Error('There is no standby to promote');
      appendFileSync(
        join(standby.data, 'postgresql.auto.conf'),
        "synchronous_standby_names = ''\n",
      );
      standby.child!.kill('SIGHUP');
      await run(join(place.bin, 'pg_ctl'), ['promote', '-w', '-D', standby.data], {
        ...place.asUser,
        cwd: place.folder,
      });
      primary = standby;
      standby = null;
      moved(primary.port);
      await end(old);
    },
    renew,
    async close() {
      for (const each of [primary, standby]) if (each !== null) await end(each);
      process.off('exit', onExit);
      removeFolder(place.folder);
    },
  };
}

function makePlace(): Place {
  const bin = findPostgres();
  if (bin === null) throw new Error('There is no PostgreSQL here');
  const folder = makeTempFolder();
  const user = ordinaryUser();
  if (user === null) return { bin, folder, asUser: {} };
  chownSync(folder, user.uid, user.gid);
  return { bin, folder, asUser: user };
}

async function start({ bin, folder, asUser }: Place, server: Server): Promise<void> {
  const args = ['-D', server.data, '-c', `port=${server.port}`];
  for (const setting of SETTINGS) args.push('-c', setting);
  const log = `${server.data}.log`;
  const file = openSync(log, 'a');
  const child = spawn(join(bin, 'postgres'), args, {
    ...asUser,
    cwd: folder,
    stdio: ['ignore', 'ignore', file],
  });
  closeSync(file);
  server.child = child;
  await untilReady(server.port, child).catch((error: unknown) => {
    throw new Error(
      `PostgreSQL did not start: ${error}\n${readFileSync(log, 'utf8').slice(-2_000)}`,
    );
  });
}

async function end(server: Server): Promise<void> {
  if (server.child === null) return;
  await endAll(server.child);
  server.child = null;
}

async function copyPrimary(place: Place, from: Server, to: Server): Promise<void> {
  rmSync(to.data, { recursive: true, force: true });
  const source = `host=127.0.0.1 port=${from.port} user=${SUPERUSER} application_name=${STANDBY}`;
  await run(
    join(place.bin, 'pg_basebackup'),
    ['-D', to.data, '-d', source, '-R', '-X', 'stream', '-c', 'fast', '-N'],
    { ...place.asUser, cwd: place.folder },
  );
  chmodSync(to.data, 0o700);
}

async function silence(primary: Server, { port }: Server): Promise<() => Promise<void>> {
  const [found] = await query<{ primary_conninfo: string }>(port, 'SHOW primary_conninfo', []);
  const follow = async (where: string): Promise<void> => {
    await ask(port, `ALTER SYSTEM SET primary_conninfo = '${where.replaceAll("'", "''")}'`);
    await ask(port, 'SELECT pg_reload_conf()');
  };
  await follow('');
  await untilFollowed(primary, false);
  return () => follow(found!.primary_conninfo);
}

async function untilFollowed({ port }: Server, isFollowed: boolean): Promise<void> {
  const until = Date.now() + STEP_MS_MAX;
  const text = "SELECT 1 FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')";
  while ((await query(port, text, [])).length > 0 !== isFollowed) {
    if (Date.now() > until) throw new Error('The standby does not do as it is told');
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}

function urlOf(port: number): string {
  return `postgres://${SUPERUSER}@127.0.0.1:${port}/${DATABASE}`;
}

async function query<Row extends object>(
  port: number,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const client = new pg.Client({
    connectionString: urlOf(port),
    connectionTimeoutMillis: 2_000,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query<Row>(text, [...values])).rows;
  } finally {
    await client.end().catch(() => {});
  }
}
