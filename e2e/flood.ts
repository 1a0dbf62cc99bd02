/**
 * `bun e2e/flood.ts`: mutated requests, mutated frames and sockets that never read, against its own
 * service on 127.0.0.1, with the memory over time. `--seconds` ends slow requests and frames. Exits
 * with 1 if a request had no response or a 5xx.
 */

import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeTempFolder } from '../src/testing/temp-folder.ts';
import { makeChance } from './faults/chance.ts';
import { heapEnv, type MemorySample, sampleMemory } from './flood/memory.ts';
import { floodRequests } from './flood/requests.ts';
import { floodFrames, openUnread, type SocketWish } from './flood/sockets.ts';
import { matchdOf } from './flood/tenants.ts';
import { freePort, type ServerProcess, startServer } from './parts/server-process.ts';

const SAMPLES = 12;
/**
 * How long after a part memory is measured, because sockets and caches need time to be released.
 * Milliseconds.
 */
const REST_MS = 8_000;

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '600000' },
    frames: { type: 'string', default: '600000' },
    rounds: { type: 'string', default: '60' },
    seconds: { type: 'string', default: '240' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    runtime: { type: 'string', default: 'bun' },
  },
});
const runtime = values.runtime === 'node' ? 'node' : 'bun';
console.log(`seed ${values.seed}`);
const folder = makeTempFolder();
const heapFile = join(folder, 'heap.jsonl');
const server = await startServer({
  port: await freePort(),
  dataDir: join(folder, 'data'),
  runtime,
  env: runtime === 'bun' ? heapEnv(heapFile) : {},
});
try {
  matchdOf(server.dataDir).lift('demo');
  process.exitCode = (await flood(server)) ? 0 : 1;
} finally {
  await server.stop();
}

/** Returns whether every request had a response below 500. */
async function flood({ url, liveKey, testKey, pid }: ServerProcess): Promise<boolean> {
  const chance = makeChance(Number(values.seed));
  const began = performance.now();
  const look = (what: string): void => {
    const seconds = Math.round((performance.now() - began) / 1_000);
    say(`${seconds} s, ${what}`, sampleMemory(pid, heapFile));
  };
  const withinMs = Number(values.seconds) * 1_000;
  const from = { url: new URL(url), chance };
  const sockets: SocketWish = { ...from, makeToken: (player) => makeToken(url, testKey, player) };
  look('start');
  const requests = await floodRequests({
    ...from,
    keys: [liveKey, testKey],
    count: Number(values.requests),
    withinMs,
    onAnswer: everyPart(Number(values.requests), (n) => look(`${n} requests`)),
  });
  console.log(JSON.stringify({ ...requests, unanswered: requests.unanswered.length }));
  for (const each of requests.unanswered.slice(0, 40)) console.log(`no answer: ${each}`);
  await rest(look);
  const step = everyPart(Number(values.frames), (n) => look(`${n} frames`));
  const frames = await floodFrames(sockets, { count: Number(values.frames), withinMs }, step);
  console.log(`${frames} frames sent`);
  await rest(look);
  const rounds = Number(values.rounds);
  const round = everyPart(rounds, (n) => look(`${n} rounds of unread sockets`));
  for (let n = 1; n <= rounds; n++) {
    await openUnread(sockets, n);
    round(n);
  }
  await rest(look);
  const failed = Object.keys(requests.statuses).filter((status) => status >= '500');
  return requests.unanswered.length + failed.length === 0;
}

async function rest(look: (what: string) => void): Promise<void> {
  await Bun.sleep(REST_MS);
  look('at rest');
}

/** Calls `act` for about `SAMPLES` of the counts up to `all`. */
function everyPart(all: number, act: (count: number) => void): (count: number) => void {
  let next = all / SAMPLES;
  return (count) => {
    if (count < next) return;
    next += all / SAMPLES;
    act(count);
  };
}

function say(what: string, { rssMib, heapMib, extraMib, objects }: MemorySample): void {
  const heap = `heap ${heapMib} MiB and ${extraMib} beside it in ${objects} objects`;
  console.log(`${what}: rss ${rssMib} MiB, ${heap}`);
}

async function makeToken(url: string, key: string, player: string): Promise<string> {
  const response = await fetch(`${url}/v1/players/${player}/token`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{}',
  });
  return ((await response.json()) as { token: string }).token;
}
