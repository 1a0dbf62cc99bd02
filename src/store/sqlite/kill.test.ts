/** Acknowledged records survive SIGKILL at any moment: a real process, a real file. */

import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { makeTempFolder, removeFolder } from '../../testing/temp-folder.ts';
import { openSqliteStore } from './sqlite-store.ts';

const ROUNDS = 5;
/** The longest time from a round's first acknowledgement to the kill. Milliseconds. */
const LIFE_MS_MAX = 400;

const folder = makeTempFolder();
afterAll(() => removeFolder(folder));

/**
 * Commits as fast as it can in many sessions, alternating plain records and others, continuing
 * where the file ends. Prints every acknowledgement as `session v` once it is given.
 */
const COMMITTER = (file: string): string => `
  const { writeSync } = await import('node:fs');
  const { openSqliteStore } = await import(${JSON.stringify(join(import.meta.dir, 'sqlite-store.ts'))});
  const stage = await import(${JSON.stringify(join(import.meta.dir, '../contract/stage.ts'))});
  const store = await openSqliteStore(${JSON.stringify(file)});
  const play = async (n) => {
    const id = stage.sessionId(n);
    if ((await store.loadSession(id)) === null) await stage.created(store, n);
    let v = (await store.loadSession(id)).entries.length;
    for (;; v += 1) {
      const entries = n % 3 === 0 ? [stage.entryOf(v), stage.entryOf(v + 1)] : [stage.entryOf(v)];
      const outcome = await stage.append(store, id, entries, n % 2 === 0 ? { awake: true } : null);
      if (outcome !== 'committed') throw new Error(outcome);
      v = entries.at(-1).v;
      writeSync(1, id + ' ' + v + '\\n');
    }
  };
  for (let n = 0; n < 60; n++) void play(n);`;

/** Runs a committer for a while. Returns the last acknowledged version by session. */
async function runAndKill(file: string): Promise<Map<string, number>> {
  const child = Bun.spawn([process.execPath, '--eval', COMMITTER(file)], { stderr: 'inherit' });
  const acknowledged = new Map<string, number>();
  let rest = '';
  let isTimed = false;
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    if (!isTimed) {
      isTimed = true;
      setTimeout(() => child.kill('SIGKILL'), Math.random() * LIFE_MS_MAX);
    }
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      const [id, v] = line.split(' ');
      acknowledged.set(id!, Number(v));
    }
  }
  await child.exited;
  expect(child.signalCode).toBe('SIGKILL');
  return acknowledged;
}

test(`[P4] killed ${ROUNDS} times at a random moment, the file has every acknowledged record`, async () => {
  const file = join(folder, 'kill.db');
  let total = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const acknowledged = await runAndKill(file);
    expect(acknowledged.size).toBeGreaterThan(0);
    const store = await openSqliteStore(file);
    for (const [id, v] of acknowledged) {
      const { entries } = (await store.loadSession(id))!;
      expect(entries.length).toBeGreaterThan(v);
      // No record has a gap before it, and no pair is half written.
      expect(entries.map((entry) => entry.v)).toEqual(entries.map((_, index) => index));
      if (Number(id.slice(-6)) % 3 === 0) expect(entries.length % 2).toBe(1);
      total += 1;
    }
    await store.close();
  }
  expect(total).toBeGreaterThan(ROUNDS);
}, 30_000);
