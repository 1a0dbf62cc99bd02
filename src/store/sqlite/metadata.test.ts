/** Metadata of sessions that were made before it could be listed by. */

import { afterEach, expect, test } from 'bun:test';
import { DatabaseSync } from 'node:sqlite';
import { sweepMetadata } from '../../runtime/sweeper.ts';
import { makeManualClock } from '../../testing/manual-clock.ts';
import { makeTempFolder, removeFolder } from '../../testing/temp-folder.ts';
import { filterOf, sessionId, TENANT } from '../contract/stage.ts';
import { APPLICATION_ID } from './migrate.ts';
import { MIGRATIONS } from './schema.ts';
import { openSqliteStore } from './sqlite-store.ts';

const SESSIONS = 450;
const folder = makeTempFolder();
afterEach(() => removeFolder(folder));

/** A file as the version before left it. */
function makeOldFile(file: string): void {
  const db = new DatabaseSync(file);
  db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
  db.exec('CREATE TABLE migration (name TEXT PRIMARY KEY) STRICT');
  const older = MIGRATIONS.slice(
    0,
    MIGRATIONS.findIndex(({ name }) => name === '0016-session-metadata'),
  );
  for (const { name, sql, run } of older) {
    for (const text of sql) db.exec(text);
    run?.(db);
    db.prepare('INSERT INTO migration (name) VALUES (?)').run(name);
  }
  const insert = db.prepare(
    `INSERT INTO session (id, tenant, mode, game, match_type, variant, status, room_code, metadata,
       created_at, awake) VALUES (?, ?, 'live', 'ludo', 'private', 'classic', 'ended', 'C', ?, 0, 0)`,
  );
  for (let n = 0; n < SESSIONS; n++) {
    insert.run(sessionId(n), TENANT, n % 3 === 0 ? null : JSON.stringify({ batch: String(n % 3) }));
  }
  db.close();
}

test('[S6] metadata of sessions that an earlier matchd made is found once it is swept', async () => {
  const file = `${folder}/old.db`;
  makeOldFile(file);
  const store = await openSqliteStore(file);
  const metadata = { key: 'batch', value: '2' };
  const find = () => store.listSessions(filterOf({ metadata, limit: SESSIONS }));
  expect(await find()).toEqual([]);
  expect(await sweepMetadata(store, makeManualClock())).toBe((SESSIONS / 3) * 2);
  expect((await find()).length).toBe(SESSIONS / 3);
  expect(await sweepMetadata(store, makeManualClock())).toBe(0);
  await store.close();
});
