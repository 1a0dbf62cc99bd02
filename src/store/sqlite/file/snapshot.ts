/** Whole database files, for the command line: copied while a service writes, checked, and opened exclusively. */

import { DatabaseSync } from 'node:sqlite';
import type { KeyMode } from '../../../tenancy/tenant.ts';
import type { Named, Withdrawal } from '../../shared/withdrawal.ts';
import { APPLICATION_ID, unfitness } from './migrate.ts';
import { openDatabase } from './open.ts';

/** SQLite's codes for a lock held by another connection. */
const BUSY_CODES = [5, 6];
/** The most problems that one check reports. */
const PROBLEMS_MAX = 10;

/**
 * Writes everything committed so far into an empty file, as of one moment, while others read and
 * write. The copy is packed, so it has no traces of erased data.
 */
export function copyInto(file: string, target: string): void {
  const db = openDatabase(file, 'read');
  try {
    db.prepare('VACUUM INTO ?').run(target);
  } finally {
    db.close();
  }
}

/** Null when the file is a sound database that this matchd can read; otherwise what is wrong, as a sentence. */
export function faultOf(file: string): string | null {
  try {
    const db = openDatabase(file, 'read');
    try {
      return faultIn(db);
    } finally {
      db.close();
    }
  } catch (error) {
    return (error as Error).message;
  }
}

function faultIn(db: DatabaseSync): string | null {
  if (db.prepare('PRAGMA application_id').get()?.['application_id'] !== APPLICATION_ID) {
    return 'it is no database of matchd';
  }
  const unfit = unfitness(db);
  if (unfit !== null) return unfit;
  const problems = db.prepare(`PRAGMA integrity_check(${PROBLEMS_MAX})`).all();
  const texts = problems.map((row) => String(row['integrity_check']));
  return texts.length === 1 && texts[0] === 'ok' ? null : `it is damaged: ${texts.join('; ')}`;
}

/** Row counts that help people see whether it is the right file. */
export interface RowCounts {
  readonly tenant: number;
  readonly session: number;
  readonly player: number;
}

export function countRows(file: string): RowCounts {
  const db = openDatabase(file, 'read');
  const has = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?");
  // An older file has fewer tables.
  const count = (table: string) =>
    has.get(table) === undefined
      ? 0
      : Number(db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n']);
  try {
    return {
      tenant: count('tenant'),
      session: count('session'),
      player: count('player'),
    };
  } finally {
    db.close();
  }
}

export function listWithdrawals(db: DatabaseSync): readonly Withdrawal[] {
  return db
    .prepare(
      `SELECT 'player' AS kind, ref AS id, erased_at AS at FROM player WHERE erased_at IS NOT NULL
       UNION ALL SELECT 'key', id, revoked_at FROM api_key WHERE revoked_at IS NOT NULL
       UNION ALL SELECT 'secret', id, expires_at FROM key_secret WHERE expires_at IS NOT NULL`,
    )
    .all()
    .map((row) => ({
      kind: row['kind'] as Withdrawal['kind'],
      id: String(row['id']),
      at: Number(row['at']),
    }));
}

/** The player behind a pseudonym; null if there is none any more. */
export function findNamed(db: DatabaseSync, ref: string): Named | null {
  const row = db
    .prepare('SELECT tenant, world, player_id FROM player WHERE ref = ? AND player_id IS NOT NULL')
    .get(ref);
  return row === undefined
    ? null
    : {
        tenant: String(row['tenant']),
        world: row['world'] as KeyMode,
        playerId: String(row['player_id']),
      };
}

/** Ends a secret at a time, if it would be valid longer. Returns whether it would have been. */
export function endSecret(db: DatabaseSync, id: string, at: number): boolean {
  const ended = db
    .prepare(
      'UPDATE key_secret SET expires_at = ? WHERE id = ? AND (expires_at IS NULL OR expires_at > ?)',
    )
    .run(at, id, at);
  return Number(ended.changes) > 0;
}

/** Rewrites the file: removed data is then nowhere in it, nor in its log. */
export function vacuum(db: DatabaseSync): void {
  db.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
}

/** Signs everybody out of the dashboard and invalidates its links. */
export function endLogins(db: DatabaseSync): void {
  db.exec('DELETE FROM login; DELETE FROM account_link');
}

/**
 * Opens a database exclusively until it is closed, with the log merged into the file. `in use`:
 * another process has it open; `damaged`: it cannot be read.
 */
export function openExclusively(file: string): DatabaseSync | 'in use' | 'damaged' {
  let db: DatabaseSync | null = null;
  try {
    db = new DatabaseSync(file);
    db.exec('PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE');
    // Removing the log needs the file exclusively.
    db.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
    return db;
  } catch (error) {
    db?.close();
    const code = ((error as { errcode?: number }).errcode ?? 0) % 256;
    return BUSY_CODES.includes(code) ? 'in use' : 'damaged';
  }
}

/** The heads of the audit chains in a file of any version. */
export function listAuditHeads(
  file: string,
): readonly { readonly tenant: string; readonly n: number; readonly hash: string }[] {
  const db = openDatabase(file, 'read');
  try {
    const newest = db.prepare('SELECT n, hash FROM audit WHERE tenant = ? ORDER BY n DESC LIMIT 1');
    const tenants = db.prepare("SELECT '' AS id UNION ALL SELECT id FROM tenant").all();
    return tenants.flatMap(({ id }) => {
      const row = newest.get(String(id));
      if (row === undefined) return [];
      return [{ tenant: String(id), n: Number(row['n']), hash: String(row['hash']) }];
    });
  } finally {
    db.close();
  }
}
