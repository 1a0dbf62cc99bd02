/** Encrypted secrets in SQLite: replaced on a separate connection that leaves no copy behind. */

import type { DatabaseSync } from 'node:sqlite';
import { listSecrets, replaceSecrets } from '../scripts/cluster/secrets.ts';
import type { SecretStore } from '../secrets.ts';
import { makeSql } from './sql/script-sql.ts';
import { makeStatements } from './sql/statements.ts';

/** `open`: a connection that writes. */
export function makeSecretStore(reads: DatabaseSync, open: () => DatabaseSync): SecretStore {
  return {
    ...makeSecretReads(reads),
    async replaceSecrets(changes) {
      if (changes.length === 0) return 0;
      const db = open();
      try {
        // Overwritten data is wiped from its page, too.
        db.exec('PRAGMA secure_delete = ON');
        db.exec('BEGIN IMMEDIATE');
        const replaced = await replaceSecrets(makeSql(makeStatements(db)), changes);
        db.exec('COMMIT');
        // Older pages do not stay in the log either; while a reader is active, until the next
        // checkpoint.
        db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
        return replaced;
      } finally {
        // Rolls back what is not committed.
        db.close();
      }
    },
  };
}

export function makeSecretReads(db: DatabaseSync): Pick<SecretStore, 'listSecrets'> {
  const sql = makeSql(makeStatements(db));
  return { listSecrets: () => listSecrets(sql) };
}
