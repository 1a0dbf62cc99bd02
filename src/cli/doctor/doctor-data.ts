/**
 * `matchd doctor` in the data folder: file permissions, the state of the database, and a clock that
 * went back.
 */

import fs from 'node:fs';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { DEV_KEYS_FILE, databaseFile, SETTINGS } from '../../config.ts';
import { makeDay } from '../../match/frames/frames.ts';
import { lostNoteFile, readLostNote } from '../../runtime/lost-commits.ts';
import { countSecrets, judgeSecrets } from '../../runtime/sealing/reseal.ts';
import { makeSealer } from '../../runtime/sealing/sealer.ts';
import { readSealingKeys } from '../../runtime/sealing/sealing-key.ts';
import { systemRandomness } from '../../runtime/system.ts';
import type { SecretStore } from '../../store/secrets.ts';
import { faultOf } from '../../store/sqlite/file/snapshot.ts';
import { lostWords, type SealConfig } from '../backup/secrets.ts';
import { FOLDER_MODE, printBytes } from '../store/data-file.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/** Bits of a mode by which others read or write. */
const OTHERS = 0o077;
/** The log is copied back after some 16 MB: this much shows that a reader blocks it. */
const WAL_BYTES_WARN = 100_000_000;
const WAL_BYTES_FAIL = 2_000_000_000;
/** Reading every page of more than this takes minutes, and is done on request. */
const DEEP_BYTES = 500_000_000;
/** A heartbeat so far ahead of now is a clock that went back. Milliseconds. */
const AHEAD_MS = 5_000;
const DAY_MS = 86_400_000;

export function checkFolder(dataDir: string): Finding {
  const { mode, uid } = fs.statSync(dataDir);
  const found = `${dataDir}, mode ${(mode & 0o777).toString(8)}`;
  const own = process.getuid?.();
  if (own !== undefined && own !== 0 && own !== uid) {
    return fail('data folder', `${found}, of user ${uid}`, `run as that user, or chown ${own}`);
  }
  return (mode & OTHERS) === 0
    ? ok('data folder', found)
    : warn('data folder', found, `chmod ${FOLDER_MODE.toString(8)} ${dataDir}`);
}

/** Files that contain secrets and can be read by others. */
export function checkFiles(dataDir: string): Finding {
  const files = fs.readdirSync(dataDir, { withFileTypes: true }).filter((each) => each.isFile());
  const open = files
    .map(({ name }) => path.join(dataDir, name))
    .filter((file) => (fs.statSync(file).mode & OTHERS) !== 0);
  return open.length === 0
    ? ok('files', `${files.length} files, for their owner only`)
    : warn('files', `others may read ${open.join(', ')}`, `chmod 600 ${open.join(' ')}`);
}

export function checkDevelopment(dataDir: string): Finding {
  return fs.existsSync(path.join(dataDir, DEV_KEYS_FILE))
    ? warn(
        'development',
        `${DEV_KEYS_FILE} contains keys in clear text`,
        'serve from another folder',
      )
    : ok('development', 'no keys in clear text');
}

/** `isDeep`: every page is looked at, however many there are. */
export function checkDatabase(dataDir: string, isDeep: boolean): Finding {
  const file = databaseFile(dataDir);
  const { size } = fs.statSync(file);
  if (size > DEEP_BYTES && !isDeep) {
    return ok('database', `${file}, ${printBytes(size)}; not searched without --deep`);
  }
  const fault = faultOf(file);
  return fault === null
    ? ok('database', `${file}, ${printBytes(size)}, sound`)
    : fail('database', `${file}: ${fault}`, 'restore a backup: matchd restore FILE');
}

/** `pending`: names of the migrations that are still to be run. */
export function checkSchema(pending: readonly string[]): Finding {
  return pending.length === 0
    ? ok('schema', 'up to date')
    : warn(
        'schema',
        `${pending.join(', ')} pending`,
        'back up, then run matchd migrate or matchd serve',
      );
}

export function checkWal(dataDir: string): Finding {
  const file = `${databaseFile(dataDir)}-wal`;
  const bytes = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const todo = 'stop programs that have the database open, then restart the service';
  if (bytes >= WAL_BYTES_FAIL) return fail('write-ahead log', printBytes(bytes), todo);
  return bytes >= WAL_BYTES_WARN
    ? warn('write-ahead log', printBytes(bytes), todo)
    : ok('write-ahead log', printBytes(bytes));
}

/** Losses that a start found and nobody has accepted. */
export function checkLost(dataDir: string): Finding {
  const note = readLostNote(lostNoteFile(databaseFile(dataDir)));
  if (note === null) return ok('commits', 'none known to be missing');
  const sessions = note.sessions.length + note.moreSessions;
  return fail(
    'commits',
    `${note.commits} acknowledged commits were missing at ${note.foundAt}, of ${sessions} sessions at least`,
    `restore a backup, or accept the loss: start once with ${SETTINGS.lostCommits.env}=serve`,
  );
}

/** Compared with the last heartbeat of a process, which is in the database. */
export function checkClock(db: DatabaseSync, now: number): Finding {
  const found = new Date(now).toISOString();
  const last = Number(db.prepare('SELECT max(alive_at) AS at FROM node').get()?.['at'] ?? 0);
  if (last > now + AHEAD_MS) {
    const aheadS = Math.round((last - now) / 1_000);
    return fail(
      'clock',
      `${found}, ${aheadS} s behind the last heartbeat`,
      'synchronise the clock with NTP',
    );
  }
  return ok('clock', `${found}, after the last heartbeat`);
}

/**
 * Secrets are sealed with a key that no backup of the database contains (rule D12). `serving`:
 * nodes on it.
 */
export async function checkSealingKey(
  store: Pick<SecretStore, 'listSecrets'>,
  { dataDir, sealingKeys }: SealConfig,
  serving = 0,
): Promise<Finding> {
  const keys = sealingKeys ?? readSealingKeys(dataDir)?.keys ?? [];
  const sealer = makeSealer(keys, systemRandomness);
  const counts = countSecrets(await judgeSecrets(store, sealer));
  const [lost, ...todo] = lostWords(counts, serving);
  if (lost !== undefined) return fail('sealing key', lost, todo.join(' '));
  const inClear = Object.values(counts).reduce((sum, { clear }) => sum + clear, 0);
  if (inClear > 0) {
    const found = `${inClear} secrets are stored in clear text`;
    return warn('sealing key', found, 'run matchd secrets reseal, or matchd serve');
  }
  return ok(
    'sealing key',
    keys.length === 0 ? 'none yet, and nothing is sealed' : 'opens every secret',
  );
}

/** The UTC day before, e.g. `2026-11-20`. */
export function yesterday(now: number): string {
  return makeDay(now - DAY_MS);
}

/** Requests of the last day that failed by our own fault. */
export function checkFailures(count: number): Finding {
  return count === 0
    ? ok('failures', 'none since yesterday')
    : warn(
        'failures',
        `${count} requests since yesterday`,
        'find them: matchd logs --tenant TENANT --status 5xx',
      );
}
