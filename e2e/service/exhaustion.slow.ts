/** The real server with as many idle sockets and streams as allowed: other clients are not affected. */

// @alone: it measures times, which parallel tests would stretch.

import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { makeHandshake } from '../../src/platform/contract/raw-client.ts';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';
import { holdBar } from '../../src/testing/time-bar.ts';
import { playOn, quantile } from '../flood/bystander.ts';
import { matchdOf } from '../flood/tenants.ts';
import { findNode, freePort, type ServerProcess, startServer } from '../parts/server-process.ts';

const SOCKETS = 10_000;
/** The limit per address (rule P5). */
const ADDRESS_SOCKETS = 200;
const AT_ONCE = 32;
const PLAY_MS = 3_000;
/** The memory of an idle socket, with its player's presence and its share of the heap. */
const SOCKET_KIB_MAX = 48;
const STREAMS = 500;
/** The limit of the tenant's plan. */
const STREAMS_MAX = 5;
const STREAMS_MIB_MAX = 128;
/** Sessions created; each is an event on every stream. */
const SESSIONS = 1_000;

function memoryKib({ pid }: ServerProcess): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
}

/** Runs all of them, several at a time. */
async function forEach(count: number, act: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) await act(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

function post(url: string, key: string, path: string, body: object): Promise<Response> {
  return fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** Resolves once the handshake has ended and a frame has arrived: `welcome`. */
function openIdle(url: string, token: string, address: string): Promise<Socket> {
  const tcp = connect(Number(new URL(url).port), '127.0.0.1');
  const protocol = `matchd.v1, token.${token}`;
  const headers = { 'sec-websocket-protocol': protocol, 'x-forwarded-for': address };
  tcp.write(makeHandshake({ path: '/v1/socket', headers }));
  let text = '';
  return new Promise((resolve, reject) => {
    tcp.on('error', reject);
    tcp.on('close', () => reject(new Error(`closed: ${text}`)));
    tcp.on('data', (chunk) => {
      text = (text + chunk.toString('latin1')).slice(-500);
      if (text.includes('"welcome"')) resolve(tcp);
    });
  });
}

for (const runtime of ['bun', 'node'] as const) {
  test.skipIf(runtime === 'node' && findNode() === null)(
    `[P5] ${SOCKETS} idle sockets on ${runtime} take at most ${SOCKET_KIB_MAX} KiB each, and delay no others`,
    async () => {
      const dataDir = makeTempFolder();
      const server = await startServer({ port: await freePort(), dataDir, runtime });
      const sockets: Socket[] = [];
      try {
        const matchd = matchdOf(dataDir);
        matchd.lift('demo');
        const key = matchd.makeTenant('Other');
        const before = await playOn(server.url, key, PLAY_MS);
        const fromKib = memoryKib(server);
        await forEach(SOCKETS, async (n) => {
          const made = await post(server.url, server.testKey, `/v1/players/idle-${n}/token`, {});
          const { token } = (await made.json()) as { token: string };
          const at = Math.floor(n / ADDRESS_SOCKETS);
          sockets.push(await openIdle(server.url, token, `10.1.0.${at}`));
        });
        const eachKib = (memoryKib(server) - fromKib) / SOCKETS;
        const beside = await playOn(server.url, key, PLAY_MS);
        const figures = (times: number[]) =>
          `p50 ${quantile(times, 0.5)} p99 ${quantile(times, 0.99)}`;
        console.log(
          `${runtime}: ${eachKib.toFixed(1)} KiB a socket; moves before ${figures(before)}, beside ${figures(beside)} ms`,
        );
        expect(sockets.filter(({ destroyed }) => destroyed)).toEqual([]);
        expect(eachKib).toBeLessThan(SOCKET_KIB_MAX);
        holdBar('p50 beside, of that before', quantile(beside, 0.5) / quantile(before, 0.5), 2);
      } finally {
        for (const tcp of sockets) tcp.removeAllListeners('close').destroy();
        await server.kill();
        removeFolder(dataDir);
      }
    },
    240_000,
  );

  test.skipIf(runtime === 'node' && findNode() === null)(
    `[H6][E2] ${STREAMS} event streams of one tenant on ${runtime}: those within its plan open and have a small backlog`,
    async () => {
      const dataDir = makeTempFolder();
      const server = await startServer({ port: await freePort(), dataDir, runtime });
      const streams: Socket[] = [];
      try {
        const matchd = matchdOf(dataDir);
        const key = matchd.makeTenant('Other');
        const greedy = matchd.makeTenant('Greedy', [`eventStreams=${STREAMS_MAX}`]);
        const statuses: Record<string, number> = {};
        const fromKib = memoryKib(server);
        await forEach(STREAMS, async () => {
          const tcp = connect(Number(new URL(server.url).port), '127.0.0.1');
          tcp.on('error', () => {});
          tcp.write(
            `GET /v1/events/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${greedy}\r\n\r\n`,
          );
          const head = await new Promise<string>((resolve) => {
            tcp.once('data', (chunk) => resolve(chunk.toString('latin1')));
            tcp.once('close', () => resolve('HTTP/1.1 cut'));
          });
          const status = head.slice(9, 12);
          statuses[status] = (statuses[status] ?? 0) + 1;
          // The clients stop reading.
          tcp.pause();
          streams.push(tcp);
        });
        expect(statuses).toEqual({ 200: STREAMS_MAX, 429: STREAMS - STREAMS_MAX });
        await forEach(SESSIONS, async (n) => {
          const players = [{ id: `a${n}` }, { id: `b${n}` }];
          const body = { game: 'tictactoe', players };
          const made = await post(server.url, greedy, '/v1/sessions', body);
          if (!made.ok) throw new Error(await made.text());
        });
        const times = await playOn(server.url, key, PLAY_MS);
        const usedMib = (memoryKib(server) - fromKib) / 1_024;
        console.log(
          `${runtime}: ${usedMib.toFixed(1)} MiB more; moves p50 ${quantile(times, 0.5)} p99 ${quantile(times, 0.99)} ms`,
        );
        expect(times.length).toBeGreaterThan(0);
        expect(usedMib).toBeLessThan(STREAMS_MIB_MAX);
        // Another tenant's stream opens and receives events.
        const mine = await fetch(`${server.url}/v1/events/stream`, {
          headers: { authorization: `Bearer ${key}` },
        });
        expect(mine.status).toBe(200);
        await mine.body?.cancel();
      } finally {
        for (const tcp of streams) tcp.destroy();
        await server.kill();
        removeFolder(dataDir);
      }
    },
    120_000,
  );
}
