/** The targets of faults: matchd processes, their database and their brokers, and the connections between. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEV_KEYS_FILE, databaseFile } from '../../src/config.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { type NatsServers, startNats } from '../../src/testing/servers/nats.ts';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';
import { freePort, type ServerProcess, startServer } from '../parts/server-process.ts';
import type { Chance } from './chance.ts';
import { type Line, openLine } from './line.ts';
import { openPostgresPair, type PostgresPair } from './postgres-pair.ts';
import { makeTenant, type TenantKeys } from './tenant.ts';

export interface FleetNode {
  readonly name: string;
  readonly dataDir: string;
  readonly url: string;
  /** Between this node and the database; null with its own file. */
  readonly storeLine: Line | null;
  /** Between this node and each broker. */
  readonly busLines: readonly Line[];
  isUp(): boolean;
  start(): Promise<void>;
  kill(): Promise<void>;
  /** SIGTERM; returns the exit code. */
  stop(): Promise<number | null>;
  pause(): void;
  resume(): void;
  /** Sessions that this process owns and that are active. */
  owned(): Promise<readonly string[]>;
  /** The end of the standard error of all its processes. */
  log(): string;
}

export interface Fleet {
  readonly nodes: readonly FleetNode[];
  readonly store: PostgresPair | null;
  readonly brokers: NatsServers | null;
  readonly keys: TenantKeys;
  /** The node that a client tries next. Clients do not know which ones are up. */
  url(): string;
  close(): Promise<void>;
}

export interface FleetWish {
  /** 1 is one process with SQLite, which has neither database nor brokers to lose. */
  readonly nodes: number;
  readonly chance: Chance;
}

const LOG_CHARS_MAX = 2_000_000;
const SEALING_KEY_BYTES = 32;

export const BROKERS = 3;
/** Otherwise clients learn the servers' own ports, and bypass the lines. */
export const BROKER_FLAGS = ['--no_advertise'];

export async function openFleet({ nodes: count, chance }: FleetWish): Promise<Fleet> {
  const folder = makeTempFolder();
  const closers: (() => Promise<unknown>)[] = [async () => removeFolder(folder)];
  const isCluster = count > 1;
  const store = isCluster ? await openPostgresPair() : null;
  if (store !== null) closers.push(() => store.close());
  const brokers = isCluster ? await startNats(BROKERS, BROKER_FLAGS) : null;
  if (brokers !== null) closers.push(() => brokers.stop());
  const close = async (): Promise<void> => {
    for (const each of closers.reverse()) await each().catch(() => {});
  };
  try {
    const keys = await makeKeys(folder, store);
    const nodes: FleetNode[] = [];
    const shared = sharedSettings(chance);
    for (let i = 0; i < count; i++) {
      const node = await makeNode(`n${i + 1}`, join(folder, `n${i + 1}`), store, brokers, shared);
      closers.push(() => node.kill());
      nodes.push(node);
    }
    // The first creates the tables and the demo tenant; the others find its keys and create none.
    await nodes[0]!.start();
    for (const node of nodes.slice(1)) {
      copyKeys(join(folder, 'n1'), join(folder, node.name));
      await node.start();
    }
    return { nodes, store, brokers, keys, url: () => chance.pick(nodes).url, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Settings that must be equal on all nodes. */
function sharedSettings(chance: Chance): Record<string, string> {
  const bytes = Uint8Array.from({ length: SEALING_KEY_BYTES }, () => chance.below(256));
  return { MATCHD_SEALING_KEY: Buffer.from(bytes).toString('base64') };
}

async function makeKeys(folder: string, pair: PostgresPair | null): Promise<TenantKeys> {
  if (pair === null) {
    mkdirSync(join(folder, 'n1'), { mode: 0o700 });
    const store = await openSqliteStore(databaseFile(join(folder, 'n1')));
    return makeTenant(store).finally(() => store.close());
  }
  const { openPostgresStore } = await import('../../src/store/postgres/postgres-store.ts');
  const store = await openPostgresStore({ url: urlOf(pair.port, pair.database), node: 'nod_keys' });
  return makeTenant(store).finally(() => store.close());
}

function copyKeys(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  writeFileSync(join(to, DEV_KEYS_FILE), readFileSync(join(from, DEV_KEYS_FILE)), { mode: 0o600 });
}

function urlOf(port: number, database: string): string {
  return `postgres://matchd@127.0.0.1:${port}/${database}`;
}

async function makeNode(
  name: string,
  dataDir: string,
  store: PostgresPair | null,
  brokers: NatsServers | null,
  shared: Readonly<Record<string, string>>,
): Promise<FleetNode> {
  const port = await freePort();
  const storeLine = store === null ? null : await openLine(store.port);
  const busLines = await Promise.all((brokers?.ports ?? []).map((target) => openLine(target)));
  const env = { ...shared, MATCHD_LOG_LEVEL: 'info' };
  if (storeLine !== null && store !== null) {
    Object.assign(env, {
      MATCHD_STORE: urlOf(storeLine.port, store.database),
      MATCHD_BUS: busLines.map((line) => `nats://127.0.0.1:${line.port}`).join(),
    });
  }
  let server: ServerProcess | null = null;
  let id: string | null = null;
  let logBefore = '';
  const ended = (): void => {
    logBefore = `${logBefore}${server?.log() ?? ''}`.slice(-LOG_CHARS_MAX);
    server = null;
  };
  const node: FleetNode = {
    name,
    dataDir,
    url: `http://127.0.0.1:${port}`,
    storeLine,
    busLines,
    isUp: () => server !== null,
    async start() {
      const before = new Set(await nodeIds(store));
      server = await startServer({ port, dataDir, env });
      id = (await nodeIds(store)).find((each) => !before.has(each)) ?? null;
    },
    async kill() {
      const killed = server;
      ended();
      await killed?.kill();
      for (const line of killed === null ? [storeLine, ...busLines] : []) await line?.close();
    },
    async stop() {
      const stopped = server;
      const code = (await stopped?.stop()) ?? null;
      ended();
      return code;
    },
    pause: () => server?.pause(),
    resume: () => server?.resume(),
    owned: () => ownedBy(store, id),
    log: () => `${logBefore}${server?.log() ?? ''}`.slice(-LOG_CHARS_MAX),
  };
  return node;
}

async function nodeIds(store: PostgresPair | null): Promise<string[]> {
  if (store === null) return [];
  const rows = await store.query<{ id: string }>('SELECT id FROM node');
  return rows.map(({ id }) => id);
}

async function ownedBy(store: PostgresPair | null, id: string | null): Promise<string[]> {
  if (store === null || id === null) return [];
  const text = "SELECT id FROM session WHERE holder = $1 AND status = 'active'";
  const rows = await store.query<{ id: string }>(text, [id]);
  return rows.map((row) => row.id);
}
