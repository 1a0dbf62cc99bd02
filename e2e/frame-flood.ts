/**
 * `bun e2e/frame-flood.ts`: floods of frames by one, by 20 or by `--sockets` sockets, with and
 * without a token, against its own service on 127.0.0.1. Prints for each how long another tenant's
 * moves take, the service's memory, and its recorded stalls; the first run has no flood.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { makeTempFolder, removeFolder } from '../src/testing/temp-folder.ts';
import { playOn, quantile } from './flood/bystander.ts';
import { FRAME_KINDS, type FrameKind, type FrameReport, type FrameWish } from './flood/frames.ts';
import { matchdOf } from './flood/tenants.ts';
import { freePort, type ServerProcess, startServer } from './parts/server-process.ts';

/** Between two floods: the effects of the one before have ended. Milliseconds. */
const REST_MS = 6_000;
const SAMPLE_MS = 200;
const PLAYERS = 200;

const { values } = parseArgs({
  options: {
    kinds: { type: 'string', default: FRAME_KINDS.join(',') },
    sockets: { type: 'string', default: '1,20' },
    tokens: { type: 'string', default: 'yes,no' },
    seconds: { type: 'string', default: '5' },
    mbps: { type: 'string', default: '0' },
    again: { type: 'string', default: '1' },
    runtime: { type: 'string', default: 'bun' },
  },
});
const runtime = values.runtime === 'node' ? 'node' : 'bun';
const folder = makeTempFolder();
const server = await startServer({ port: await freePort(), dataDir: folder, runtime });
const sink = new Worker(join(import.meta.dirname, 'flood/sink.ts'));
const sinkPort = await new Promise<number>((resolve) => sink.once('message', resolve));
const forMs = Number(values.seconds) * 1_000;
try {
  const tenants = matchdOf(folder);
  tenants.lift('demo');
  const key = tenants.makeTenant('Other');
  await playOn(server.url, key, 2_000);
  await measure('no flood', key, null);
  for (const kind of values.kinds.split(',') as FrameKind[]) {
    for (const sockets of values.sockets.split(',').map(Number)) {
      for (const hasToken of values.tokens.split(',')) {
        const tokens = hasToken === 'yes' ? await makeTokens(server) : [];
        const url = kind === 'sink' ? `http://127.0.0.1:${sinkPort}` : server.url;
        const wish = {
          url,
          kind,
          sockets,
          tokens,
          againMs: Number(values.again),
          mbPerSecond: Number(values.mbps),
        };
        const name = `${kind}, ${sockets} ${sockets === 1 ? 'socket' : 'sockets'} ${hasToken === 'yes' ? 'with' : 'without'} a token`;
        await measure(name, key, { ...wish, address: '198.51.100.1' });
        await Bun.sleep(REST_MS);
      }
    }
  }
  await measure('no flood', key, null);
} finally {
  await sink.terminate();
  await server.stop();
  removeFolder(folder);
}

async function measure(name: string, key: string, wish: FrameWish | null): Promise<void> {
  const stallsBefore = countStalls();
  const from = memoryMib();
  let peak = from;
  const sampling = setInterval(() => {
    peak = Math.max(peak, memoryMib());
  }, SAMPLE_MS);
  const worker =
    wish && new Worker(join(import.meta.dirname, 'flood/frames.ts'), { workerData: wish });
  const times = await playOn(server.url, key, forMs);
  const report = worker && (await ask(worker));
  clearInterval(sampling);
  const moves = `p50 ${quantile(times, 0.5)} p99 ${quantile(times, 0.99)} max ${quantile(times, 1)} ms of ${times.length} moves`;
  const memory = `${from} to ${peak} MiB`;
  console.log(
    `${name}: ${moves}; ${memory}; stalls ${countStalls() - stallsBefore}; ${JSON.stringify(report)}`,
  );
}

function ask(worker: Worker): Promise<FrameReport> {
  return new Promise((resolve) => {
    worker.once('message', (report: FrameReport) => resolve(report));
    worker.postMessage('end');
  });
}

function countStalls(): number {
  return server.log().split('stalled: ').length - 1;
}

function memoryMib(): number {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024);
}

function makeTokens({ url, testKey }: ServerProcess): Promise<string[]> {
  const make = async (_: unknown, n: number): Promise<string> => {
    const response = await fetch(`${url}/v1/players/flood-${n}/token`, {
      method: 'POST',
      headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
      body: '{}',
    });
    return ((await response.json()) as { token: string }).token;
  };
  return Promise.all(Array.from({ length: PLAYERS }, make));
}
