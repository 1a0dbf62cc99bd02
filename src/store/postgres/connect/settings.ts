/** What the server must be set to, so that what it says it has kept is kept. */

import type { Sql } from './sql.ts';

/** From here on the server notices by itself that who asked is gone. */
const VERSION_MIN = 140_000;

const ASK = `SELECT current_setting('server_version_num')::int AS version,
  current_setting('server_encoding') AS encoding, pg_is_in_recovery() AS is_copy,
  current_setting('fsync') AS fsync, current_setting('full_page_writes') AS full_page_writes,
  current_setting('synchronous_commit') AS synchronous_commit,
  current_setting('synchronous_standby_names') AS standbys`;

/** One thing that is not as it should be, in words for whoever runs the server. */
export interface SettingFault {
  /** `refuse`: it cannot work. `unsafe`: it may lose what was acknowledged. */
  readonly kind: 'refuse' | 'unsafe';
  readonly text: string;
}

/** Empty when all is well. */
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

/** Rejects, naming each setting, unless the server is as it should be, or one says it may be unsafe. */
export async function checkSettings(sql: Sql, allowUnsafe: boolean): Promise<void> {
  const faults = await findSettingFaults(sql);
  const stopping = faults.filter(({ kind }) => kind === 'refuse' || !allowUnsafe);
  if (stopping.length === 0) return;
  const hint = stopping.some(({ kind }) => kind === 'unsafe')
    ? ' (start with --allow-unsafe-store, or MATCHD_STORE_UNSAFE=1, to serve in spite of it)'
    : '';
  throw new Error(stopping.map(({ text }) => text).join('; ') + hint);
}
