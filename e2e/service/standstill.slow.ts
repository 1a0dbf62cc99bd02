/** The real server, paused for longer than a turn with a move in its socket's buffer. */

// @alone: it measures times, which parallel tests would stretch.

import { expect, test } from 'bun:test';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';
import { freePort, startServer } from '../parts/server-process.ts';
import { makeTurnMatch, openSocket } from '../parts/turn-matches.ts';

/** Longer than the shortest turn. */
const STOPPED_MS = 6_000;
const TURN_MS = 5_000;

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('[P6] a move that was sent in time counts although the process was paused', async () => {
  const dataDir = makeTempFolder();
  const server = await startServer({ port: await freePort(), dataDir });
  try {
    const made = await makeTurnMatch(server, ['a', 'b'], { turnTimeoutMs: TURN_MS });
    const frames: Record<string, unknown>[] = [];
    const [first, second] = ['a', 'b'].map((id) => openSocket(server.url, made.tokens[id]!)) as [
      WebSocket,
      WebSocket,
    ];
    first.onmessage = ({ data }) => void frames.push(JSON.parse(String(data)));
    while (!frames.some(({ status }) => status === 'active')) await wait(100);
    server.pause();
    await wait(300);
    const action = { position: 4 };
    first.send(JSON.stringify({ t: 'act', s: made.sessionId, id: 'm1', action }));
    await wait(STOPPED_MS);
    server.resume();
    await wait(1_000);
    expect(frames.map(({ t }) => t)).toContain('ack');
    expect(frames.map(({ t }) => t)).not.toContain('over');
    first.close();
    second.close();
  } finally {
    server.resume();
    await server.kill();
    removeFolder(dataDir);
  }
}, 60_000);
