/**
 * Runs the real command `matchd` in a process of its own, in a folder that is removed with the
 * test.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const MAIN = path.join(import.meta.dirname, 'main.ts');

const LAST_WORDS_MS = 50;

/**
 * The words before the arguments of the real command. A run of all tests first builds the one file
 * to run: they start the command two thousand times, and it starts in a third of the time.
 */
export function matchdCommand(): readonly string[] {
  const built = process.env['MATCHD_TEST_PROGRAM'];
  return built === undefined ? [process.execPath, '--no-env-file', '--no-install', MAIN] : [built];
}

export interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: number;
}

export interface Matchd {
  readonly folder: string;
  run(...args: readonly string[]): Promise<Ended>;
  /** Runs it with `--json`, requires exit code 0 and exactly one line, and parses it. */
  json(...args: readonly string[]): Promise<never>;
  close(): void;
}

/** A folder that lies on a disk, also in a run of the tests whose own folder is in memory. */
export const diskFolder = (): string => process.env['MATCHD_TEST_DISK'] ?? tmpdir();

/**
 * Runs it with a terminal for input and output, as a person does. Returns what the terminal shows.
 */
export async function runAtTerminal(
  folder: string,
  env: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<string> {
  const { PATH = '', HOME = '' } = process.env;
  const parts: string[] = [];
  const decoder = new TextDecoder();
  const child = Bun.spawn([...matchdCommand(), ...args], {
    cwd: folder,
    env: { PATH, HOME, TERM: 'xterm-256color', ...env },
    terminal: {
      cols: 100,
      rows: 40,
      data: (_, bytes) => parts.push(decoder.decode(bytes, { stream: true })),
    },
  });
  await child.exited;
  // The last output may arrive after the end.
  await Bun.sleep(LAST_WORDS_MS);
  child.terminal?.close();
  return parts.join('').replaceAll('\r\n', '\n');
}

/** `env` is added to a path and a home, and nothing else of this process's environment. */
export function makeMatchd(
  env: Readonly<Record<string, string>> = {},
  parent: string = tmpdir(),
): Matchd {
  const folder = mkdtempSync(path.join(parent, 'matchd-cli-'));
  const { PATH = '', HOME = '' } = process.env;
  const run = async (...args: readonly string[]): Promise<Ended> => {
    const child = Bun.spawn([...matchdCommand(), ...args], {
      cwd: folder,
      env: { PATH, HOME, ...env },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    });
    const [stdout, stderr, exit] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    return { stdout, stderr, exit };
  };
  return {
    folder,
    run,
    async json(...args) {
      const ended = await run(...args, '--json');
      const lines = ended.stdout.split('\n');
      if (ended.exit !== 0 || lines.length !== 2 || lines[1] !== '') {
        throw new Error(`${args.join(' ')}: ${JSON.stringify(ended)}`);
      }
      return JSON.parse(lines[0]!) as never;
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
