/**
 * The demo tenant of development mode: the same keys at every start, whatever happened to the
 * first.
 */

import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '../../../e2e/parts/server-process.ts';
import { makeIds } from '../../runtime/ids.ts';
import { systemRandomness } from '../../runtime/system.ts';
import { openMemoryStore } from '../../store/sqlite/memory-store.ts';
import { makeManualClock } from '../../testing/manual-clock.ts';
import { type Matchd, makeMatchd } from '../matchd.test-kit.ts';
import { type DevDeps, devKeysFile, openDevTenant } from './dev-tenant.ts';

/** A process is started, and the machine may be busy. */
setDefaultTimeout(60_000);

let matchd: Matchd;
let folder: string;
beforeEach(() => {
  matchd = makeMatchd();
  folder = matchd.folder;
});
afterEach(() => matchd.close());

type Store = ReturnType<typeof openMemoryStore>;

function open(store: DevDeps['store']) {
  const clock = makeManualClock();
  const makeId = makeIds(clock, systemRandomness);
  return openDevTenant({ store, clock, randomness: systemRandomness, makeId }, folder);
}

async function keysOf(store: Store): Promise<string[]> {
  const [tenant] = await store.listTenants();
  return (await store.listKeys(tenant!.id)).map(({ mode, hint }) => `${mode} ${hint}`);
}

/** The store of a process that is killed at its n-th write. */
function dyingAt(store: Store, write: number): DevDeps['store'] {
  let writes = 0;
  const die = (): void => {
    writes += 1;
    if (writes === write) throw new Error('killed');
  };
  return {
    ...store,
    async createTenant(...args) {
      die();
      return store.createTenant(...args);
    },
    async createKey(...args) {
      die();
      return store.createKey(...args);
    },
  };
}

describe('[K1] the demo tenant', () => {
  test('has the same keys at every start, in a file only its owner can read', async () => {
    const store = openMemoryStore();
    const first = await open(store);
    const before = await keysOf(store);
    expect(before.map((each) => each.split(' ')[0]).sort()).toEqual(['live', 'test']);
    expect(await open(store)).toEqual(first);
    expect(await keysOf(store)).toEqual(before);
    expect(statSync(devKeysFile(folder)).mode & 0o777).toBe(0o600);
  });

  for (const write of [1, 2, 3]) {
    test(`is complete after a first run that was killed at its write ${write}`, async () => {
      const store = openMemoryStore();
      await expect(open(dyingAt(store, write))).rejects.toThrow('killed');
      const keys = await open(store);
      expect(await store.listTenants()).toHaveLength(1);
      expect((await keysOf(store)).sort()).toEqual(
        [`live ${keys.liveKey.slice(0, 16)}`, `test ${keys.testKey.slice(0, 16)}`].sort(),
      );
    });
  }

  test('has its keys in a database that was created again', async () => {
    const first = await open(openMemoryStore());
    const store = openMemoryStore();
    expect(await open(store)).toEqual(first);
    expect(await keysOf(store)).toHaveLength(2);
  });

  test('does not get a removed key back', async () => {
    const store = openMemoryStore();
    await open(store);
    const [tenant] = await store.listTenants();
    const kept = (await store.listKeys(tenant!.id)).find(({ mode }) => mode === 'live')!;
    const audit = { tenant: tenant!.id, actor: 'x', act: 'key.revoked', object: kept.id, at: 5 };
    await store.updateKey(kept.id, { revokedAt: 5 }, audit as never);
    await open(store);
    expect((await store.findKey(kept.id))!.revokedAt).toBe(5);
    expect(await keysOf(store)).toHaveLength(2);
  });

  test('of another file is not touched, and no file is created', async () => {
    const store = openMemoryStore();
    await open(store);
    rmSync(devKeysFile(folder));
    await expect(open(store)).rejects.toThrow('tenant "demo" already exists');
    expect(existsSync(devKeysFile(folder))).toBe(false);
    expect(await keysOf(store)).toHaveLength(2);
  });

  test.each(['', '{"tenant":"ten_1"', '{}', 'null', '{"tenant":"t","liveKey":"a","testKey":"b"}'])(
    'a file that holds %p is named, and left unchanged',
    async (text) => {
      writeFileSync(devKeysFile(folder), text);
      await expect(open(openMemoryStore())).rejects.toThrow('contains no keys');
      expect(readFileSync(devKeysFile(folder), 'utf8')).toBe(text);
    },
  );
});

test('[K1] a start that finds another demo tenant reports it and ends', async () => {
  const data = path.join(folder, 'data');
  await matchd.json('tenants', 'create', '--name', 'Demo', '--data', data);
  const port = String(await freePort());
  const { exit, stderr } = await matchd.run('dev', '--port', port, '--data', data, '--json');
  expect(exit).toBe(1);
  expect(stderr).toContain('already exists, and its keys are not in');
  expect(existsSync(devKeysFile(data))).toBe(false);
});
