/** `matchd restore` replaces a database that opens and cannot be read. */

import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Matchd, makeMatchd } from '../matchd.test-kit.ts';

/** Each test starts processes, and the machine may be busy. */
setDefaultTimeout(90_000);

interface Restored {
  readonly kept: string;
  readonly tenants: number;
  readonly keysRevoked: number;
  readonly isDamaged: boolean;
}

let matchd: Matchd;
let database: string;
beforeEach(() => {
  matchd = makeMatchd();
  database = path.join(matchd.folder, '.matchd', 'matchd.db');
});
afterEach(() => matchd.close());

/** Overwrites the first page of a table with random bytes. */
function damage(table: string): void {
  const db = new DatabaseSync(database);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const size = Number(db.prepare('PRAGMA page_size').get()!['page_size']);
  const page = db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(table);
  db.close();
  const start = (Number(page!['rootpage']) - 1) * size;
  fs.writeFileSync(database, fs.readFileSync(database).fill(0x5a, start, start + size));
}

test('[CLI][K2] a database with one bad page is replaced, stored aside, and reported as lost', async () => {
  await matchd.json('tenants', 'create', '--name', 'Acme');
  const make = ['keys', 'create', '--tenant', 'acme', '--mode', 'test'];
  const { id }: { id: string } = await matchd.json(...make);
  await matchd.json('backup', 'old.db');
  await matchd.json('keys', 'revoke', id);
  await matchd.json('backup', 'new.db');
  damage('player');
  const damaged = fs.readFileSync(database);
  const restored: Restored = await matchd.json('restore', 'old.db');
  // The list beside the backup is still applied.
  expect(restored).toMatchObject({ isDamaged: true, tenants: 1, keysRevoked: 1 });
  // Byte for byte, except the header, which no longer names a log.
  const [kept, was] = [fs.readFileSync(restored.kept), damaged].map((all) => all.subarray(100));
  expect(kept!.equals(was!)).toBe(true);
  const { data }: { data: readonly object[] } = await matchd.json('tenants', 'list');
  expect(data.length).toBe(1);
  damage('player');
  expect((await matchd.run('restore', 'new.db')).stdout).toContain(
    'It could not be read. Only the list beside the backup was applied',
  );
});

test('[K2][R2] erasures and revocations known to the database before the last restore apply to the next one', async () => {
  await matchd.json('tenants', 'create', '--name', 'Acme');
  await matchd.json('backup', 'one.db');
  const make = ['keys', 'create', '--tenant', 'acme', '--mode', 'test'];
  const { id }: { id: string } = await matchd.json(...make);
  const write = (sql: string): void => {
    const db = new DatabaseSync(database);
    db.exec(sql);
    db.close();
  };
  write(`INSERT INTO player VALUES ('ref_ann', 't', 'ann', 'Ann', 1, NULL, 'live')`);
  await matchd.json('backup', 'two.db');
  await matchd.json('keys', 'revoke', id);
  write('UPDATE player SET player_id = NULL, display_name = NULL, erased_at = 2');
  // It has neither the key nor the player.
  await matchd.json('restore', 'one.db');
  const again: Restored = await matchd.json('restore', 'two.db');
  expect(again).toMatchObject({ keysRevoked: 1, playersErased: 1 });
  // The next list beside backups includes them, too.
  await matchd.json('backup', 'three.db');
  const list = fs.readFileSync(path.join(matchd.folder, 'matchd-withdrawn.jsonl'), 'utf8');
  expect(list).toContain(id);
});

test('[CLI] a copied data folder is restored with the log beside its database', async () => {
  await matchd.json('tenants', 'create', '--name', 'Acme');
  const open = new DatabaseSync(database);
  open.exec('PRAGMA wal_autocheckpoint = 0');
  open.exec(`INSERT INTO player VALUES ('ref_ann', 't', 'ann', 'Ann', 1, NULL, 'live')`);
  const copy = path.join(matchd.folder, 'copy.db');
  for (const ending of ['', '-wal']) fs.copyFileSync(database + ending, copy + ending);
  open.close();
  const restored: Restored = await matchd.json('restore', 'copy.db');
  expect(restored).toMatchObject({ players: 1 });
});

test('[CLI] a database that a full disk left empty is replaced', async () => {
  await matchd.json('tenants', 'create', '--name', 'Acme');
  await matchd.json('backup', 'good.db');
  for (const ending of ['-wal', '-shm']) fs.rmSync(database + ending, { force: true });
  fs.writeFileSync(database, '');
  const restored: Restored = await matchd.json('restore', 'good.db');
  expect(restored).toMatchObject({ isDamaged: true, tenants: 1 });
  expect(fs.statSync(restored.kept).size).toBe(0);
});
