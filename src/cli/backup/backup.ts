/** `matchd backup`: one file of all that is committed, made while the service runs. */

import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { databaseFile } from '../../config.ts';
import { makeAnchor } from '../../runtime/audit/audit-anchor.ts';
import { makeSigner } from '../../runtime/signing/signer.ts';
import { flushFile, replaceFile } from '../../runtime/whole-file.ts';
import { placeOf } from '../../store/postgres/place.ts';
import { freeBytes, openDatabase } from '../../store/sqlite/file/open.ts';
import {
  copyInto,
  countRows,
  faultOf,
  listAuditHeads,
  listWithdrawals,
} from '../../store/sqlite/file/snapshot.ts';
import { databaseBytes, makeEmpty, printBytes } from '../store/data-file.ts';
import { type Place, sealingKeysOf } from '../store/workshop.ts';
import { type Answer, failed, type Refusal } from '../terminal/answer.ts';
import type { Progress } from '../terminal/progress.ts';
import { mergeWithdrawn, readWithdrawn, withdrawnFile, writeWithdrawn } from './withdrawn.ts';

/** `target` is a file that is not there yet, or a folder, in which it is named by the time. */
export function backUp(
  place: Pick<Place, 'dataDir' | 'sealingKeys'>,
  target: string,
  now: number,
  say: Progress,
): Answer {
  const { dataDir } = place;
  const source = databaseFile(dataDir);
  if (!existsSync(source)) return failed(`There is no database at ${source}: check --data`);
  const file = chooseFile(path.resolve(target), now);
  if (existsSync(file)) return failed(`${file} already exists and is not overwritten`);
  const folder = path.dirname(file);
  if (!existsSync(folder)) return failed(`Folder not found: ${folder}`);
  const needed = bytesOf(source);
  if (freeBytes(folder) < needed) {
    return failed(
      `${folder} has ${printBytes(freeBytes(folder))} free, ${printBytes(needed)} needed`,
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
    if (fault !== null) return failed(`The copy is damaged: ${fault}`);
    flushFile(part);
    renameSync(part, file);
    flushFile(file);
  } finally {
    rmSync(part, { force: true });
  }
  noteWithdrawn(source, withdrawnFile(file));
  return report(file, writeAnchors(file, sealingKeysOf(place), now));
}

/**
 * A shared database is left to its own tools: they copy a consistent state while all nodes go on
 * writing, and can restore any second since. A copy made row by row can do neither.
 */
export function leaveToTheServer(url: string): Refusal {
  return failed(
    `The data is in ${placeOf(url)}. Back it up with pg_dump --format=custom or with point-in-time recovery (WAL archiving). The runbook says how to keep erasures and revocations after a restore`,
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
 * Older backups in the folder learn from the list which erasures and revocations came after them,
 * even if the database was since restored from one that did not know.
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

/** The signed heads of the audit's chains in the backup; null if there is no key to sign with. */
function writeAnchors(
  file: string,
  sealingKeys: readonly Uint8Array[],
  now: number,
): string | null {
  if (sealingKeys.length === 0) return null;
  const signer = makeSigner(sealingKeys);
  const anchors = listAuditHeads(file).map((head) => makeAnchor(signer, head, now));
  const target = anchorsFile(file);
  replaceFile(target, `${JSON.stringify({ anchors })}\n`);
  return target;
}

/** Beside the backup. */
export function anchorsFile(backup: string): string {
  return `${backup}.audit.json`;
}

function report(file: string, anchors: string | null): Answer {
  const bytes = statSync(file).size;
  const { tenant: tenants, session: sessions, player: players } = countRows(file);
  return {
    json: { file, bytes, tenants, sessions, players, withdrawn: withdrawnFile(file), anchors },
    text:
      `${file}: ${printBytes(bytes)}, checked. ` +
      `${tenants} tenants, ${sessions} sessions, ${players} players.\n` +
      `Keep ${withdrawnFile(file)} with it: it lists erasures and revocations since older backups.` +
      (anchors === null
        ? ''
        : `\nKeep a copy of ${anchors} elsewhere: it proves later changes to the audit log.`),
  };
}
