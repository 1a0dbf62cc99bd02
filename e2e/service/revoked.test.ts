/** A key is revoked while a server is running: its open sockets close within two seconds. */

import { expect, test } from 'bun:test';
import { makeMatchd } from '../../src/cli/matchd.test-kit.ts';
import { openSocket } from '../../src/testing/sockets/socket-client.ts';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';
import { holdBar } from '../../src/testing/time-bar.ts';
import { freePort, startServer } from '../parts/server-process.ts';

/** Rule K2 allows two seconds; the rest is a margin for a busy machine. */
const WITHIN_MS = 2_000 + 500;
const HINT_CHARS = 16;

test('[K2] a stream and a socket of a revoked key are closed within 2 s', async () => {
  const dataDir = makeTempFolder();
  const matchd = makeMatchd();
  const port = await freePort();
  const server = await startServer({ port, dataDir });
  const authorization = `Bearer ${server.testKey}`;
  const made = await fetch(`${server.url}/v1/players/ann/token`, {
    method: 'POST',
    headers: { authorization },
  });
  const { token } = (await made.json()) as { token: string };
  const lobby = await openSocket(port, { token });
  await lobby.next('welcome');
  const stream = await fetch(`${server.url}/v1/events/stream`, { headers: { authorization } });
  const reader = stream.body!.getReader();
  await reader.read();

  await matchd.json('keys', 'revoke', server.testKey.slice(0, HINT_CHARS), '--data', dataDir);
  const revokedAt = Date.now();
  // Until then the server may report that the player was connected.
  while (!(await reader.read()).done);
  expect((await lobby.closed).code).toBe(4401);
  holdBar('sockets and streams of a revoked key end, ms', Date.now() - revokedAt, WITHIN_MS);

  expect(await server.stop()).toBe(0);
  matchd.close();
  removeFolder(dataDir);
}, 60_000);
