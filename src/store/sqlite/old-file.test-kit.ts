/** A file as an earlier matchd left it. */

import { DatabaseSync } from 'node:sqlite';
import { APPLICATION_ID } from './migrate.ts';
import { MIGRATIONS } from './schema.ts';

/** With the migrations before one, by its name, and what `fill` writes. */
export function makeOldFile(file: string, before: string, fill: (db: DatabaseSync) => void): void {
  const db = new DatabaseSync(file);
  db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
  db.exec('CREATE TABLE migration (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID');
  for (const { name, sql, run } of MIGRATIONS) {
    if (name === before) break;
    for (const text of sql) db.exec(text);
    run?.(db);
    db.prepare('INSERT INTO migration (name) VALUES (?)').run(name);
  }
  fill(db);
  db.close();
}
