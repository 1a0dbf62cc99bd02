/** Attempts from before each webhook had its own numbers. */

import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { makeTempFolder, removeFolder } from '../../../testing/temp-folder.ts';
import { T0, TENANT } from '../../contract/stage.ts';
import { makeOldFile } from '../../schema/old.test-kit.ts';
import { openSqliteStore } from '../sqlite-store.ts';

const folder = makeTempFolder();
afterAll(() => removeFolder(folder));

const KEPT = 200;
const ATTEMPT = {
  event: 'evt_new',
  type: 'move.made',
  session: null,
  attempt: 1,
  at: T0,
  durationMs: 1,
  status: 200,
  error: null,
  nextAt: null,
} as const;

/** A webhook with the maximum of stored attempts, one with a few, one with none. */
function fill(db: DatabaseSync): void {
  const webhook = db.prepare(
    `INSERT INTO webhook (id, tenant, mode, url, description, types, secrets, created_at, cursor, epoch)
     VALUES (?, '${TENANT}', 'live', 'https://a.example/', '', '[]', '[]', ${T0}, 0, 0)`,
  );
  for (const id of ['whk_full', 'whk_few', 'whk_none']) webhook.run(id);
  const attempt = db.prepare(
    `INSERT INTO webhook_attempt (webhook, event, type, attempt, at, duration_ms)
     VALUES (?, ?, 'move.made', 1, ${T0}, 1)`,
  );
  for (let i = 0; i < KEPT; i++) {
    attempt.run('whk_full', `evt_${i}`);
    if (i % 90 === 0) attempt.run('whk_few', `evt_${i}`);
  }
}

test('[E2] attempts of an earlier matchd are unchanged, and new ones are numbered after them', async () => {
  const file = join(folder, 'old.db');
  makeOldFile(file, '0034-webhook-attempts', fill);
  const store = await openSqliteStore(file);
  try {
    const events = async (id: string) =>
      (await store.listAttempts(id, null, 999)).map(({ n, event }) => `${n} ${event}`);
    const few = ['3 evt_180', '2 evt_90', '1 evt_0'];
    const full = Array.from({ length: KEPT }, (_, i) => `${KEPT - i} evt_${KEPT - 1 - i}`);
    expect(await events('whk_few')).toEqual(few);
    expect(await events('whk_full')).toEqual(full);
    for (const id of ['whk_full', 'whk_few', 'whk_none']) await store.recordAttempt(id, ATTEMPT);
    expect(await events('whk_few')).toEqual(['4 evt_new', ...few]);
    expect(await events('whk_full')).toEqual(['201 evt_new', ...full.slice(0, -1)]);
    expect(await events('whk_none')).toEqual(['1 evt_new']);
  } finally {
    await store.close();
  }
});
