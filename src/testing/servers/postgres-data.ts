/**
 * The files of a new PostgreSQL server. In a test run they are made once, and each server starts
 * with a copy: making them takes longer than many tests.
 */

import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { ordinaryUser } from './child-server.ts';

export const SUPERUSER = 'matchd';
const INITDB = ['-U', SUPERUSER, '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '-N'];
const RETRY_MS = 20;
const WAIT_MS_MAX = 60_000;

/** Fills the folder `data`, which must not exist, in a folder of the server's user. */
export async function makeData(bin: string, data: string): Promise<void> {
  const run = process.env['MATCHD_TEST_RUN'];
  if (run === undefined) initdb(bin, data);
  else asServer('cp', ['-R', await preparedData(bin, run), data]);
}

/** Gives the folder to the servers' user. */
export function giveToServer(folder: string): void {
  const user = ordinaryUser();
  if (user !== null) chownSync(folder, user.uid, user.gid);
}

function initdb(bin: string, data: string): void {
  asServer(join(bin, 'initdb'), ['-D', data, ...INITDB]);
}

function asServer(program: string, args: readonly string[]): void {
  execFileSync(program, args, { ...ordinaryUser(), cwd: '/', stdio: 'pipe' });
}

/** The first process of the run to ask makes it; the others wait. */
async function preparedData(bin: string, run: string): Promise<string> {
  const folder = join(run, 'postgres');
  const [making, made] = [join(folder, 'making'), join(folder, 'made')];
  try {
    mkdirSync(folder);
  } catch {
    const until = Date.now() + WAIT_MS_MAX;
    while (!existsSync(made)) {
      if (Date.now() > until) throw new Error(`${made} is still not there`);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
    return made;
  }
  giveToServer(folder);
  initdb(bin, making);
  renameSync(making, made);
  return made;
}
