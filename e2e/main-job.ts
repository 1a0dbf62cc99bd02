/**
 * The main job on one runtime: created, played, killed, resumed, finished. Prints its counts.
 * `bun e2e/main-job.ts [--runtime bun|node | --executable FILE]`.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort, startServer } from './parts/server-process.ts';
import { makePlayer } from './torture/player.ts';

const { values } = parseArgs({
  options: { runtime: { type: 'string', default: 'bun' }, executable: { type: 'string' } },
});
const runtime: 'bun' | 'node' = values.runtime === 'node' ? 'node' : 'bun';
const program =
  values.executable === undefined ? { runtime } : { executable: resolve(values.executable) };
const MATCH_MS_MAX = 30_000;

let passed = 0;
let failed = 0;

function check(name: string, isRight: boolean, found?: unknown): void {
  if (isRight) passed += 1;
  else failed += 1;
  console.log(
    `${isRight ? 'ok' : 'not ok'} - ${name}${isRight ? '' : ` ${JSON.stringify(found)}`}`,
  );
}

interface Session {
  readonly sessionId: string;
  readonly status: string;
  readonly tokens: Readonly<Record<string, string>>;
  readonly result: { readonly winner: string | null; readonly reason: string } | null;
}

async function call<T>(
  url: string,
  key: string,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const response = await fetch(url + path, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? null : { body: JSON.stringify(body) }),
  });
  return (await response.json()) as T;
}

async function playMatch(game: string): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'matchd-main-job-'));
  const port = await freePort();
  const start = () => startServer({ port, dataDir, ...program });
  let server = await start();
  try {
    const { testKey, liveKey } = server;
    const who = await call<{ mode: string }>(server.url, liveKey, 'GET', '/v1/whoami');
    check(`${game}: the live key is live`, who.mode === 'live', who);
    const session = await call<Session>(server.url, testKey, 'POST', '/v1/sessions', {
      game,
      players: [{ id: 'ann' }, { id: 'ben' }],
    });
    check(`${game}: a session is made and pending`, session.status === 'pending', session);
    const players = ['ann', 'ben'].map((id, seat) =>
      makePlayer({
        url: server.url,
        token: session.tokens[id]!,
        session: session.sessionId,
        seat,
        choose: () => 0,
        thinkMs: 60,
        address: '10.0.0.1',
      }),
    );
    await sleep(300);
    await server.kill();
    check(
      `${game}: moves were made before the kill`,
      players.some((p) => p.acked.length > 0),
    );
    server = await start();
    check(
      `${game}: the same keys after the restart`,
      server.testKey === testKey && server.liveKey === liveKey,
    );
    const over = await Promise.race([Promise.all(players.map((p) => p.over)), sleep(MATCH_MS_MAX)]);
    check(`${game}: both saw the end`, over !== undefined);
    check(
      `${game}: nobody complained`,
      players.every((p) => p.complaints.length === 0),
      players.map((p) => p.complaints),
    );
    const path = `/v1/sessions/${session.sessionId}`;
    const ended = await call<Session>(server.url, testKey, 'GET', path);
    check(
      `${game}: the tenant has the result`,
      ended.status === 'ended' && ended.result?.winner === 'ann',
      ended,
    );
    const verified = await call<{ ok: boolean }>(server.url, testKey, 'POST', `${path}/verify`);
    check(`${game}: the log verifies`, verified.ok, verified);
    for (const player of players) player.close();
    check(`${game}: SIGTERM drains and ends with 0`, (await server.stop()) === 0);
  } finally {
    await server.kill();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function sleep(ms: number): Promise<undefined> {
  return new Promise((wake) => setTimeout(() => wake(undefined), ms));
}

console.log(values.executable ?? `runtime ${runtime}`);
for (const game of ['tictactoe', 'connect4']) {
  try {
    await playMatch(game);
  } catch (error) {
    check(`${game}: ran to its end`, false, String(error));
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
