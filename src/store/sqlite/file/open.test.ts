/** Which SQLite errors mean that the file cannot be written, and which concern the write itself. */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { makeTempFolder, removeFolder } from '../../../testing/temp-folder.ts';
import { hasRoom, isFileFault, openDatabase } from './open.ts';

const folder = makeTempFolder();
const file = join(folder, 'matchd.db');
let writing: DatabaseSync;
let reading: DatabaseSync;
beforeAll(() => {
  writing = openDatabase(file, 'write');
  writing.exec('CREATE TABLE thing (id INTEGER PRIMARY KEY, text TEXT NOT NULL)');
  reading = openDatabase(file, 'read');
});
afterAll(() => {
  reading.close();
  writing.close();
  removeFolder(folder);
});

function errorOf(act: () => void): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('It went well');
}

const LARGE = `INSERT INTO thing (text) VALUES (hex(zeroblob(100000)))`;

test('[H3] a full file, a lock and a file that cannot be written are faults of the file', () => {
  expect(isFileFault(errorOf(() => reading.exec(LARGE)))).toBe(true);
  const { page_count } = writing.prepare('PRAGMA page_count').get() as { page_count: number };
  writing.exec(`PRAGMA max_page_count = ${page_count}`);
  expect(isFileFault(errorOf(() => writing.exec(LARGE)))).toBe(true);
  writing.exec('PRAGMA max_page_count = 1000000');
  writing.exec('BEGIN IMMEDIATE');
  const other = openDatabase(file, 'write');
  other.exec('PRAGMA busy_timeout = 1');
  expect(isFileFault(errorOf(() => other.exec(LARGE)))).toBe(true);
  other.close();
  writing.exec('ROLLBACK');
});

test('[H3] an error in the write itself is not', () => {
  const twice = 'INSERT INTO thing (id, text) VALUES (1, 1), (1, 1)';
  for (const text of [twice, 'INSERT INTO thing (text) VALUES (NULL)', 'INSERT INTO none']) {
    expect(isFileFault(errorOf(() => writing.exec(text)))).toBe(false);
  }
  for (const error of [null, undefined, 'full', new Error('full'), {}]) {
    expect(isFileFault(error)).toBe(false);
  }
});

test('[H10] a disk with space has space', () => {
  expect(hasRoom(file)).toBe(true);
});
