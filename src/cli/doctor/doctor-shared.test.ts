/** `matchd doctor` on a PostgreSQL database: its settings, its tables, and unreachable servers. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { isPostgresHere, sharedPostgres, startPostgres } from '../../testing/servers/postgres.ts';
import { openEmptying } from '../../testing/servers/postgres-place.ts';
import { type Matchd, makeMatchd } from '../matchd.test-kit.ts';

interface Found {
  readonly check: string;
  readonly status: string;
  readonly found: string;
}

const KEY = Buffer.alloc(32, 7).toString('base64');

describe.skipIf(!isPostgresHere())('doctor on PostgreSQL', () => {
  let matchd: Matchd;
  let url = '';
  beforeAll(async () => {
    matchd = makeMatchd({ MATCHD_SEALING_KEY: KEY });
    url = await (await sharedPostgres()).createDatabase();
  }, 60_000);
  afterAll(() => matchd.close());

  /** The message of a check, and its result. */
  async function examine(store: string, ...args: string[]) {
    const { stdout, exit } = await matchd.run('doctor', '--store', store, ...args, '--json');
    const { findings } = JSON.parse(stdout) as { readonly findings: readonly Found[] };
    const of = (check: string) => findings.filter((each) => each.check === check);
    return { of, exit, names: findings.map(({ check }) => check) };
  }

  test('[CLI] a database without tables is reported, and then one with them', async () => {
    const empty = await examine(url);
    expect(empty.of('database')).toMatchObject([
      { status: 'ok', found: expect.stringContaining('PostgreSQL') },
    ]);
    expect(empty.of('schema')).toMatchObject([
      { status: 'warn', found: expect.stringContaining('0040-one-schema') },
    ]);
    expect(empty.names).not.toContain('nodes');
    expect(empty.names).not.toContain('sqlite');
    await matchd.run('migrate', '--store', url);
    const full = await examine(url);
    expect(full.exit).toBe(0);
    for (const check of ['database', 'schema', 'clock', 'connections', 'sealing key', 'failures']) {
      expect([check, full.of(check)[0]?.status]).toEqual([check, 'ok']);
    }
    expect(full.of('nodes')).toMatchObject([{ status: 'warn', found: 'none serves' }]);
    expect(full.of('standby')).toMatchObject([{ status: 'warn' }]);
    const shell = await openEmptying(url);
    await shell.rows("INSERT INTO node (id, lease_until) VALUES ('nod_a', 1e15::bigint)");
    await shell.close();
    expect((await examine(url)).of('nodes')).toMatchObject([{ status: 'ok', found: '1 serve' }]);
  }, 60_000);

  test('[CLI] a server that may lose acknowledged writes is reported, with each such setting', async () => {
    const server = await startPostgres(['fsync=off', 'full_page_writes=off', 'max_connections=15']);
    try {
      const unsafe = await server.createDatabase();
      const told = await examine(unsafe);
      expect(told.exit).toBe(1);
      expect(told.of('database').map(({ status }) => status)).toEqual(['fail', 'fail']);
      expect(told.of('database')[0]!.found).toContain('fsync is off');
      expect(told.of('connections')).toMatchObject([{ status: 'warn' }]);
      const allowed = await examine(unsafe, '--allow-unsafe-store');
      expect(allowed.of('database').map(({ status }) => status)).toEqual(['warn', 'warn']);
    } finally {
      await server.stop();
    }
  }, 60_000);

  test('[CLI] an unreachable server is one failure, and shows no password', async () => {
    const told = await examine('postgres://matchd:hunter2@127.0.0.1:1/matchd');
    expect(told.exit).toBe(1);
    expect(told.of('database')).toMatchObject([
      { status: 'fail', found: expect.stringContaining('the database matchd at 127.0.0.1:1') },
    ]);
    expect(told.names).not.toContain('schema');
    expect(JSON.stringify(told.of('database'))).not.toContain('hunter2');
  }, 60_000);
});
