/** Shows that a service that is stopped ends whatever fails on the way. */

import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import { freePort } from '../e2e/server-process.ts';
import { listen, makeParts, PROJECT_ROOT, type RunningService } from './compose.ts';
import { readConfig } from './config.ts';
import { CLOSE, SUBPROTOCOL } from './contract/messages.ts';
import { makePages } from './http/pages.ts';
import { makeLog } from './log.ts';
import { makeTempFolder, removeFolder } from './testing/temp-folder.ts';

/** Drains give up after this. Milliseconds. */
const DRAIN_MS = 500;
setDefaultTimeout(30_000);

let folder: string;
beforeEach(() => {
  folder = makeTempFolder();
});
afterEach(() => removeFolder(folder));

type Parts = Awaited<ReturnType<typeof makeParts>>;

async function open(breakIt: (parts: Parts) => Partial<Parts>) {
  const reading = readConfig({ MATCHD_DRAIN_MS: String(DRAIN_MS) }, { dataDir: folder });
  if (!reading.ok) throw new Error(reading.problems.join());
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const parts = await makeParts(reading.config, makeLog('silent'), publicUrl);
  const tenantOrigins = async () => [];
  const pages = makePages({ root: PROJECT_ROOT, publicUrl, dev: null, tenantOrigins });
  const service = await listen({ ...parts, ...breakIt(parts) }, port, pages);
  return { parts, port, service };
}

async function stopInTime(service: RunningService): Promise<string> {
  return await Promise.race([
    service.stop().then(() => 'stopped'),
    Bun.sleep(20 * DRAIN_MS).then(() => 'still there'),
  ]);
}

const fail = () => Promise.reject(new Error('database or disk is full'));

test.each([
  ['requests', (parts: Parts) => ({ requests: { ...parts.requests, flush: fail } })],
  ['bots', (parts: Parts) => ({ botRunner: { ...parts.botRunner, stop: fail } })],
  ['matches', (parts: Parts) => ({ host: { ...parts.host, drain: fail } })],
  ['webhooks', (parts: Parts) => ({ webhooks: { ...parts.webhooks, stop: fail } })],
  ['limits', (parts: Parts) => ({ limits: { ...parts.limits, close: fail } })],
] as const)(
  '[P5] a stop on which the %s fail tells the sockets, and closes all',
  async (_, breakIt) => {
    const { parts, port, service } = await open(breakIt as (parts: Parts) => Partial<Parts>);
    const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/socket`, SUBPROTOCOL);
    const closed = new Promise<number>((resolve) => {
      socket.onclose = ({ code }) => resolve(code);
    });
    await new Promise((resolve) => {
      socket.onopen = resolve;
    });
    expect(await stopInTime(service)).toBe('stopped');
    expect(await closed).toBe(CLOSE.restarting.code);
    expect(await parts.store.ping()).toBe(false);
    expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow();
  },
);

test('[N5] a request that waits for another node is answered before its connection is closed', async () => {
  const asked = Promise.withResolvers<void>();
  const waiting = Promise.withResolvers<boolean>();
  const nothing = async (): Promise<void> => {};
  const { port, service } = await open((parts) => ({
    store: {
      ...parts.store,
      ping() {
        asked.resolve();
        return waiting.promise;
      },
    },
    fellowship: {
      cluster: { join: nothing, drain: nothing, host: { close: () => waiting.resolve(false) } },
      ...{ tend: nothing, leave: nothing },
    } as unknown as NonNullable<Parts['fellowship']>,
  }));
  const answer = fetch(`http://127.0.0.1:${port}/readyz`);
  await asked.promise;
  expect(await stopInTime(service)).toBe('stopped');
  expect((await answer).status).toBe(503);
});

test('[P5] a request that nothing ends does not hold the stop', async () => {
  const asked = Promise.withResolvers<boolean>();
  const { port, service } = await open((parts) => ({
    store: {
      ...parts.store,
      ping() {
        asked.resolve(true);
        return new Promise<boolean>(() => {});
      },
    },
  }));
  const answer = fetch(`http://127.0.0.1:${port}/readyz`).then(
    () => 'answered',
    () => 'cut off',
  );
  await asked.promise;
  expect(await stopInTime(service)).toBe('stopped');
  expect(await answer).toBe('cut off');
});
