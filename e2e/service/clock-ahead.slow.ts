/** The real service on a machine whose clock was an hour ahead, and is correct after a restart (rule P6). */

import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';
import { call } from '../parts/matches.ts';
import { freePort, type ServerProcess, startServer } from '../parts/server-process.ts';
import { makeTurnMatch, openSocket, type TurnMatch, until } from '../parts/turn-matches.ts';

const HOUR_MS = 3_600_000;
const TURN_MS = 6_000;
const BACK_MS_MAX = 5_000;

interface Frame {
  readonly t: string;
  readonly status?: string;
  readonly code?: string;
}

const make = (server: ServerProcess, players: readonly string[]): Promise<TurnMatch> =>
  makeTurnMatch(server, players, { turnTimeoutMs: TURN_MS, disconnectGraceMs: 60_000 });

/** A player's socket, and the frames it received. */
function open({ url }: ServerProcess, { tokens }: TurnMatch, player: string) {
  const socket = openSocket(url, tokens[player]!);
  const frames: Frame[] = [];
  socket.onmessage = ({ data }) => void frames.push(JSON.parse(String(data)) as Frame);
  return {
    has: (kind: string) => frames.some(({ t }) => t === kind),
    isActive: () => frames.some(({ status }) => status === 'active'),
    send: (frame: object) => socket.send(JSON.stringify(frame)),
  };
}

test('[P6] after a clock was an hour ahead turns end in time, and tokens and room codes are valid', async () => {
  const dataDir = makeTempFolder();
  const preload = join(dataDir, 'ahead.ts');
  writeFileSync(preload, `const now = Date.now; Date.now = () => now() + ${HOUR_MS};\n`);
  const options = { port: await freePort(), dataDir };
  let server = await startServer({ ...options, env: { BUN_OPTIONS: `--preload=${preload}` } });
  try {
    const [playing, idle] = [await make(server, ['a', 'b']), await make(server, ['c', 'd'])];
    const room = await make(server, ['e']);
    const { createdAt } = (await call(server, 'GET', `/v1/sessions/${room.sessionId}`)) as {
      createdAt: string;
    };
    expect(Date.parse(createdAt) - Date.now()).toBeWithin(HOUR_MS - 60_000, HOUR_MS + 60_000);
    const before = [open(server, playing, 'a'), open(server, playing, 'b')];
    before.push(open(server, idle, 'c'), open(server, idle, 'd'));
    await until(() => before.every((each) => each.isActive()), BACK_MS_MAX);
    await server.kill();
    server = await startServer(options);
    const from = performance.now();
    const [a, b] = [open(server, playing, 'a'), open(server, playing, 'b')];
    const [c, d] = [open(server, idle, 'c'), open(server, idle, 'd')];
    await until(() => [a, b, c, d].every((each) => each.has('state')), BACK_MS_MAX);
    await Bun.sleep(TURN_MS / 2);
    a.send({ t: 'act', s: playing.sessionId, id: 'm1', action: { position: 4 } });
    await until(() => a.has('ack') || a.has('over'), BACK_MS_MAX);
    expect([a.has('ack'), a.has('over')]).toEqual([true, false]);
    const movedAt = performance.now();
    await until(() => d.has('over'), 2 * TURN_MS + BACK_MS_MAX);
    console.log(`the turn under way ended after ${Math.round(performance.now() - from)} ms`);
    expect(performance.now() - from).toBeLessThan(TURN_MS + BACK_MS_MAX);
    await until(() => b.has('over'), 2 * TURN_MS);
    console.log(`the next turn ended after ${Math.round(performance.now() - movedAt)} ms`);
    expect(performance.now() - movedAt).toBeWithin(TURN_MS - 500, TURN_MS + 2_000);
    // The room created while the clock was ahead is still open, also by its code.
    const { roomCode, sessionId } = room;
    const body = { roomCode, game: 'tictactoe', player: { id: 'f' } };
    expect(await call(server, 'POST', '/v1/sessions/join', body)).toMatchObject({ sessionId });
    const verified = await call(server, 'POST', `/v1/sessions/${playing.sessionId}/verify`);
    expect(verified).toMatchObject({ ok: true });
  } finally {
    await server.kill();
    removeFolder(dataDir);
  }
}, 120_000);
