/** Starts servers and drivers, each in its own process group, and ends only what it started. */

import type { Subprocess } from 'bun';
import type { Job, JobResults } from './jobs.ts';
import type { Cores } from './machine.ts';

export interface StartOptions {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Receives standard error as it comes. */
  readonly errors?: (text: string) => void;
}

/** How a server is started other than usual. */
export type Extras = Pick<StartOptions, 'env' | 'errors'>;

/** A server's output when it is ready: one line of JSON. */
export interface Ready {
  readonly url: string;
  readonly pid: number;
  readonly [field: string]: unknown;
}

export interface RunningServer {
  readonly ready: Ready;
  /** SIGTERM to the server; SIGKILL to what is left of its group if that takes too long. */
  stop(): Promise<void>;
}

export interface Processes {
  startServer(options: StartOptions): Promise<RunningServer>;
  /** Runs a job in a driver process. Rejects with what that printed when it fails. */
  drive<K extends Job['kind']>(
    job: Extract<Job, { kind: K }>,
    withinMs: number,
  ): Promise<JobResults[K]>;
  /** Ends at once whatever still runs. */
  killAll(): void;
}

type Child = Subprocess<Buffer | 'ignore', 'pipe', 'pipe'>;

const DRIVER = new URL('./driver.ts', import.meta.url).pathname;
const READY_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 15_000;
/**
 * If the benchmark itself is killed, its processes end after this time. In the format of `timeout`.
 */
const LIFE_MAX = '61m';
/** How much of a failed process's words is shown. */
const TAIL_CHARACTERS = 2_000;

export function makeProcesses(cores: Cores | null): Processes {
  const running = new Set<Child>();
  const limit = Bun.which('timeout') === null ? [] : ['timeout', '-k', '10', LIFE_MAX];
  const spawn = (options: StartOptions, core: number | undefined, input?: string): Child => {
    const pin = core === undefined ? [] : ['taskset', '-c', String(core)];
    const child: Child = Bun.spawn([...limit, ...pin, ...options.command], {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdin: input === undefined ? 'ignore' : Buffer.from(input),
      stdout: 'pipe',
      stderr: 'pipe',
      detached: true,
    });
    running.add(child);
    void child.exited.then(() => running.delete(child));
    return child;
  };
  return {
    async startServer(options) {
      const child = spawn(options, cores?.server);
      const words = collect(child.stderr, TAIL_CHARACTERS, options.errors);
      const ready = await within(READY_WITHIN_MS, readyLine(child.stdout));
      if (ready !== null) return { ready, stop: () => stop(child, ready.pid) };
      killGroup(child);
      throw new Error(`${options.command.join(' ')} did not start: ${await words}`);
    },
    async drive(job, withinMs) {
      const options = { command: [process.execPath, DRIVER], cwd: import.meta.dir };
      const child = spawn(options, cores?.driver, JSON.stringify(job));
      const words = collect(child.stderr);
      const output = collect(child.stdout, Number.POSITIVE_INFINITY);
      const code = await within(withinMs, child.exited);
      if (code === 0) return JSON.parse(await output);
      killGroup(child);
      const how = code === null ? `took over ${withinMs} ms` : `ended with ${code}`;
      throw new Error(`driver: ${job.kind} ${how}: ${await words}`);
    },
    killAll() {
      for (const child of running) killGroup(child);
    },
  };
}

async function stop(child: Child, serverPid: number): Promise<void> {
  signal(serverPid, 'SIGTERM');
  if ((await within(STOP_WITHIN_MS, child.exited)) === null) killGroup(child);
  await child.exited;
}

/** The child leads its own group, so this reaches what it started and nothing else. */
function killGroup(child: Child): void {
  signal(-child.pid, 'SIGKILL');
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended by itself.
  }
}

/** The first line of output that announces a server; null when the output ends without one. */
async function readyLine(stream: ReadableStream<Uint8Array>): Promise<Ready | null> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return null;
    text += decoder.decode(value, { stream: true });
    const ready = text
      .split('\n')
      .slice(0, -1)
      .map(parseReady)
      .find((each) => each !== null);
    if (ready === undefined) continue;
    void drain(reader);
    return ready;
  }
}

/** Unread output would block the process that writes it. */
async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  while (!(await reader.read()).done);
}

function parseReady(line: string): Ready | null {
  if (!/^\{.*\}$/.test(line)) return null;
  const parsed = JSON.parse(line) as Partial<Ready>;
  return typeof parsed.url === 'string' && typeof parsed.pid === 'number'
    ? (parsed as Ready)
    : null;
}

async function collect(
  stream: ReadableStream<Uint8Array>,
  characters = TAIL_CHARACTERS,
  shown?: (text: string) => void,
): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    const more = decoder.decode(chunk, { stream: true });
    shown?.(more);
    text = (text + more).slice(-characters);
  }
  return text.trim();
}

/** The result of `work`, or null if it takes longer. */
async function within<T>(ms: number, work: Promise<T>): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  const result = await Promise.race([work, late]);
  clearTimeout(timer);
  return result;
}
