/** Turns without any connection, on the real service: they end by the clock. */

// @alone: it measures times, which parallel tests would stretch.

import { describe, expect, test } from 'bun:test';
import { isNatsHere, startNats } from '../../src/testing/servers/nats.ts';
import { isPostgresHere, startPostgres } from '../../src/testing/servers/postgres.ts';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';
import { call, type Tenant } from '../parts/matches.ts';
import { freePort, type ServerProcess, startServer } from '../parts/server-process.ts';
import { makeTurnMatch, openSocket } from '../parts/turn-matches.ts';

/** Longer than the ten seconds after which a session leaves memory. */
const TURN_MS = 20_000;
const GRACE_MS = 3_600_000;
/** Sleeping sessions are checked each second. */
const POLL_MS = 1_500;
const TEST_MS_MAX = 120_000;

interface Answer {
  readonly status: string;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly result: { readonly reason: string } | null;
}

interface Service {
  servers: readonly ServerProcess[];
  start(): Promise<void>;
  end(): Promise<void>;
}

async function openService(nodes: number): Promise<Service> {
  const dataDir = makeTempFolder();
  const [postgres, nats] = nodes > 1 ? [await startPostgres(), await startNats(1)] : [null, null];
  const env = postgres !== null &&
    nats !== null && {
      MATCHD_STORE: await postgres.createDatabase(),
      MATCHD_BUS: nats.urls.join(','),
      MATCHD_SEALING_KEY: Buffer.alloc(32, 3).toString('base64'),
    };
  const service: Service = {
    servers: [],
    async start() {
      const started: ServerProcess[] = [];
      for (let n = 0; n < nodes; n++) {
        started.push(await startServer({ port: await freePort(), dataDir, ...(env && { env }) }));
      }
      service.servers = started;
    },
    async end() {
      await Promise.all(service.servers.map((each) => each.kill()));
      await nats?.stop();
      await postgres?.stop();
      removeFolder(dataDir);
    },
  };
  await service.start();
  return service;
}

/** A match that both players have joined and left; returns its session. */
async function leaveAlone(tenant: Tenant) {
  const options = { turnTimeoutMs: TURN_MS, disconnectGraceMs: GRACE_MS };
  const { sessionId, tokens } = await makeTurnMatch(tenant, ['a', 'b'], options);
  const sockets = ['a', 'b'].map((player) => openSocket(tenant.url, tokens[player]!));
  const read = async () => (await call(tenant, 'GET', `/v1/sessions/${sessionId}`)) as Answer;
  while ((await read()).status !== 'active') await Bun.sleep(50);
  for (const socket of sockets) socket.close();
  return { sessionId, startedAt: Date.parse((await read()).startedAt) };
}

/** When and why the match ended; polls until it has. */
async function awaitEnd({ servers: [server] }: Service, testKey: string, sessionId: string) {
  const tenant = { url: server!.url, testKey };
  for (;;) {
    const { endedAt, result } = (await call(tenant, 'GET', `/v1/sessions/${sessionId}`)) as Answer;
    if (endedAt !== null) return { at: Date.parse(endedAt), reason: result!.reason };
    await Bun.sleep(250);
  }
}

describe.each([1, 2])('[P6] a turn without any connection, on %d nodes', (nodes) => {
  const isAvailable = nodes === 1 || (isPostgresHere() && isNatsHere());
  const turnTest = isAvailable ? test.concurrent : test.skip;

  turnTest(
    '[P6] ends by the clock, to the second',
    async () => {
      const service = await openService(nodes);
      try {
        const { testKey } = service.servers[0]!;
        const { sessionId, startedAt } = await leaveAlone(service.servers[0]!);
        const { at, reason } = await awaitEnd(service, testKey, sessionId);
        console.log(`${nodes} nodes: ended ${at - startedAt} ms after it began`);
        expect(reason).toBe('afk_timeout');
        expect(at - startedAt).toBeWithin(TURN_MS, TURN_MS + POLL_MS);
      } finally {
        await service.end();
      }
    },
    TEST_MS_MAX,
  );

  turnTest(
    '[P6] a match whose turn expired while no process served gets ten seconds from its recovery on',
    async () => {
      const service = await openService(nodes);
      try {
        const { testKey } = service.servers[0]!;
        const { sessionId, startedAt } = await leaveAlone(service.servers[0]!);
        // The session sleeps by then.
        await Bun.sleep(13_000);
        await Promise.all(service.servers.map((each) => each.kill()));
        await Bun.sleep(startedAt + TURN_MS + 5_000 - Date.now());
        const from = Date.now();
        await service.start();
        const servedAt = Date.now();
        const { at, reason } = await awaitEnd(service, testKey, sessionId);
        console.log(`${nodes} nodes: ended ${at - servedAt} ms after they were back`);
        expect(reason).toBe('afk_timeout');
        expect(at).toBeWithin(from + 10_000, servedAt + 10_000 + 2 * POLL_MS);
      } finally {
        await service.end();
      }
    },
    TEST_MS_MAX,
  );
});
