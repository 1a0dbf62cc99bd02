/** Sealed secrets: they are listed and replaced at a start. */

import { Buffer } from 'node:buffer';
import type { KeptSecret, SecretChange, SecretStore, SharedSecretStore } from '../secrets.ts';
import type { Database } from './database.ts';
import { HAS_LEASE } from './lease.ts';
import type { Row, Sql, Value } from './sql.ts';

const LISTS: Readonly<Record<KeptSecret['kind'], string>> = {
  webhook: "SELECT id, secrets AS kept FROM webhook WHERE secrets <> '[]' ORDER BY id",
  token: 'SELECT kid AS id, secret AS kept FROM signing_secret ORDER BY kid',
  totp: 'SELECT id, totp AS kept FROM account WHERE totp IS NOT NULL ORDER BY id',
};

const REPLACEMENTS: Readonly<Record<KeptSecret['kind'], string>> = {
  webhook: 'UPDATE webhook SET secrets = $1 WHERE id = $2 AND secrets = $3',
  token: 'UPDATE signing_secret SET secret = $1 WHERE kid = $2 AND secret = $3',
  totp: 'UPDATE account SET totp = $1 WHERE id = $2 AND totp = $3',
};

const KINDS = Object.keys(LISTS) as KeptSecret['kind'][];

/**
 * What was replaced stays in the server's files until it is vacuumed, and in its write-ahead log
 * and archives for as long as those are kept: that is the database's own to look after.
 */
export function makeSecretStore(db: Database): SecretStore & SharedSecretStore {
  return {
    async listSecrets() {
      const lists = await Promise.all(
        KINDS.map(async (kind) => (await db.all(LISTS[kind])).map((row) => toSecret(kind, row))),
      );
      return lists.flat();
    },
    replaceSecrets: (changes) => db.transaction((tx) => replaceAll(tx, changes)),
    replaceUnserved: (changes) =>
      db.transaction(async (tx) => {
        // Every lease that begins waits for this commit, and its node then reads what it left.
        await tx.run('LOCK TABLE node IN SHARE MODE');
        const row = await tx.get(`SELECT count(*) AS n FROM node WHERE ${HAS_LEASE}`);
        const serving = Number(row?.['n']);
        if (serving === 0) await replaceAll(tx, changes);
        return serving;
      }),
  };
}

async function replaceAll(tx: Sql, changes: readonly SecretChange[]): Promise<number> {
  let replaced = 0;
  for (const { read, text } of changes) {
    const { kind, id } = read;
    const asKept = (each: string): Value => (kind === 'token' ? Buffer.from(each, 'base64') : each);
    replaced += await tx.run(REPLACEMENTS[kind], asKept(text), id, asKept(read.text));
  }
  return replaced;
}

function toSecret(kind: KeptSecret['kind'], { id, kept }: Row): KeptSecret {
  const text = kept instanceof Uint8Array ? Buffer.from(kept).toString('base64') : String(kept);
  return { kind, id: String(id), text };
}
