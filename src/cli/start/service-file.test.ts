/**
 * Commands find the service that runs on a data folder, and never mistake another program for it:
 * real processes.
 */

import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { freePort, type ServerProcess, startServer } from '../../../e2e/parts/server-process.ts';
import { openReceiver, type Receiver } from '../../testing/webhooks/webhook-receiver.ts';
import { type Matchd, makeMatchd, matchdCommand } from '../matchd.test-kit.ts';
import type { ServiceFile } from './service-file.ts';

setDefaultTimeout(60_000);

let matchd: Matchd;
let dataDir: string;
let file: string;
let server: ServerProcess | null;
beforeEach(() => {
  matchd = makeMatchd();
  // Where the commands look by default.
  dataDir = path.join(matchd.folder, '.matchd');
  file = path.join(dataDir, 'service.json');
  server = null;
});
afterEach(async () => {
  await server?.kill();
  matchd.close();
});

/** Another program, which sees every request's headers. */
async function openStranger(port: number) {
  const seen: Headers[] = [];
  const program = Bun.serve({
    port,
    hostname: '127.0.0.1',
    fetch(request) {
      seen.push(request.headers);
      return Response.json({ name: 'matchd', version: '0.1.0', runtime: 'bun', node: 'nod_other' });
    },
  });
  return { seen, close: () => program.stop(true) };
}

const readFile = (): ServiceFile => JSON.parse(readFileSync(file, 'utf8')) as ServiceFile;

test('[CLI] commands find the port and the key of the service on a folder, given or by default', async () => {
  const port = await freePort();
  const stranger = await openStranger(port);
  server = await startServer({ port, dataDir });
  expect(server.url).not.toContain(`:${port}`);
  const { pid, startedAt, ...written } = readFile();
  expect(pid).toBe(server.pid);
  expect(Date.now() - Date.parse(startedAt)).toBeLessThan(60_000);
  expect(written).toMatchObject({ url: server.url, publicUrl: server.url });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const sessions: { data: unknown[] } = await matchd.json('sessions', 'list');
  expect(sessions.data).toEqual([]);
  const onFolder = ['--data', dataDir];
  const other = makeMatchd({
    MATCHD_PORT: `${port}`,
    MATCHD_PUBLIC_URL: `http://127.0.0.1:${port}`,
  });
  for (const args of [[], onFolder]) {
    const { eventId }: { eventId: string } = await matchd.json('trigger', 'session.ended', ...args);
    expect(eventId).toStartWith('evt_');
  }
  expect((await other.json('trigger', 'session.ended', ...onFolder)) as object).toHaveProperty(
    'eventId',
  );
  const load = ['loadtest', '--matches', '1', '--at-once', '1', ...onFolder];
  expect((await other.json(...load)) as object).toMatchObject({ failed: 0 });
  expect((await other.json('healthcheck', ...onFolder)) as object).toEqual({
    url: server.url,
    ready: true,
  });
  const receiver: Receiver = await openReceiver(() => ({ status: 202 }));
  const listen = Bun.spawn(
    [...matchdCommand(), 'listen', '--json', '--forward-to', receiver.url, ...onFolder],
    { stdout: 'pipe', stderr: 'ignore', stdin: 'ignore' },
  );
  const first = new TextDecoder().decode((await listen.stdout.getReader().read()).value);
  listen.kill('SIGTERM');
  await listen.exited;
  await receiver.close();
  other.close();
  stranger.close();
  expect(first).toContain(`"from":"${server.url}"`);
  expect(stranger.seen).toEqual([]);
});

test('[CLI] a file that a killed service left is ignored, and no key is sent to its port', async () => {
  const port = await freePort();
  server = await startServer({ port, dataDir });
  await server.kill();
  expect(readFile().port).toBe(port);
  const stranger = await openStranger(port);
  for (const args of [
    ['sessions', 'list'],
    ['trigger', 'session.ended', '--data', dataDir],
    ['healthcheck', '--data', dataDir],
    ['loadtest', '--key', server.testKey, '--data', dataDir],
  ]) {
    const { exit, stdout, stderr } = await matchd.run(...args);
    expect([args, exit, stdout]).toEqual([args, 1, '']);
    expect(stderr).toContain(`No service runs on ${dataDir}`);
  }
  stranger.close();
  expect(stranger.seen.length).toBeGreaterThan(0);
  expect(stranger.seen.filter((headers) => headers.has('authorization'))).toEqual([]);
  // The next start replaces the file, and its end removes it.
  server = await startServer({ port, dataDir });
  expect((await matchd.json('sessions', 'list')) as object).toEqual({ data: [] });
  await server.stop();
  expect(existsSync(file)).toBe(false);
  expect((await matchd.run('sessions', 'list')).stderr).toContain('No service runs on');
});

test('[CLI][D1] links into the dashboard have the address of the service on the folder', async () => {
  const port = await freePort();
  server = await startServer({ port, dataDir });
  const link: { url: string } = await matchd.json('accounts', 'setup');
  expect(link.url).toStartWith(`${server.url}/dashboard/setup#`);
  await server.stop();
  // A development folder without a running service: the address of the next start.
  const later = makeMatchd({ MATCHD_PORT: '4321' });
  const next: { url: string } = await later.json('accounts', 'setup', '--data', dataDir);
  later.close();
  expect(next.url).toStartWith('http://127.0.0.1:4321/dashboard/setup#');
});

test('[CLI][D1] links have the public address of a production service', async () => {
  await matchd.json('tenants', 'create', '--name', 'Acme');
  const args = ['serve', '--json', '--public-url', 'https://play.example.com', '--port'];
  const child = Bun.spawn([...matchdCommand(), ...args, `${await freePort()}`], {
    cwd: matchd.folder,
    stdout: 'pipe',
    stderr: 'ignore',
    stdin: 'ignore',
  });
  await child.stdout.getReader().read();
  const link: { url: string } = await matchd.json('accounts', 'setup');
  expect(link.url).toStartWith('https://play.example.com/dashboard/setup#');
  child.kill('SIGTERM');
  expect(await child.exited).toBe(0);
  expect(existsSync(file)).toBe(false);
});
