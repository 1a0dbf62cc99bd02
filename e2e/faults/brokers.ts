/** Three NATS servers that know each other; each can be killed and started again. */

import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { connect } from 'node:net';
import { exitOf, killAll, ordinaryUser } from '../../src/testing/servers/postgres.ts';
import { freePort } from '../server-process.ts';

export interface Brokers {
  /** Where each takes clients. */
  readonly ports: readonly number[];
  kill(index: number): Promise<void>;
  start(index: number): Promise<void>;
  close(): Promise<void>;
}

const COUNT = 3;
const PROGRAM = 'nats-server';
const FOLDERS = ['/usr/sbin', '/usr/bin', '/usr/local/bin'];
const READY_MS_MAX = 10_000;
const LOOK_AGAIN_MS = 20;

/** The program's file; null where there is none. */
export function findNatsServer(): string | null {
  const asked = process.env['MATCHD_TEST_NATS'];
  const files = asked === undefined ? FOLDERS.map((folder) => `${folder}/${PROGRAM}`) : [asked];
  return files.find(isProgram) ?? null;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export async function openBrokers(): Promise<Brokers> {
  const file = findNatsServer();
  if (file === null) throw new Error('There is no nats-server here');
  const ports: number[] = [];
  const children: (ChildProcess | null)[] = Array.from({ length: COUNT }, () => null);
  const routes: number[] = [];
  const user = ordinaryUser();
  const start = async (index: number): Promise<void> => {
    const others = routes.filter((_, i) => i !== index);
    const args = ['-a', '127.0.0.1', '-p', String(ports[index])];
    args.push('--cluster_name', 'faults', '--cluster', `nats://127.0.0.1:${routes[index]}`);
    // Without this, clients learn the servers' own ports, and pass the lines by.
    args.push('--no_advertise');
    if (others.length > 0) {
      args.push('--routes', others.map((port) => `nats://127.0.0.1:${port}`).join());
    }
    const child = spawn(file, args, {
      ...(user === null ? {} : { uid: user.uid, gid: user.gid }),
      stdio: 'ignore',
    });
    children[index] = child;
    await untilListening(ports[index]!, child);
  };
  const kill = async (index: number): Promise<void> => {
    const child = children[index];
    if (child == null) return;
    const gone = exitOf(child);
    killAll(child);
    await gone;
    children[index] = null;
  };
  const onExit = (): void => {
    for (const child of children) if (child != null) killAll(child);
  };
  process.once('exit', onExit);
  for (let i = 0; i < COUNT; i++) {
    ports.push(await freePort());
    routes.push(await freePort());
    await start(i);
  }
  return {
    ports,
    kill,
    start,
    async close() {
      await Promise.all(children.map((_, i) => kill(i)));
      process.off('exit', onExit);
    },
  };
}

async function untilListening(port: number, child: ChildProcess): Promise<void> {
  const until = Date.now() + READY_MS_MAX;
  while (!(await answers(port))) {
    if (child.exitCode !== null || Date.now() > until) throw new Error('NATS did not start');
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    // It greets whoever connects.
    socket.once('data', () => {
      socket.destroy();
      resolve(true);
    });
  });
}
