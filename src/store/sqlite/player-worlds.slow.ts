/** How long it takes to part a million players into the two worlds. */

import { expect, setDefaultTimeout, test } from 'bun:test';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeTempFolder, removeFolder } from '../../testing/temp-folder.ts';
import { millionOldPlayers, OF_BOTH, OLD_PLAYERS } from '../contract/million-old-players.ts';
import { migrate } from './migrate.ts';
import { makeOldFile } from './old-file.test-kit.ts';

setDefaultTimeout(600_000);

const DIALECT = { no: '0', fields: ', awake', values: ', 0' };
/** A start with a million players is a matter of a minute, not of hours. */
const BOUND_MS = 300_000;

test('[K3] a million players are parted into the two worlds in bounded time', () => {
  const folder = makeTempFolder();
  const file = join(folder, 'old.db');
  makeOldFile(file, '0026-player-worlds', (db) => {
    db.exec(`PRAGMA synchronous = OFF; CREATE TEMP TABLE numbers AS
      WITH RECURSIVE counted (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM counted
        WHERE n < ${OLD_PLAYERS - 1}) SELECT n FROM counted`);
    db.exec('BEGIN');
    for (const text of millionOldPlayers(DIALECT)) db.exec(text);
    db.exec('COMMIT');
  });
  const db = new DatabaseSync(file);
  db.exec('PRAGMA journal_mode = WAL');
  const [startedAt, cpu] = [performance.now(), process.cpuUsage()];
  migrate(db);
  const tookMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpu);
  const [s, cpuS] = [tookMs / 1_000, (user + system) / 1e6].map((each) => each.toFixed(1));
  console.log(`SQLite: ${OLD_PLAYERS} players parted in ${s} s, ${cpuS} s of CPU`);
  const { n } = db.prepare('SELECT count(*) AS n FROM player').get()!;
  db.close();
  removeFolder(folder);
  expect(n).toBe(OLD_PLAYERS + OF_BOTH);
  expect(tookMs).toBeLessThan(BOUND_MS);
});
