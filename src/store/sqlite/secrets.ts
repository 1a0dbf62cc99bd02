/** Sealed secrets in SQLite, on a connection of its own: they are listed and replaced at a start. */

import { Buffer } from 'node:buffer';
import type { DatabaseSync } from 'node:sqlite';
import type { KeptSecret, SecretChange, SecretStore } from '../secrets.ts';
import { inTransaction } from './migrate.ts';

const LISTS: Readonly<Record<KeptSecret['kind'], string>> = {
  webhook: "SELECT id, secrets AS kept FROM webhook WHERE secrets <> '[]' ORDER BY id",
  token: 'SELECT kid AS id, secret AS kept FROM signing_secret ORDER BY kid',
  totp: 'SELECT id, totp AS kept FROM account WHERE totp IS NOT NULL ORDER BY id',
};

const REPLACEMENTS: Readonly<Record<KeptSecret['kind'], string>> = {
  webhook: 'UPDATE webhook SET secrets = ? WHERE id = ? AND secrets = ?',
  token: 'UPDATE signing_secret SET secret = ? WHERE kid = ? AND secret = ?',
  totp: 'UPDATE account SET totp = ? WHERE id = ? AND totp = ?',
};

export function makeSecretStore(db: DatabaseSync): SecretStore {
  // What is written over is wiped from its page, too.
  db.exec('PRAGMA secure_delete = ON');
  return {
    listSecrets: async () => KINDS.flatMap((kind) => list(db, kind)),
    async replaceSecrets(changes) {
      if (changes.length === 0) return 0;
      const replaced = replaceAll(db, changes);
      // Nor do older pages stay in the log; where somebody reads in it, until its next turn.
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      return replaced;
    },
  };
}

const KINDS = Object.keys(LISTS) as KeptSecret['kind'][];

function list(db: DatabaseSync, kind: KeptSecret['kind']): KeptSecret[] {
  return db
    .prepare(LISTS[kind])
    .all()
    .map(({ id, kept }) => ({
      kind,
      id: String(id),
      text: kept instanceof Uint8Array ? Buffer.from(kept).toString('base64') : String(kept),
    }));
}

function replaceAll(db: DatabaseSync, changes: readonly SecretChange[]): number {
  return inTransaction(db, () => changes.filter((each) => replace(db, each)).length);
}

function replace(
  db: DatabaseSync,
  { read: { kind, id, text: before }, text }: SecretChange,
): boolean {
  const asKept = (each: string) => (kind === 'token' ? Buffer.from(each, 'base64') : each);
  return Number(db.prepare(REPLACEMENTS[kind]).run(asKept(text), id, asKept(before)).changes) > 0;
}
