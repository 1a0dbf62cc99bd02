/** What happens to writes when the writer dies, and when callbacks throw. */

import { afterAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { makeTempFolder, removeFolder } from '../../../testing/temp-folder.ts';
import { entryOf, sessionId, TENANT } from '../../contract/stage.ts';
import { StoreUnavailable } from '../../shared/store-unavailable.ts';
import type { CommitOutcome, MatchCommit } from '../../store.ts';
import type { GroupCommit } from './group-commit.ts';
import { makeGroupCommit } from './group-commit.ts';

const folder = makeTempFolder();
afterAll(() => removeFolder(folder));

/** A writer that gets its batches from a test, and runs a given program on each. */
function startWriter(onBatch: string, onDead?: (reason: string) => void): GroupCommit {
  const file = join(folder, `writer-${Math.random()}.mjs`);
  const program = `
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', (batch) => {
      if (batch === 'close') { parentPort.postMessage('closed'); parentPort.close(); }
      else {
        const ops = batch.ops === '' ? [] : JSON.parse(batch.ops);
        const records = batch.records === '' ? 0 : batch.records.split('\\u001e').length / 7;
        ${onBatch}
      }
    });`;
  writeFileSync(file, program);
  return makeGroupCommit(new Worker(file), onDead);
}

const ALL_WELL = `parentPort.postMessage({
  ok: true, conflicts: [], heads: [], results: ops.map(() => ({ ok: true, value: 'committed' })) });`;

function commitOf(n: number, isPlain: boolean): MatchCommit {
  const change = isPlain ? null : ({ awake: true } as const);
  return { session: sessionId(n), tenant: TENANT, mode: 'live', entries: [entryOf(1)], change };
}

function commit(writer: GroupCommit, n: number, isPlain = true): Promise<CommitOutcome> {
  return new Promise((resolve) => writer.commit(commitOf(n, isPlain), resolve));
}

describe('a writer that dies in the middle of a batch', () => {
  const ways = { throws: "throw new Error('out of memory');", exits: 'process.exit(3);' };
  for (const [how, program] of Object.entries(ways)) {
    test(`[STORE-SQ9] it ${how}: writes under way are unknown, later calls fail`, async () => {
      const deaths: string[] = [];
      const writer = startWriter(program, (reason) => void deaths.push(reason));
      const underWay = [commit(writer, 1), commit(writer, 2, false)];
      const beat = writer.script('heartbeat', { node: 'n', now: 1 });
      expect(beat).rejects.toThrow('The writer has died');
      await new Promise(setImmediate);
      const gathered = [commit(writer, 3), commit(writer, 4, false)];
      expect(await Promise.all([...underWay, ...gathered])).toEqual(Array(4).fill('unknown'));
      expect(await commit(writer, 5)).toBe('unknown');
      expect(writer.script('ping', null)).rejects.toThrow('The writer has died');
      await writer.close();
      expect(await commit(writer, 6, false)).toBe('unknown');
      expect(writer.pending()).toBe(0);
      expect(deaths).toEqual([expect.stringContaining('The writer has died')]);
    });
  }

  test('[STORE-SQ9] the process exits with it, because it could not write any more', async () => {
    const text = `
      import { Worker } from 'node:worker_threads';
      const { openSqliteStore } = await import(${JSON.stringify(join(import.meta.dir, '../sqlite-store.ts'))});
      const post = Worker.prototype.postMessage;
      let writer;
      Worker.prototype.postMessage = function (...args) { writer = this; return post.apply(this, args); };
      const store = await openSqliteStore(${JSON.stringify(join(folder, 'crash.db'))});
      console.log(await store.ping());
      void writer.terminate();
      setTimeout(() => console.log('still here'), 20_000);`;
    const child = Bun.spawn([process.execPath, '--eval', text], { stderr: 'pipe' });
    const [out, err] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    expect([out.trim(), await child.exited]).toEqual(['true', 1]);
    expect(err).toContain('crash.db: The writer has died');
  });

  test('[STORE-SQ9] a batch with an unknown result does not stop the next', async () => {
    const writer = startWriter(
      `globalThis.n = (globalThis.n ?? 0) + 1;
       if (n === 1) parentPort.postMessage({ ok: false, error: 'disk I/O error', isAway: true });
       else { ${ALL_WELL} }`,
    );
    const first = [commit(writer, 1), commit(writer, 2, false)];
    const lost = writer.script('ping', null);
    expect(lost).rejects.toThrow(new StoreUnavailable('disk I/O error'));
    expect(await Promise.all(first)).toEqual(['unknown', 'unknown']);
    expect(await Promise.all([commit(writer, 1), commit(writer, 2, false)])).toEqual([
      'committed',
      'committed',
    ]);
    await writer.close();
  });
});

test('[STORE-SQ10] a callback that throws keeps no other caller from its result', async () => {
  const text = `
    const { openSqliteStore } = await import(${JSON.stringify(join(import.meta.dir, '../sqlite-store.ts'))});
    const stage = await import(${JSON.stringify(join(import.meta.dir, '../../contract/stage.ts'))});
    process.on('uncaughtException', (error) => console.log(error.message));
    const store = await openSqliteStore(${JSON.stringify(join(folder, 'throws.db'))});
    for (const n of [1, 2, 3]) await stage.created(store, n);
    const commit = (n, done) => store.commit(
      { session: stage.sessionId(n), tenant: 't', mode: 'live', entries: [stage.entryOf(1)], change: null }, done);
    commit(1, (outcome) => console.log(1, outcome));
    commit(2, () => { throw new Error('a caller broke'); });
    await new Promise((resolve) => commit(3, resolve));
    await store.ping();
    await store.close();
    console.log('all told');`;
  const child = Bun.spawn([process.execPath, '--eval', text], { stderr: 'inherit' });
  const printed = await new Response(child.stdout).text();
  expect(printed.trim().split('\n')).toEqual(['1 committed', 'a caller broke', 'all told']);
});

test('[STORE-SQ11] writes that come during a batch are the next batch together', async () => {
  const writer = startWriter(
    `globalThis.sizes = [...(globalThis.sizes ?? []), ops.length + records];
     parentPort.postMessage({ ok: true, conflicts: [], heads: [], results: ops.map(() => ({ ok: true, value: sizes })) });`,
  );
  await Promise.all([commit(writer, 1), commit(writer, 2)]);
  const all = [commit(writer, 1), commit(writer, 2)];
  await new Promise((resolve) => setTimeout(resolve, 5));
  for (let n = 3; n < 40; n++) all.push(commit(writer, n));
  await Promise.all(all);
  const sizes: unknown = await writer.script('ping', null);
  expect((sizes as number[]).reduce((sum, size) => sum + size)).toBe(2 + 2 + 37 + 1);
  expect((sizes as number[]).length).toBeLessThanOrEqual(4);
  await writer.close();
});
