/** What test servers need of the machine: a user, ports, and a process to wait for. */

import { type ChildProcess, execFileSync } from 'node:child_process';
import { claimPort } from './port-claim.ts';

/** PostgreSQL refuses to run as root: then it runs as `postgres` or, without that user, as `nobody`. */
export function ordinaryUser(): { readonly uid: number; readonly gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag: string) => Number(execFileSync('id', [flag, name], { stdio: 'pipe' }));
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      // There is no such user; the next one.
    }
  }
  throw new Error('PostgreSQL needs an ordinary user to run as: `postgres` or `nobody`');
}

/** Must be below the ports that the system uses for outgoing connections. */
export interface PortRange {
  readonly from: number;
  readonly to: number;
}

/** That many unused ports, starting at a different one in each process. */
export async function findFreePorts(count: number, { from, to }: PortRange): Promise<number[]> {
  const ports: number[] = [];
  const offset = process.pid % (to - from);
  for (let n = 0; ports.length < count && n < to - from; n++) {
    const port = from + ((offset + n * 7) % (to - from));
    if (await claimPort(port)) ports.push(port);
  }
  if (ports.length < count) throw new Error(`There are no ${count} free ports`);
  return ports;
}

export function exitOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  child.ref();
  return new Promise((resolve) => child.once('exit', () => resolve()));
}
