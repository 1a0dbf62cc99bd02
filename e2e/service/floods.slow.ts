/** The real server under floods of frames: it records no lost time, and other matches continue. */

// @alone: it measures times, which parallel tests would stretch.

import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { BUSY_LOST_MS_MAX } from '../../src/runtime/host/time/pulse.ts';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';
import { holdBar } from '../../src/testing/time-bar.ts';
import { playOn } from '../flood/bystander.ts';
import type { FrameKind, FrameReport, FrameWish } from '../flood/frames.ts';
import { findNode, freePort, type ServerProcess, startServer } from '../parts/server-process.ts';

/** The limit per address (rule P5). */
const SOCKETS = 200;
const FLOOD_MS = 4_000;
const KINDS: readonly FrameKind[] = ['fragments', 'texts', 'pings', 'binary'];

async function makeTokens({ url, testKey }: ServerProcess): Promise<string[]> {
  const tokens: string[] = [];
  for (let n = 0; n < SOCKETS; n++) {
    const response = await fetch(`${url}/v1/players/flood-${n}/token`, {
      method: 'POST',
      headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
      body: '{}',
    });
    tokens.push(((await response.json()) as { token: string }).token);
  }
  return tokens;
}

function report(worker: Worker): Promise<FrameReport> {
  return new Promise((resolve) => {
    worker.once('message', (report: FrameReport) => resolve(report));
    worker.postMessage('end');
  });
}

function parseMs(line: string): number {
  return (JSON.parse(line) as { ms: number }).ms;
}

function sum(all: readonly number[]): number {
  return all.reduce((total, each) => total + each, 0);
}

for (const runtime of ['bun', 'node'] as const) {
  test.skipIf(runtime === 'node' && findNode() === null)(
    `[P5][P6] ${SOCKETS} sockets of one address flood a server on ${runtime}: no time is lost, other matches continue`,
    async () => {
      const dataDir = makeTempFolder();
      const server = await startServer({ port: await freePort(), dataDir, runtime });
      try {
        const tokens = await makeTokens(server);
        for (const [n, kind] of KINDS.entries()) {
          const wish: FrameWish = {
            url: server.url,
            kind,
            sockets: SOCKETS,
            tokens,
            againMs: 1,
            mbPerSecond: 0,
            address: `198.51.100.${n}`,
          };
          const workerData = wish;
          const worker = new Worker(join(import.meta.dirname, '../flood/frames.ts'), {
            workerData,
          });
          const times = await playOn(server.url, server.liveKey, FLOOD_MS);
          const { opened, refused } = await report(worker);
          console.log(`${kind}: ${times.length} moves, ${opened} opened, ${refused} refused`);
          expect(opened).toBeGreaterThan(0);
          expect(times.length).toBeGreaterThan(0);
        }
        const logged = server.log().split('\n');
        const lostMs = logged.filter((line) => line.includes('stalled: ')).map(parseMs);
        const chargedMs = logged.filter((line) => line.includes('busy for long')).map(parseMs);
        // On a shared machine a turn of the event loop may take any time.
        holdBar('standstills', lostMs.length + chargedMs.length, 0);
        expect(sum(lostMs)).toBeLessThanOrEqual(BUSY_LOST_MS_MAX);
      } finally {
        await server.kill();
        removeFolder(dataDir);
      }
    },
    120_000,
  );
}
