/**
 * `bun e2e/slow-clients.ts`: thousands of connections that send nothing, or a head or a body a byte
 * at a time, against its own service on 127.0.0.1. Prints when and how each kind ended, and how
 * fast another client was answered meanwhile, with a baseline. Exits with 1 if a connection was
 * still open after `--seconds`.
 */

import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeTempFolder } from '../src/testing/temp-folder.ts';
import { freePort, startServer } from './parts/server-process.ts';

/** The beginning of a connection, and the data sent a byte at a time; null: nothing. */
const KINDS = {
  silent: { begin: '', drip: null },
  'slow head': { begin: 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: ', drip: 'a' },
  'slow body': {
    begin:
      'POST /v1/sessions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer KEY\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n{',
    drip: ' ',
  },
  'slow chunks': {
    begin:
      'POST /v1/sessions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer KEY\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
    drip: '1\r\n \r\n',
  },
} as const;
type Kind = keyof typeof KINDS;

const DRIP_MS = 1_000;
/** How many connections are opened at a time. */
const OPENED_AT_ONCE = 100;
const ASK_EVERY_MS = 20;

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '3000' },
    seconds: { type: 'string', default: '30' },
    runtime: { type: 'string', default: 'bun' },
    /** Set in the processes that attack. */
    attack: { type: 'string' },
    port: { type: 'string', default: '0' },
    key: { type: 'string', default: '' },
  },
});
const count = Number(values.count);
const withinMs = Number(values.seconds) * 1_000;
if (values.attack !== undefined) await attack(values.attack as Kind, Number(values.port));
else await measure();

async function attack(kind: Kind, port: number): Promise<void> {
  const { begin, drip } = KINDS[kind];
  const endings: { readonly afterMs: number; readonly how: string }[] = [];
  let open = 0;
  for (let i = 0; i < count; i++) {
    // Many at once wait for the system to accept them.
    let began = performance.now();
    const tcp = connect(port, '127.0.0.1', () => {
      began = performance.now();
    });
    let answer = '';
    let isReset = false;
    const timer = drip === null ? null : setInterval(() => tcp.write(drip), DRIP_MS);
    open += 1;
    tcp.write(begin.replace('KEY', values.key));
    tcp.on('data', (bytes) => {
      answer ||= bytes.toString('latin1', 0, 12);
    });
    tcp.on('error', () => {
      isReset = true;
    });
    tcp.on('close', () => {
      if (timer !== null) clearInterval(timer);
      open -= 1;
      const how = `${answer.slice(9) || 'no answer'}${isReset ? ', reset' : ''}`;
      endings.push({ afterMs: performance.now() - began, how });
    });
    if (i % OPENED_AT_ONCE === 0) await Bun.sleep(10);
  }
  const until = performance.now() + withinMs;
  while (open > 0 && performance.now() < until) await Bun.sleep(100);
  const counts: Record<string, number> = {};
  for (const { how } of endings) counts[how] = (counts[how] ?? 0) + 1;
  const times = endings.map(({ afterMs }) => afterMs).sort((a, b) => a - b);
  const seconds = (part: number): number => Math.round((at(times, part) ?? 0) / 100) / 10;
  console.log(JSON.stringify({ kind, open, first: seconds(0), last: seconds(1), ...counts }));
  process.exit(open > 0 ? 1 : 0);
}

async function measure(): Promise<void> {
  const folder = makeTempFolder();
  const runtime = values.runtime === 'node' ? 'node' : 'bun';
  const server = await startServer({
    port: await freePort(),
    dataDir: join(folder, 'data'),
    runtime,
  });
  try {
    const main = join(import.meta.dirname, '../src/cli/main.ts');
    const limit = ['--plan', 'enterprise', '--limits', 'requestsPerMinute=1000000000'];
    const data = ['--data', server.dataDir];
    execFileSync(process.execPath, [main, 'tenants', 'update', 'demo', ...data, ...limit]);
    console.log(`${count} connections of each kind, ${runtime}`);
    const idle = await askDuring(server, pass(5_000));
    console.log(`without: ${idle}, rss ${rssMib(server.pid)} MiB`);
    for (const kind of Object.keys(KINDS)) {
      const args = [
        import.meta.filename,
        '--attack',
        kind,
        '--port',
        new URL(server.url).port,
        '--key',
        server.testKey,
      ];
      const child = spawn(
        process.execPath,
        [...args, '--count', values.count, '--seconds', values.seconds],
        {
          stdio: 'inherit',
        },
      );
      let highest = 0;
      const watch = setInterval(() => {
        highest = Math.max(highest, rssMib(server.pid));
      }, 500);
      const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
      console.log(`${kind}: ${await askDuring(server, exited)}, rss at most ${highest} MiB`);
      clearInterval(watch);
      if ((await exited) !== 0) process.exitCode = 1;
    }
  } finally {
    await server.stop();
  }
}

/** Sends requests like another client until `end`, and returns how long responses took. */
async function askDuring(
  { url, liveKey }: { readonly url: string; readonly liveKey: string },
  end: Promise<unknown>,
) {
  let isOver = false;
  void end.then(() => {
    isOver = true;
  });
  const times: number[] = [];
  let failed = 0;
  while (!isOver) {
    const began = performance.now();
    const headers = { authorization: `Bearer ${liveKey}` };
    const ok = await fetch(`${url}/v1/whoami`, { headers }).then(
      (r) => r.ok,
      () => false,
    );
    if (!ok) failed += 1;
    times.push(performance.now() - began);
    await pass(ASK_EVERY_MS);
  }
  times.sort((a, b) => a - b);
  const ms = (part: number): string => `${at(times, part)?.toFixed(1)} ms`;
  return `${times.length} answers, p50 ${ms(0.5)}, p99 ${ms(0.99)}, ${failed} failed`;
}

function at(sorted: readonly number[], part: number): number | undefined {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
}

function rssMib(pid: number): number {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Math.round(Number(line?.[1] ?? 0) / 1_024);
}

function pass(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
