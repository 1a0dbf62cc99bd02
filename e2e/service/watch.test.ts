/** Watching, from the list of rooms to the socket, against the real server (rule S10). */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSocket } from '../../src/testing/sockets/socket-client.ts';
import { call, PLAYERS } from '../parts/matches.ts';
import type { ServerProcess } from '../parts/server-process.ts';
import { freePort, startServer } from '../parts/server-process.ts';

const START_MS_MAX = 60_000;

const dataDir = mkdtempSync(join(tmpdir(), 'matchd-watch-'));
let server: ServerProcess;
let port: number;

beforeAll(async () => {
  port = await freePort();
  server = await startServer({ port, dataDir });
}, START_MS_MAX);

afterAll(async () => {
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
}, START_MS_MAX);

interface RoomPage {
  readonly data: readonly { readonly sessionId: string; readonly watchers: number }[];
}

const listRooms = async () => (await call(server, 'GET', '/v1/rooms')) as RoomPage;

test('[S10] a viewer who finds a room can watch its match', async () => {
  const { sessionId, tokens } = (await call(server, 'POST', '/v1/sessions', {
    game: 'tictactoe',
    players: PLAYERS,
  })) as { sessionId: string; tokens: Record<string, string> };
  expect((await listRooms()).data).toEqual([]);
  const [ada, bea] = await Promise.all(
    PLAYERS.map(({ id }) => openSocket(port, { token: tokens[id]! })),
  );
  for (const player of [ada!, bea!]) await player.next('state');
  await ada!.settle();
  expect((await listRooms()).data).toMatchObject([{ sessionId, watchers: 0 }]);
  const { token } = (await call(server, 'POST', `/v1/sessions/${sessionId}/watch`)) as {
    token: string;
  };
  const watcher = await openSocket(port, { token });
  expect(await watcher.next('state')).toMatchObject({ s: sessionId, seat: null, turn: 0 });
  expect((await listRooms()).data).toMatchObject([{ sessionId, watchers: 1 }]);
  ada!.send({ t: 'act', s: sessionId, id: '1', action: { position: 4 } });
  expect(await watcher.next('update')).toMatchObject({ seat: 0, action: { position: 4 } });
  watcher.send({ t: 'resign', s: sessionId, id: '1' });
  expect(await watcher.next('reject')).toMatchObject({ code: 'watch_only' });
  for (const client of [ada!, bea!, watcher]) await client.close();
});
