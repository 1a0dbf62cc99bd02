/** A command changes tenants while the service commits: one file, two processes. */

import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { makeTempFolder, removeFolder } from '../../testing/temp-folder.ts';
import { append, created, entryOf, sessionId } from '../contract/stage.ts';
import { openSqliteStore } from './sqlite-store.ts';

const folder = makeTempFolder();
afterAll(() => removeFolder(folder));

/** Runs a program that has `openSqliteStore`, `stage` and `file`. Returns its output. */
async function run(file: string, program: string): Promise<string> {
  const sources = {
    store: join(import.meta.dir, 'sqlite-store.ts'),
    stage: join(import.meta.dir, '../contract/stage.ts'),
  };
  const text = `
    const { openSqliteStore } = await import(${JSON.stringify(sources.store)});
    const stage = await import(${JSON.stringify(sources.stage)});
    const file = ${JSON.stringify(file)};
    ${program}`;
  const child = Bun.spawn([process.execPath, '--eval', text], { stderr: 'inherit' });
  const printed = await new Response(child.stdout).text();
  expect(await child.exited).toBe(0);
  return printed.trim();
}

describe('two processes', () => {
  test('[STORE-SQ12] a second process writes at the same time, and neither blocks the other', async () => {
    const file = join(folder, 'shared.db');
    const store = await openSqliteStore(file);
    const writing = run(
      file,
      `const store = await openSqliteStore(file);
       for (let n = 0; n < 40; n++) {
         await store.createTenant(stage.tenantOf('ten_' + n), stage.auditOf('tenant.create'));
         await store.updateTenant('ten_' + n, { active: n % 2 === 0 }, stage.auditOf('tenant.update'));
       }
       await store.close();
       console.log('done');`,
    );
    let isDone = false;
    const child = writing.then((printed) => {
      isDone = true;
      return printed;
    });
    const ids = await Promise.all(Array.from({ length: 20 }, (_, n) => created(store, n)));
    let v = 0;
    while (!isDone) {
      v += 1;
      const outcomes = await Promise.all(ids.map((id) => append(store, id, [entryOf(v)])));
      expect(new Set(outcomes)).toEqual(new Set(['committed']));
    }
    expect(await child).toBe('done');
    expect((await store.listTenants()).length).toBe(40);
    expect(await store.tenancyRevision()).toBe(80);
    expect((await store.loadSession(sessionId(3)))?.entries.length).toBe(v + 1);
    await store.close();
  });

  test('[STORE-SQ8] a session is read as of one moment, however fast it is written', async () => {
    const file = join(folder, 'torn.db');
    const store = await openSqliteStore(file);
    const id = await created(store, 1);
    const records = 1_200;
    // Every commit also writes its version into the row.
    const writing = run(
      file,
      `const store = await openSqliteStore(file);
       for (let v = 1; v <= ${records}; v++) {
         const change = { status: 'active', startedAt: v };
         await stage.append(store, ${JSON.stringify(id)}, [stage.entryOf(v)], change);
       }
       await store.close();
       console.log('done');`,
    );
    for (let read = 0; read <= records; ) {
      for (let n = 0; n < 50; n++) {
        const { row, entries } = (await store.loadSession(id))!;
        read = entries.length;
        expect(row.startedAt ?? 0).toBe(read - 1);
      }
      await new Promise(setImmediate);
    }
    expect(await writing).toBe('done');
    await store.close();
  });

  test('[STORE-SQ12] several processes that open a new file at once create it once', async () => {
    for (let round = 0; round < 2; round++) {
      const file = join(folder, `new-${round}.db`);
      const program = `
        while (Date.now() < ${Date.now() + 500});
        const store = await openSqliteStore(file);
        const make = () => ({ kid: String(process.pid), secret: Uint8Array.of(1) });
        console.log((await store.signingSecret(make)).kid);
        await store.close();`;
      const kids = await Promise.all(Array.from({ length: 5 }, () => run(file, program)));
      expect(kids[0]).toMatch(/^\d+$/);
      expect(new Set(kids).size).toBe(1);
    }
  });
});
