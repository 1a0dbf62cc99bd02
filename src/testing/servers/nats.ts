/**
 * Throw-away NATS servers for tests: the machine's own package, on 127.0.0.1, ended with the
 * process that started them. They form a cluster, and each can be killed and restarted.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { exitOf, findFreePorts, ordinaryUser } from './child-server.ts';
import { guardServer } from './guard.ts';

/** Where packages install the server; `MATCHD_TEST_NATS` sets another path. */
const FILES = ['/usr/sbin/nats-server', '/usr/bin/nats-server', '/usr/local/bin/nats-server'];
const PORTS = { from: 10_000, to: 19_000 };
const START_TIMEOUT_MS = 10_000;
const RETRY_MS = 20;

/** The server's program; null if there is none. */
export function findNats(): string | null {
  const asked = process.env['MATCHD_TEST_NATS'];
  return (
    [...(asked === undefined ? [] : [asked]), ...FILES].find((file) => existsSync(file)) ?? null
  );
}

/** False is reported: tests that need a server are then skipped (`describe.skipIf`). */
export function isNatsHere(): boolean {
  const isHere = findNats() !== null;
  if (!isHere) {
    console.error('SKIPPED: no nats-server is installed (Debian: apt-get install nats-server)');
  }
  return isHere;
}

export interface NatsServers {
  /** For clients, one per server. */
  readonly urls: readonly string[];
  readonly ports: readonly number[];
  /** Of the running processes. */
  pids(): readonly number[];
  /** Kills one. */
  kill(at: number): Promise<void>;
  /** Restarts one on its port. */
  start(at: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts that many servers as a cluster; `flags` go to each. */
export async function startNats(
  count: number,
  flags: readonly string[] = [],
): Promise<NatsServers> {
  const program = findNats();
  if (program === null) throw new Error('There is no nats-server here');
  const ports = await findFreePorts(2 * count, PORTS);
  const routes = ports.slice(count).map((port) => `nats://127.0.0.1:${port}`);
  const children: (ChildProcess | null)[] = [];
  const guards: (() => void)[] = [];
  const start = async (at: number): Promise<void> => {
    const others = routes.filter((_, index) => index !== at);
    const cluster = ['--cluster_name', 'test', '--cluster', routes[at]!];
    const joined = count > 1 ? [...cluster, '--routes', others.join()] : [];
    const args = ['-a', '127.0.0.1', '-p', String(ports[at]), ...joined, ...flags];
    const child = spawn(program, args, { ...ordinaryUser(), cwd: '/', stdio: 'ignore' });
    child.unref();
    children[at] = child;
    guards[at] = guardServer(child.pid!, null);
    await untilListening(ports[at]!, child);
  };
  const kill = async (at: number): Promise<void> => {
    const child = children[at];
    if (child == null) return;
    const gone = exitOf(child);
    guards[at]!();
    child.kill('SIGKILL');
    await gone;
    children[at] = null;
  };
  await Promise.all(routes.slice(0, count).map((_, at) => start(at)));
  return {
    urls: ports.slice(0, count).map((port) => `nats://127.0.0.1:${port}`),
    ports: ports.slice(0, count),
    pids: () => children.flatMap((child) => child?.pid ?? []),
    kill,
    start,
    async stop() {
      await Promise.all(children.map((_, at) => kill(at)));
    },
  };
}

async function untilListening(port: number, child: ChildProcess): Promise<void> {
  const until = Date.now() + START_TIMEOUT_MS;
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`nats-server ended with ${child.exitCode}`);
    if (Date.now() > until) throw new Error('nats-server does not start');
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
