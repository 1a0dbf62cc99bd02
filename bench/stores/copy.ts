/**
 * `matchd migrate --from sqlite://… --to postgres://…` on a file of made-up sessions:
 * `bun bench/stores/copy.ts [sessions]`. PostgreSQL is the machine's own, started for it.
 */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { copyStore } from '../../src/cli/backup/copy-store.ts';
import { migrate } from '../../src/store/sqlite/file/migrate.ts';
import { openDatabase } from '../../src/store/sqlite/file/open.ts';
import { startPostgres } from '../../src/testing/servers/postgres.ts';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';

const RECORDS = 20;
const SEATS = 2;
const T0 = Date.UTC(2026, 10, 21);
/** As long as a move's usually is. */
const RECORD = JSON.stringify({
  k: 'acted',
  seat: 0,
  id: '01k9zzzzzzzzzzzzzzzzzzzz',
  action: { column: 3 },
  turn: 1,
  deadline: T0,
});

function fill(file: string, sessions: number): void {
  const db = openDatabase(file, 'write');
  migrate(db);
  const session = db.prepare(
    `INSERT INTO session (id, tenant, mode, game, match_type, variant, status, room_code, created_at)
     VALUES (?, 'ten_a', 'live', 'connect4', 'private', 'standard', 'ended', ?, ?)`,
  );
  const seat = db.prepare('INSERT INTO seat (session, seat, player, is_bot) VALUES (?, ?, ?, 0)');
  const log = db.prepare('INSERT INTO log (session, v, at, record) VALUES (?, ?, ?, ?)');
  db.exec('BEGIN');
  for (let n = 0; n < sessions; n++) {
    const id = `ses_${String(n).padStart(26, '0')}`;
    session.run(id, `C${n}`, T0 + n);
    for (let i = 0; i < SEATS; i++) seat.run(id, i, `ply_${n + i}`);
    for (let v = 0; v < RECORDS; v++) log.run(id, v, T0 + v, RECORD);
  }
  db.exec('COMMIT');
  db.close();
}

const folder = makeTempFolder();
const file = join(folder, 'matchd.db');
const server = await startPostgres();
try {
  fill(file, Number(process.argv[2] ?? 20_000));
  // Unreferenced statements keep the file open until they are collected.
  Bun.gc(true);
  const to = await server.createDatabase();
  const before = process.cpuUsage();
  const answer = await copyStore(
    { from: `sqlite://${file}`, to, isUnsafeAllowed: false },
    () => {},
  );
  if ('error' in answer) throw new Error(answer.error);
  const cpuS = process.cpuUsage(before).user / 1e6;
  console.log(answer.text.split('\n')[0]);
  const megabytes = (statSync(file).size / 1e6).toFixed(0);
  console.log(`${megabytes} MB; ${cpuS.toFixed(1)} s of this process's processor time`);
} finally {
  await server.stop();
  removeFolder(folder);
}
