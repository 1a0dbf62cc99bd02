/** The server settings that make acknowledged writes durable. */

import type { Sql } from './sql.ts';

/** The first version in which the server notices that the client is gone. */
const VERSION_MIN = 140_000;

const ASK = `SELECT current_setting('server_version_num')::int AS version,
  current_setting('server_encoding') AS encoding, pg_is_in_recovery() AS is_copy,
  current_setting('fsync') AS fsync, current_setting('full_page_writes') AS full_page_writes,
  current_setting('synchronous_commit') AS synchronous_commit,
  current_setting('synchronous_standby_names') AS standbys`;

/** A wrong setting, in words for the operator of the server. */
export interface SettingFault {
  /** `refuse`: it cannot work. `unsafe`: it may lose acknowledged writes. */
  readonly kind: 'refuse' | 'unsafe';
  readonly text: string;
}

/** Empty when all settings are right. */
export async function findSettingFaults(sql: Sql): Promise<readonly SettingFault[]> {
  const found = (await sql.get(ASK))!;
  const faults: SettingFault[] = [];
  const refuse = (text: string) => faults.push({ kind: 'refuse', text });
  const unsafe = (setting: string, loss: string) =>
    faults.push({ kind: 'unsafe', text: `${setting}: ${loss}` });
  if (Number(found['version']) < VERSION_MIN) {
    refuse(`the server is older than PostgreSQL ${VERSION_MIN / 10_000}`);
  }
  if (found['encoding'] !== 'UTF8') refuse('the database is not encoded in UTF8');
  if (found['is_copy'] === true) refuse('the server is a standby, which cannot be written to');
  if (found['fsync'] !== 'on') unsafe('fsync is off', 'a crash of the machine loses moves');
  if (found['full_page_writes'] !== 'on') {
    unsafe('full_page_writes is off', 'a crash of the machine may destroy the database');
  }
  const commit = String(found['synchronous_commit']);
  if (commit === 'off') {
    unsafe('synchronous_commit is off', 'a crash of the server loses moves');
  } else if (commit === 'local' && found['standbys'] !== '') {
    unsafe('synchronous_commit is local', 'a fail-over to a standby loses moves');
  }
  return faults;
}

/** Rejects, naming each setting, unless all are right or unsafe ones are allowed. */
export async function checkSettings(sql: Sql, allowUnsafe: boolean): Promise<void> {
  const faults = await findSettingFaults(sql);
  const stopping = faults.filter(({ kind }) => kind === 'refuse' || !allowUnsafe);
  if (stopping.length === 0) return;
  const hint = stopping.some(({ kind }) => kind === 'unsafe')
    ? ' (start with --allow-unsafe-store, or MATCHD_STORE_UNSAFE=1, to serve in spite of it)'
    : '';
  throw new Error(stopping.map(({ text }) => text).join('; ') + hint);
}
