/** Sealed secrets in SQLite: they are replaced on a connection of its own, which leaves no copy behind. */

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
        // What is written over is wiped from its page, too.
        db.exec('PRAGMA secure_delete = ON');
        db.exec('BEGIN IMMEDIATE');
        const replaced = await replaceSecrets(makeSql(makeStatements(db)), changes);
        db.exec('COMMIT');
        // Nor do older pages stay in the log; where somebody reads in it, until its next turn.
        db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
        return replaced;
      } finally {
        // Undoes what is not committed.
        db.close();
      }
    },
  };
}

export function makeSecretReads(db: DatabaseSync): Pick<SecretStore, 'listSecrets'> {
  const sql = makeSql(makeStatements(db));
  return { listSecrets: () => listSecrets(sql) };
}
