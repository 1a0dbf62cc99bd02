/** `matchd logs --follow` prints each request once, whenever it was written. */

import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import path from 'node:path';
import { makeIds } from '../../runtime/ids.ts';
import { systemRandomness } from '../../runtime/system.ts';
import type { RequestRow } from '../../store/journal.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { Store } from '../../store/whole-store.ts';
import type { KeyMode } from '../../tenancy/tenant.ts';
import { makeManualClock } from '../../testing/manual-clock.ts';
import { type Matchd, makeMatchd, matchdCommand } from '../matchd.test-kit.ts';

/** Each test starts processes, and the machine may be busy. */
setDefaultTimeout(60_000);

let matchd: Matchd;
let store: Store;
let tenant: string;
beforeEach(async () => {
  matchd = makeMatchd();
  ({ id: tenant } = (await matchd.json('tenants', 'create', '--name', 'Acme')) as { id: string });
  store = await openSqliteStore(path.join(matchd.folder, '.matchd', 'matchd.db'));
});
afterEach(async () => {
  await store.close();
  matchd.close();
});

/** A request that began at a given time. */
function makeRow(at: number, mode: KeyMode): RequestRow {
  const id = makeIds(makeManualClock(at), systemRandomness)('req');
  return {
    id,
    tenant,
    mode,
    at,
    method: 'GET',
    route: 'whoami',
    status: 200,
    code: null,
    tookMs: 1,
    keyId: 'key_x',
    session: null,
  };
}

interface Following {
  /** The ids printed so far, once the last of them is this one. */
  until(id: string): Promise<readonly string[]>;
  stop(): Promise<number>;
}

function follow(...args: readonly string[]): Following {
  const command = [...matchdCommand(), 'logs', '--tenant', 'acme'];
  const child = Bun.spawn([...command, '--follow', '--json', ...args], {
    cwd: matchd.folder,
    stdout: 'pipe',
  });
  const ids: string[] = [];
  void (async () => {
    let rest = '';
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) ids.push((JSON.parse(line) as { id: string }).id);
    }
  })();
  return {
    async until(id) {
      while (ids.at(-1) !== id && child.exitCode === null) await Bun.sleep(20);
      return ids;
    },
    stop() {
      child.kill('SIGINT');
      return child.exited;
    },
  };
}

test('[CLI][D9] followed, logs print no more of the earlier requests than was asked for, of both modes', async () => {
  const began = Date.now() - 60_000;
  const live = Array.from({ length: 30 }, (_, i) => makeRow(began + i, 'live'));
  const tests = Array.from({ length: 30 }, (_, i) => makeRow(began + 100 + i, 'test'));
  await store.logRequests([...live, ...tests]);
  const following = follow('--limit', '5');
  const wanted = tests.slice(-5).map(({ id }) => id);
  await following.until(wanted.at(-1)!);
  for (const mode of ['live', 'test'] as const) {
    const later = makeRow(Date.now(), mode);
    await store.logRequests([later]);
    wanted.push(later.id);
    expect(await following.until(later.id)).toEqual(wanted);
  }
  expect(await following.stop()).toBe(0);
});

test('[CLI][D9] a request is found by its id, with the reason why its key was refused', async () => {
  const row = {
    ...makeRow(Date.now(), 'live'),
    status: 401,
    code: 'invalid_api_key',
    refusal: 'revoked' as const,
  };
  await store.logRequests([makeRow(Date.now() - 9, 'test'), row]);
  const one = (...args: readonly string[]) =>
    matchd.run('logs', '--tenant', 'acme', '--request', ...args);
  const { id } = row;
  expect(JSON.parse((await one(id, '--json')).stdout)).toMatchObject({ id, refusal: 'revoked' });
  const text = (await one(id)).stdout;
  for (const part of [id, 'invalid_api_key', 'revoked', 'GET whoami']) expect(text).toContain(part);
  const table = await matchd.run('logs', '--tenant', 'acme', '--status', '401');
  expect(table.stdout).toContain('invalid_api_key (revoked)');
  const none = await one('req_none');
  expect([none.exit, none.stdout]).toEqual([1, '']);
  expect(none.stderr).toContain('Request "req_none" not found');
  expect((await one(id, '--mode', 'test')).exit).toBe(1);
  expect((await one(id, '--follow')).exit).toBe(2);
});

test('[CLI][D9] followed, logs print a request that took longer than later ones', async () => {
  const began = Date.now();
  // Earlier requests are not printed a second time; in live mode there were none.
  const [older, slow, quick] = [0, 1_000, 2_500].map((ms) => makeRow(began + ms, 'test'));
  const [slowLive, quickLive] = [3_000, 4_000].map((ms) => makeRow(began + ms, 'live'));
  await store.logRequests([older!]);
  const following = follow('--limit', '1');
  const wanted: string[] = [];
  // A service writes a request after its response.
  for (const row of [older, quick, slow, quickLive, slowLive]) {
    if (row !== older) await store.logRequests([row!]);
    wanted.push(row!.id);
    expect(await following.until(row!.id)).toEqual(wanted);
  }
  expect(await following.stop()).toBe(0);
});
