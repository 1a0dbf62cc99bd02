/** One process serves from a data folder: others are refused, and other commands work beside it. */

import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  findNode,
  freePort,
  type ServerOptions,
  type ServerProcess,
  startServer,
} from '../../../e2e/parts/server-process.ts';
import { ONE_SCHEMA } from '../../store/schema/migrations.ts';
import { takeServeLock } from '../../store/sqlite/file/serve-lock.ts';
import { holdBar } from '../../testing/time-bar.ts';
import { type Matchd, makeMatchd } from '../matchd.test-kit.ts';

setDefaultTimeout(90_000);

let matchd: Matchd;
let data: string;
let running: ServerProcess[];
beforeEach(() => {
  matchd = makeMatchd();
  data = path.join(matchd.folder, '.matchd');
  running = [];
});
afterEach(async () => {
  for (const server of running) await server.kill();
  matchd.close();
});

async function start(options: Partial<ServerOptions> = {}): Promise<ServerProcess> {
  const server = await startServer({ port: await freePort(), dataDir: data, ...options });
  running.push(server);
  return server;
}

const database = (): string => path.join(data, 'matchd.db');
const runtimes = ['bun', ...(findNode() === null ? [] : ['node'])] as ('bun' | 'node')[];

describe.each(runtimes)('beside a service on %s', (runtime) => {
  test.each(runtimes)('[F2] a second process on the same folder (%s) is refused', async (other) => {
    const first = await start({ runtime });
    const refused = start({ runtime: other });
    await expect(refused).rejects.toThrow(`A process serves from ${data} already`);
    await expect(refused).rejects.toThrow('ended with 1');
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
  });

  test('[F2] another starts at once after SIGKILL, and after an orderly end', async () => {
    for (const end of ['kill', 'kill', 'stop'] as const) {
      const server = await start({ runtime });
      await server[end]();
      const from = performance.now();
      const next = await start({ runtime });
      holdBar(`a start after ${end}, ms`, performance.now() - from, 4_000);
      await next.kill();
    }
  });
});

test('[F2] a service on another folder is not affected', async () => {
  await start();
  await start({ dataDir: path.join(matchd.folder, 'another') });
});

test('[F2] commands that read, or change tenants and keys, work while a service runs', async () => {
  const { testKey } = await start();
  const { url } = running[0]!;
  await matchd.json('tenants', 'create', '--name', 'Beside', '--plan', 'pro');
  await matchd.json('tenants', 'list');
  await matchd.json('keys', 'create', '--tenant', 'beside', '--mode', 'live', '--name', 'k');
  await matchd.json('keys', 'list', '--tenant', 'beside');
  await matchd.json('secrets', 'show');
  await matchd.json('secrets', 'reseal');
  await matchd.json('backup', 'a.db');
  await matchd.json('sessions', 'list', '--url', url, '--key', testKey);
  await matchd.json('logs', '--tenant', 'beside');
  await matchd.json('migrate');
  await matchd.json('migrate', '--dry-run');
  const doctor = await matchd.run('doctor', '--json');
  expect(doctor.stdout).toContain('"check":"database"');
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
});

test('[F2] commands that need the folder exclusively are refused while a service runs, and work afterwards', async () => {
  const server = await start();
  await matchd.json('backup', 'a.db');
  const commands = [
    ['restore', 'a.db'],
    ['secrets', 'rotate'],
    ['secrets', 'forget'],
    ['secrets', 'forget', '--yes'],
  ];
  for (const command of commands) {
    const { exit, stderr } = await matchd.run(...command);
    expect([command, exit]).toEqual([command, 1]);
    expect(stderr).toContain(`A process has ${database()} open: stop the service first`);
  }
  await server.stop();
  for (const command of commands) await matchd.json(...command);
  await start();
});

test('[F2] migrate does not change a database in use by a service', async () => {
  await matchd.json('migrate');
  const db = new DatabaseSync(database());
  db.prepare('DELETE FROM migration WHERE name = ?').run(ONE_SCHEMA);
  db.close();
  const before = fs.readFileSync(database());
  const lock = takeServeLock(database(), 0)!;
  const { exit, stderr } = await matchd.run('migrate');
  expect([exit, stderr]).toEqual([1, expect.stringContaining('stop the service first')]);
  expect(fs.readFileSync(database()).equals(before)).toBe(true);
  lock.release();
});

test('[F2] no service starts while a command has the folder for itself', async () => {
  const server = await start();
  await server.stop();
  const lock = takeServeLock(database(), 0)!;
  await expect(start()).rejects.toThrow('already');
  lock.release();
  lock.release();
  await start();
});

test('[F2] the lock is one for each file, and readable by its owner only', async () => {
  fs.mkdirSync(data);
  const lock = takeServeLock(database(), 0)!;
  expect(takeServeLock(database(), 0)).toBeNull();
  const other = takeServeLock(path.join(data, 'other.db'), 0)!;
  const { mode, size } = fs.statSync(`${database()}-lock`);
  expect([mode & 0o777, size]).toEqual([0o600, 0]);
  lock.release();
  const again = takeServeLock(database(), 0)!;
  again.release();
  other.release();
});
