/** `matchd serve` with a folder of games, as an operator runs it: started, killed and restarted. */

import { join } from 'node:path';
import { freePort } from '../parts/server-process.ts';

const MAIN = join(import.meta.dirname, '../../src/cli/main.ts');

export interface ServeNode {
  readonly url: string;
  readonly testKey: string;
  /** Ends it at once by SIGKILL, or in order by SIGTERM. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>;
  /** Standard error so far. */
  log(): string;
}

export interface Operator {
  /** A command of `matchd`. Returns its exit code and its output. */
  run(...args: readonly string[]): Promise<{ readonly exit: number; readonly said: string }>;
  /** A key of test mode for a new tenant. */
  makeKey(): Promise<string>;
  serve(games: string, testKey: string): Promise<ServeNode>;
}

/** All commands share the variables, which name the store and the data folder. */
export function makeOperator(folder: string, env: Readonly<Record<string, string>>): Operator {
  const spawn = (args: readonly string[]) =>
    Bun.spawn([process.execPath, MAIN, ...args], {
      cwd: folder,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: folder,
        MATCHD_DATA: folder,
        MATCHD_SEALING_KEY: Buffer.alloc(32, 5).toString('base64'),
        MATCHD_TRUSTED_PROXIES: '127.0.0.1',
        ...env,
      },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    });
  const run: Operator['run'] = async (...args) => {
    const child = spawn(args);
    const [out, err] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    return { exit: await child.exited, said: out + err };
  };
  return {
    run,
    async makeKey() {
      await run('tenants', 'create', '--name', 'acme', '--json');
      const made = await run('keys', 'create', '--tenant', 'acme', '--mode', 'test', '--json');
      return (JSON.parse(made.said) as { readonly key: string }).key;
    },
    async serve(games, testKey) {
      const port = await freePort();
      const where = ['--public-url', 'https://play.example.com', '--port', `${port}`];
      const child = spawn(['serve', '--json', '--games', games, ...where]);
      let log = '';
      const readLog = async () => {
        for await (const chunk of child.stderr) log += Buffer.from(chunk).toString();
      };
      const logged = readLog();
      const first = await child.stdout.getReader().read(); // The line that says it is ready.
      if (first.done) {
        await logged;
        throw new Error(`It did not start: ${log}`);
      }
      return {
        url: `http://127.0.0.1:${port}`,
        testKey,
        log: () => log,
        end(signal) {
          child.kill(signal);
          return child.exited;
        },
      };
    },
  };
}
