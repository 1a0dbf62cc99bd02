/** Sealed secrets in PostgreSQL: replaced beside nodes that serve, or while none does. */

import { type Runner, scriptOfOne } from '../scripts/script.ts';
import { listSecrets, replaceSecrets } from '../scripts/secrets.ts';
import type { SecretChange, SecretStore, SharedSecretStore } from '../secrets.ts';
import { HAS_LEASE } from './lease.ts';

/**
 * What was replaced stays in the server's files until it is vacuumed, and in its write-ahead log
 * and archives for as long as those are kept: that is the database's own to look after.
 */
export function makeSecretStore({ sql, write }: Runner): SecretStore & SharedSecretStore {
  return {
    listSecrets: () => listSecrets(sql),
    replaceSecrets: (changes) => write(REPLACE, changes),
    replaceUnserved: (changes) => write(REPLACE_UNSERVED, changes),
  };
}

const REPLACE = scriptOfOne('replaceSecrets', replaceSecrets);

const REPLACE_UNSERVED = scriptOfOne(
  'replaceUnserved',
  async (tx, changes: readonly SecretChange[]) => {
    // Every lease that begins waits for this commit, and its node then reads what it left.
    await tx.run('LOCK TABLE node IN SHARE MODE');
    const row = await tx.get(`SELECT count(*) AS n FROM node WHERE ${HAS_LEASE}`);
    const serving = Number(row?.['n']);
    if (serving === 0) await replaceSecrets(tx, changes);
    return serving;
  },
);
