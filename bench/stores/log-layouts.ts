/**
 * The cost of a record in SQLite by its location, in µs of CPU, on the disk of this folder: `bun
 * bench/stores/log-layouts.ts [matches at once] [records a transaction] [records a match]
 * [rounds]`. Each transaction has one record for each of some of the matches, and is flushed to the
 * disk.
 */

import { join } from 'node:path';
import type { SQLInputValue, StatementSync } from 'node:sqlite';
import { openDatabase } from '../../src/store/sqlite/file/open.ts';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';
import { measureInTurns } from './in-turns.ts';

const matches = Number(process.argv[2] ?? 100);
const together = Number(process.argv[3] ?? 40);
const records = Number(process.argv[4] ?? 8);
const rounds = Number(process.argv[5] ?? 5);

const AT = Date.UTC(2026, 10, 26);
/** The first record of a match is longer than all that follow. */
const FIRST_CHARS = 600;
/** Neighbours in a transaction are no neighbours in the table. */
const STRIDE = 7_919;

const COLUMNS =
  'session TEXT NOT NULL, v INTEGER NOT NULL, at INTEGER NOT NULL, record TEXT NOT NULL';
const LAYOUTS = {
  'by match (as it is)': `CREATE TABLE log (${COLUMNS}, PRIMARY KEY (session, v)) STRICT, WITHOUT ROWID`,
  'as they come, with an index by match': `CREATE TABLE log (${COLUMNS}, PRIMARY KEY (session, v)) STRICT`,
  'as they come, without an index': `CREATE TABLE log (${COLUMNS}) STRICT`,
};
const INSERT = 'INSERT INTO log (session, v, at, record) VALUES (?, ?, ?, ?)';

const idOf = (match: number): string => `ses_01m8cyy621${String(match).padStart(16, '0')}`;

function recordOf(v: number): string {
  if (v === 0) return JSON.stringify({ k: 'created', setup: 'x'.repeat(FIRST_CHARS) });
  return JSON.stringify({ k: 'action', seat: v % 2, id: `m${v}`, action: { position: v % 9 } });
}

/** µs of CPU a record, of all but the first of each match. */
function measure(table: string): number {
  const folder = makeTempFolder();
  const db = openDatabase(join(folder, 'log.db'), 'write');
  try {
    db.exec(table);
    const insert = db.prepare(INSERT);
    play(insert, 0, matches, (text) => db.exec(text));
    const before = process.cpuUsage();
    for (let v = 1; v <= records; v++) play(insert, v, together, (text) => db.exec(text));
    const { user, system } = process.cpuUsage(before);
    return (user + system) / (matches * records);
  } finally {
    db.close();
    removeFolder(folder);
  }
}

/** One record for every match, that many per transaction. */
function play(insert: StatementSync, v: number, size: number, exec: (text: string) => void): void {
  for (let from = 0; from < matches; from += size) {
    exec('BEGIN IMMEDIATE');
    for (let n = from; n < Math.min(matches, from + size); n++) {
      const row: SQLInputValue[] = [idOf((n * STRIDE) % matches), v, AT + v, recordOf(v)];
      insert.run(...row);
    }
    exec('COMMIT');
  }
}

const variants = new Map(
  Object.entries(LAYOUTS).map(([name, table]) => [name, () => measure(table)]),
);
console.log(
  await measureInTurns(variants, rounds, {
    variants: `${matches} matches, ${together} records a transaction, ${records} a match`,
    figure: 'µs a record',
    ratio: '÷ as it is',
  }),
);
