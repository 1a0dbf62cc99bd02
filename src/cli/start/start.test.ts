/**
 * A failed start ends the process with one line, whatever it had opened; so does a signal during a
 * start.
 */

import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import fs from 'node:fs';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { findNode, freePort } from '../../../e2e/parts/server-process.ts';
import { makeTempFolder, removeFolder } from '../../testing/temp-folder.ts';
import { matchdCommand } from '../matchd.test-kit.ts';

setDefaultTimeout(60_000);

const MAIN = path.join(import.meta.dirname, '../main.ts');
/** A failed start is over by then, with its longest wait. Ms. */
const END_MS_MAX = 20_000;

let folder: string;
let data: string;
let taken: Server | null;
beforeEach(() => {
  folder = makeTempFolder();
  data = path.join(folder, 'data');
  taken = null;
});
afterEach(() => {
  taken?.close();
  removeFolder(folder);
});

interface Start {
  readonly env?: Readonly<Record<string, string>>;
  readonly program?: string;
  /** Shell commands before it. */
  readonly before?: string;
}

/** Starts the real command. */
function start(args: readonly string[], { env = {}, program, before = '' }: Start = {}) {
  const { PATH = '', HOME = '' } = process.env;
  const command = [
    ...(program === undefined ? matchdCommand() : [program, MAIN]),
    ...args,
    '--data',
    data,
  ];
  const child = Bun.spawn(['sh', '-c', `${before} exec "$@"`, 'sh', ...command], {
    cwd: folder,
    env: { PATH, HOME, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const out = new Response(child.stdout).text();
  const err = new Response(child.stderr).text();
  return {
    child,
    /** Exit code and output; `still there` for a process that had to be killed. */
    async ended() {
      const timer = setTimeout(() => child.kill('SIGKILL'), END_MS_MAX);
      const exit = await child.exited;
      clearTimeout(timer);
      const lines = (await err).split('\n').filter((line) => line !== '');
      // The log is JSON; messages to people are not.
      const said = lines.filter((line) => !line.startsWith('{'));
      const end = child.signalCode === 'SIGKILL' ? 'still there' : exit;
      return { end, said, lines, out: await out };
    },
  };
}

const serve = async (...args: readonly string[]): Promise<readonly string[]> => [
  'serve',
  '--public-url',
  'http://127.0.0.1',
  '--port',
  String(await freePort()),
  ...args,
];

/** Opens a port; returns its number. */
function takePort(): Promise<number> {
  return new Promise((resolve) => {
    taken = createServer((socket) => void socket.on('error', () => {}));
    taken.listen(0, '127.0.0.1', () => resolve((taken!.address() as { port: number }).port));
  });
}

/** Runs it once until it is ready, and ends it: then there is a database. */
async function makeData(
  command: 'serve' | 'dev',
  signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM',
): Promise<void> {
  const args = command === 'serve' ? await serve('--json') : ['dev', '--port', '0', '--json'];
  const { PATH = '', HOME = '' } = process.env;
  const child = Bun.spawn([...matchdCommand(), ...args, '--data', data], {
    cwd: folder,
    env: { PATH, HOME },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'ignore',
  });
  await child.stdout.getReader().read();
  child.kill(signal);
  await child.exited;
}

/** A folder on a file system of its own, so small that a test fills it; null where none can be mounted. */
function mountSmall(): { unmount(): void } | null {
  fs.mkdirSync(data);
  const mounted = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', 'size=4m,mode=0700', 'tmpfs', data]);
  if (mounted.exitCode !== 0) return null;
  return { unmount: () => void Bun.spawnSync(['umount', '-l', data]) };
}

/** Leaves this many bytes, in whole pages. */
function fill(left: number): void {
  fs.writeFileSync(path.join(data, 'room'), Buffer.alloc(left));
  const filler = fs.openSync(path.join(data, 'filler'), 'w');
  try {
    for (const bytes of [65_536, 4_096, 512, 1]) {
      const block = Buffer.alloc(bytes);
      try {
        while (fs.writeSync(filler, block) === bytes);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    }
  } finally {
    fs.closeSync(filler);
    fs.rmSync(path.join(data, 'room'));
  }
}

describe.each(['serve', 'dev'] as const)('matchd %s', (command) => {
  const args = async () => (command === 'serve' ? await serve() : ['dev', '--port', '0']);

  // After SIGKILL the log still exists, so it takes longer until something has to be written.
  test.each([
    ['SIGTERM', 0],
    ['SIGTERM', 40_960],
    ['SIGKILL', 0],
    ['SIGKILL', 4_096],
    ['SIGKILL', 16_384],
  ] as const)(
    '[F1] a start on a full disk ends with one line (after %s, %d bytes left)',
    async (signal, left) => {
      const disk = mountSmall();
      if (disk === null) {
        console.warn('skipped: nothing can be mounted here; the next test limits sizes instead');
        return;
      }
      try {
        await makeData(command, signal);
        fill(left);
        const { end, said } = await start(await args()).ended();
        expect(end).toBe(1);
        expect(said).toEqual([expect.stringContaining('full')]);
      } finally {
        disk.unmount();
      }
    },
  );

  test('[F1] a start that cannot write its files ends with one line', async () => {
    await makeData(command, 'SIGKILL');
    const limit = { before: "trap '' XFSZ; ulimit -f 64;" };
    const { end, said } = await start(await args(), limit).ended();
    expect(end).toBe(1);
    expect(said).toHaveLength(1);
  });

  test('[F1] a start on a file that is not a database ends with one line that names it', async () => {
    fs.mkdirSync(data);
    fs.writeFileSync(path.join(data, 'matchd.db'), 'Dear diary. '.repeat(1_000));
    const { end, said } = await start(await args()).ended();
    expect(end).toBe(1);
    expect(said).toEqual([expect.stringContaining(path.join(data, 'matchd.db'))]);
  });

  test('[F1] a start on a database that another process keeps locked ends with one line', async () => {
    await makeData(command);
    const db = new Database(path.join(data, 'matchd.db'));
    db.exec('BEGIN IMMEDIATE');
    const { end, said } = await start(await args()).ended();
    db.close();
    expect(end).toBe(1);
    expect(said).toEqual([expect.stringContaining('locked')]);
  });

  test('[F1] a start whose metrics port is taken ends with one line', async () => {
    const env = { MATCHD_METRICS_PORT: String(await takePort()) };
    const { end, said } = await start(await args(), { env }).ended();
    expect(end).toBe(1);
    expect(said).toEqual([expect.stringContaining(env.MATCHD_METRICS_PORT)]);
  });

  test('[F1] a start in a path that is not a folder ends with one line', async () => {
    fs.writeFileSync(data, '');
    const { end, said } = await start(await args()).ended();
    expect(end).toBe(1);
    expect(said).toEqual([expect.stringContaining(data)]);
  });

  test('[F1] a start with roots that cannot be read ends with one line', async () => {
    const env = { MATCHD_APP_ATTEST_ROOTS: path.join(folder, 'none.pem') };
    const { end, said } = await start(await args(), { env }).ended();
    expect(end).toBe(1);
    expect(said).toEqual([expect.stringContaining('none.pem')]);
  });
});

test('[F1] a start without the key of its secrets ends with one line', async () => {
  await makeData('serve');
  fs.rmSync(path.join(data, 'sealing.key'));
  const { end, said } = await start(await serve()).ended();
  expect(end).toBe(1);
  expect(said).toEqual([expect.stringContaining('sealing.key')]);
});

test('[F1] a start whose port is taken ends with one line', async () => {
  const port = String(await takePort());
  const { end, said } = await start(await serve('--port', port)).ended();
  expect(end).toBe(1);
  expect(said).toEqual([expect.stringContaining(port)]);
});

test('[F1] a development start whose keys are damaged ends with one line', async () => {
  await makeData('dev');
  fs.writeFileSync(path.join(data, 'dev-keys.json'), '{"tenant":');
  const { end, said } = await start(['dev', '--port', '0']).ended();
  expect(end).toBe(1);
  expect(said).toHaveLength(1);
});

test('[F1] SIGTERM during a start that waits for its database ends it', async () => {
  // Accepts connections and never answers.
  const port = await takePort();
  const env = {
    MATCHD_STORE: `postgres://matchd@127.0.0.1:${port}/matchd`,
    MATCHD_SEALING_KEY: Buffer.alloc(32, 3).toString('base64'),
  };
  const connected = new Promise((resolve) => taken!.once('connection', resolve));
  const service = start(await serve(), { env });
  await connected;
  const asked = performance.now();
  service.child.kill('SIGTERM');
  const { end, said } = await service.ended();
  expect([end, said]).toEqual([0, []]);
  expect(performance.now() - asked).toBeLessThan(4_000);
});

test('[F1] SIGTERM at any moment of a start ends the process', async () => {
  for (const ms of [0, 150, 300, 450, 600, 750]) {
    const service = start(await serve());
    await Bun.sleep(ms);
    service.child.kill('SIGTERM');
    const { end, said } = await service.ended();
    // Before the command has begun it looks like any other process.
    expect([0, 143], `after ${ms} ms: ${said}`).toContain(end as number);
  }
});

test.skipIf(findNode() === null)('[F1] a start on a full disk ends on Node, too', async () => {
  await makeData('serve', 'SIGKILL');
  const limit = { before: "trap '' XFSZ; ulimit -f 64;", program: findNode()! };
  const { end, said } = await start(await serve(), limit).ended();
  expect(end).toBe(1);
  expect(said).toHaveLength(1);
});
