/** Tenants of a server under test, created and changed with its own command line. */

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const MAIN = join(import.meta.dirname, '../../src/cli/main.ts');
const PLAN = ['--plan', 'enterprise'];
/** These are never limited: the flood has to reach the code behind the limits. */
const LIMITS = ['requestsPerMinute', 'openSessions', 'sessionsPerMonth', 'sockets', 'openTickets'];

export interface Tenants {
  /** Lifts the limits of a tenant, by id or slug. */
  lift(tenant: string): void;
  /**
   * Creates a tenant without limits, except for those named (`name=value`). Returns a live key of
   * it.
   */
  makeTenant(name: string, limits?: readonly string[]): string;
}

/** Of the server on this data folder. */
export function matchdOf(folder: string): Tenants {
  const run = (...args: readonly string[]): string =>
    execFileSync(process.execPath, [MAIN, ...args, '--data', folder], { encoding: 'utf8' });
  const lift = (tenant: string, limits: readonly string[] = []): void => {
    const all = [...LIMITS.map((name) => `${name}=1000000000`), ...limits];
    run('tenants', 'update', tenant, ...PLAN, ...all.flatMap((limit) => ['--limits', limit]));
  };
  return {
    lift,
    makeTenant(name, limits) {
      const { id } = JSON.parse(run('tenants', 'create', '--name', name, ...PLAN, '--json'));
      lift(id, limits);
      const args = ['keys', 'create', '--tenant', id, '--mode', 'live', '--name', name, '--json'];
      return (JSON.parse(run(...args)) as { key: string }).key;
    },
  };
}
