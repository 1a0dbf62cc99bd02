/** A stopped service ends whatever fails on the way. */

import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import { connect } from 'node:net';
import { freePort } from '../e2e/parts/server-process.ts';
import { openDevTenant } from './cli/store/dev-tenant.ts';
import { makeParts, PROJECT_ROOT } from './compose.ts';
import { type Environment, readConfig } from './config.ts';
import { CLOSE, SUBPROTOCOL } from './contract/messages.ts';
import { makePages } from './http/site/pages.ts';
import { listen, type RunningService } from './listen.ts';
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

async function open(
  breakIt: (parts: Parts) => Partial<Parts>,
  env: Environment = {},
  toldUrl: string | null = null,
) {
  const settings = { MATCHD_DRAIN_MS: String(DRAIN_MS), ...env };
  const reading = readConfig(settings, { dataDir: folder });
  if (!reading.ok) throw new Error(reading.problems.join());
  const port = await freePort();
  const publicUrl = toldUrl ?? `http://127.0.0.1:${port}`;
  const parts = await makeParts(reading.config, makeLog('silent'), publicUrl);
  const tenantOrigins = async () => [];
  const security = { contacts: [], clock: parts.clock };
  const pages = makePages({ root: PROJECT_ROOT, publicUrl, dev: null, security, tenantOrigins });
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
  '[P5] a stop during which the %s fail notifies the sockets, and closes everything',
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
    clusterParts: {
      cluster: { join: nothing, drain: nothing, host: { close: () => waiting.resolve(false) } },
      maintain: nothing,
      leave: nothing,
    } as unknown as NonNullable<Parts['clusterParts']>,
  }));
  const answer = fetch(`http://127.0.0.1:${port}/readyz`);
  await asked.promise;
  expect(await stopInTime(service)).toBe('stopped');
  expect((await answer).status).toBe(503);
});

test('[P5] a request that never ends does not delay the stop', async () => {
  const asked = Promise.withResolvers<void>();
  const { parts, port, service } = await open(({ sessions }) => ({
    sessions: {
      ...sessions,
      list() {
        asked.resolve();
        return new Promise(() => {});
      },
    },
  }));
  const { testKey } = await openDevTenant(parts, folder);
  const headers = { authorization: `Bearer ${testKey}` };
  const answer = fetch(`http://127.0.0.1:${port}/v1/sessions`, { headers }).then(
    () => 'answered',
    () => 'cut off',
  );
  await asked.promise;
  expect(await stopInTime(service)).toBe('stopped');
  expect(await answer).toBe('cut off');
});

/** A player's export whose first session is sent, and whose second waits for the gate. */
async function openExport(gate: Promise<void>) {
  const { parts, port, service } = await open(({ sessions }) => ({
    sessions: {
      ...sessions,
      async exportPlayer(...args) {
        const held = await sessions.exportPlayer(...args);
        if (!held.ok) return held;
        const inner = held.value.sessions;
        const slow = async function* () {
          yield* [(await inner.next()).value!];
          await gate;
          yield* inner;
        };
        return { ok: true, value: { ...held.value, sessions: slow() } };
      },
    },
  }));
  const { testKey } = await openDevTenant(parts, folder);
  const ask = (path: string, body?: object) =>
    fetch(`http://127.0.0.1:${port}/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  const players = [{ id: 'ann' }, { id: 'ben' }];
  for (const game of ['connect4', 'tictactoe']) {
    expect((await ask('/sessions', { game, players })).status).toBe(201);
  }
  const answer = await ask('/players/ann/export');
  expect(answer.status).toBe(200);
  return { answer, events: await ask('/events/stream'), service };
}

/** Longer than a stop without waiting takes, and well within the second that responses have. */
const WHILE_STOPPING_MS = 300;

test('[N5][R2] an export that is being sent is complete before its connection is closed', async () => {
  const gate = Promise.withResolvers<void>();
  const { answer, events, service } = await openExport(gate.promise);
  const stopped = stopInTime(service);
  // Streams without an end are ended at once.
  expect(await events.text()).toStartWith(': here');
  await Bun.sleep(WHILE_STOPPING_MS);
  gate.resolve();
  const { sessions } = (await answer.json()) as { sessions: readonly { game: string }[] };
  expect(sessions.map(({ game }) => game).sort()).toEqual(['connect4', 'tictactoe']);
  expect(await stopped).toBe('stopped');
});

test('[P5] an export that never ends does not delay the stop', async () => {
  const { answer, service } = await openExport(new Promise(() => {}));
  expect(await stopInTime(service)).toBe('stopped');
  expect(answer.text()).rejects.toThrow();
});

/** A request whose head and first byte have arrived. `rest` sends the remainder. */
async function holdRequest() {
  const { port, service } = await open(() => ({}));
  const socket = connect(port, '127.0.0.1');
  const answer = Promise.withResolvers<string>();
  socket.once('data', (chunk) => answer.resolve(chunk.toString()));
  socket.once('close', () => answer.resolve('cut off'));
  socket.once('error', () => answer.resolve('cut off'));
  const head = 'POST /v1/sessions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
  const half = `${head}Content-Length: 2\r\n\r\n{`;
  await new Promise<void>((done) => socket.write(half, () => done()));
  // A later request is answered: it has been read.
  await (await fetch(`http://127.0.0.1:${port}/healthz`, { keepalive: false })).text();
  return { port, service, answer: answer.promise, rest: () => socket.write('}') };
}

/** Ends once no request is accepted any more. */
async function untilRefused(port: number): Promise<void> {
  for (let isRefused = false; !isRefused; ) {
    const socket = connect(port, '127.0.0.1');
    isRefused = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(false));
      socket.once('error', () => resolve(true));
    });
    socket.destroy();
  }
}

test('[N5][H1] a request whose body was being sent is answered before its connection is closed', async () => {
  const { port, service, answer, rest } = await holdRequest();
  const stopped = stopInTime(service);
  await untilRefused(port);
  rest();
  expect(await answer).toStartWith('HTTP/1.1 401 ');
  expect(await stopped).toBe('stopped');
});

test('[P5][H1] a body that never arrives does not delay the stop', async () => {
  const { service, answer } = await holdRequest();
  expect(await stopInTime(service)).toBe('stopped');
  expect(await answer).toBe('cut off');
});

const asks = [
  '/healthz',
  '/v1/whoami',
  '/v1/nowhere',
  '/play/',
  '/docs/',
  '/dashboard/',
  '/dashboard/api/me',
  '/v1/socket',
];

test.each([
  ['https://play.example.com', {}, 'max-age=31536000'],
  ['https://play.example.com', { MATCHD_HSTS: 'max-age=60' }, 'max-age=60'],
  ['https://play.example.com', { MATCHD_HSTS: 'off' }, null],
  ['http://127.0.0.1:4000', {}, null],
] as const)(
  '[H12] %s with %j tells browsers %s, on every response',
  async (publicUrl, env, told) => {
    const { port, service } = await open(() => ({}), env, publicUrl);
    for (const path of asks) {
      const { headers } = await fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual' });
      expect([path, headers.get('strict-transport-security')]).toEqual([path, told]);
    }
    await service.stop();
  },
);
