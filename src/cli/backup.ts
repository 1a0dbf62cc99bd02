/** `matchd backup`: one file of all that is committed, made while the service runs. */

import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { databaseFile } from '../config.ts';
import { flushFile } from '../runtime/whole-file.ts';
import { placeOf } from '../store/postgres/place.ts';
import { freeBytes, openDatabase } from '../store/sqlite/open.ts';
import { copyInto, countRows, faultOf, listWithdrawals } from '../store/sqlite/snapshot.ts';
import { type Answer, failed, type Refusal } from './answer.ts';
import { databaseBytes, makeEmpty, printBytes } from './data-file.ts';
import type { Progress } from './progress.ts';
import { mergeWithdrawn, readWithdrawn, withdrawnFile, writeWithdrawn } from './withdrawn.ts';

/** `target` is a file that is not there yet, or a folder, in which it is named by the time. */
export function backUp(dataDir: string, target: string, now: number, say: Progress): Answer {
  const source = databaseFile(dataDir);
  if (!existsSync(source)) return failed(`There is no database at ${source}: is --data right?`);
  const file = chooseFile(path.resolve(target), now);
  if (existsSync(file)) return failed(`${file} is there already: nothing is written over`);
  const folder = path.dirname(file);
  if (!existsSync(folder)) return failed(`There is no folder ${folder}`);
  const needed = bytesOf(source);
  if (freeBytes(folder) < needed) {
    return failed(
      `${folder} has ${printBytes(freeBytes(folder))} left, ${printBytes(needed)} are needed`,
    );
  }
  const part = `${file}.part`;
  rmSync(part, { force: true });
  try {
    makeEmpty(part);
    say(`copying ${printBytes(needed)}`);
    copyInto(source, part);
    say('checking the copy');
    const fault = faultOf(part);
    if (fault !== null) return failed(`The copy is not sound: ${fault}`);
    flushFile(part);
    renameSync(part, file);
    flushFile(file);
  } finally {
    rmSync(part, { force: true });
  }
  noteWithdrawn(source, withdrawnFile(file));
  return report(file);
}

/**
 * A database that nodes share is left to its own tools: they copy one moment of it while all go on
 * writing, and can bring it to any second since; rows that were copied one by one can do neither.
 */
export function leaveToTheServer(url: string): Refusal {
  return failed(
    `The data is in ${placeOf(url)}, which has better tools for it: pg_dump --format=custom, or an archive of its log (PITR), which goes back to any second. What to do after a restore, so that what was erased stays erased, is in the runbook`,
  );
}

function bytesOf(source: string): number {
  const db = openDatabase(source, 'read');
  try {
    return databaseBytes(db);
  } finally {
    db.close();
  }
}

function chooseFile(target: string, now: number): string {
  const isFolder = statSync(target, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (!isFolder) return target;
  const time = new Date(now).toISOString().replace(/\.\d+/, '').replaceAll(':', '-');
  return path.join(target, `matchd-${time}.db`);
}

/**
 * Older backups in the folder learn from the list what was taken back after them, also before the
 * database was restored from one that did not know.
 */
function noteWithdrawn(source: string, list: string): void {
  const ours = readWithdrawn(withdrawnFile(source));
  const db = openDatabase(source, 'read');
  try {
    writeWithdrawn(list, mergeWithdrawn(readWithdrawn(list), ours, listWithdrawals(db)));
  } finally {
    db.close();
  }
}

function report(file: string): Answer {
  const bytes = statSync(file).size;
  const { tenant: tenants, session: sessions, player: players } = countRows(file);
  return {
    json: { file, bytes, tenants, sessions, players, withdrawn: withdrawnFile(file) },
    text:
      `${file}: ${printBytes(bytes)}, checked. ` +
      `${tenants} tenants, ${sessions} sessions, ${players} players.\n` +
      `Keep ${withdrawnFile(file)} with it: it names what was erased or revoked since older backups.`,
  };
}
