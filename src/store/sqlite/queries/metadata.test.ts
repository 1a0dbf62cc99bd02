/** Metadata of sessions from before it could be filtered by. */

import { afterEach, expect, test } from 'bun:test';
import type { DatabaseSync } from 'node:sqlite';
import { sweepMetadata } from '../../../runtime/sweeper.ts';
import { makeManualClock } from '../../../testing/manual-clock.ts';
import { makeTempFolder, removeFolder } from '../../../testing/temp-folder.ts';
import { filterOf, sessionId, TENANT } from '../../contract/stage.ts';
import { makeOldFile } from '../../schema/old.test-kit.ts';
import { openSqliteStore } from '../sqlite-store.ts';

const SESSIONS = 450;
const folder = makeTempFolder();
afterEach(() => removeFolder(folder));

/** Sessions that an earlier matchd left without index rows. */
function fill(db: DatabaseSync): void {
  const insert = db.prepare(
    `INSERT INTO session (id, tenant, mode, game, match_type, variant, status, room_code, metadata,
       created_at, awake) VALUES (?, ?, 'live', 'ludo', 'private', 'classic', 'ended', 'C', ?, 0, 0)`,
  );
  for (let n = 0; n < SESSIONS; n++) {
    insert.run(sessionId(n), TENANT, n % 3 === 0 ? null : JSON.stringify({ batch: String(n % 3) }));
  }
}

test('[S6] metadata of sessions of an earlier matchd is found once it is swept', async () => {
  const file = `${folder}/old.db`;
  makeOldFile(file, '0030-real-wake-times', fill);
  const store = await openSqliteStore(file);
  const metadata = { key: 'batch', value: '2' };
  const find = () => store.listSessions(filterOf({ metadata, limit: SESSIONS }));
  expect(await find()).toEqual([]);
  expect(await sweepMetadata(store, makeManualClock())).toBe((SESSIONS / 3) * 2);
  expect((await find()).length).toBe(SESSIONS / 3);
  expect(await sweepMetadata(store, makeManualClock())).toBe(0);
  await store.close();
});
