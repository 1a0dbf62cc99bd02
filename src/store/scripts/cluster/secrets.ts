/** Encrypted secrets: listed and replaced at start-up. */

import type { SecretChange, SecretStore, SharedSecretStore, StoredSecret } from '../../secrets.ts';
import { HAS_LEASE } from '../shared/leases.ts';
import { type Runner, type Sql, scriptOfOne } from '../shared/script.ts';

/**
 * Either beside serving nodes, or only while none serves. The old texts stay in the server's files
 * until it is vacuumed, and in its write-ahead log and archives: the operator of the database has
 * to take care of that.
 */
export function makeSecretStore({ sql, write }: Runner): SecretStore & SharedSecretStore {
  return {
    listSecrets: () => listSecrets(sql),
    replaceSecrets: (changes) => write(REPLACE, changes),
    replaceUnserved: (changes) => write(REPLACE_UNSERVED, changes),
  };
}

const LISTS: Readonly<Record<StoredSecret['kind'], string>> = {
  webhook: "SELECT id, secrets AS kept FROM webhook WHERE secrets <> '[]' ORDER BY id",
  token: 'SELECT kid AS id, secret AS kept FROM signing_secret ORDER BY kid',
  totp: 'SELECT id, totp AS kept FROM account WHERE totp IS NOT NULL ORDER BY id',
};

const REPLACEMENTS: Readonly<Record<StoredSecret['kind'], string>> = {
  webhook: 'UPDATE webhook SET secrets = :text WHERE id = :id AND secrets = :read',
  token: 'UPDATE signing_secret SET secret = :text WHERE kid = :id AND secret = :read',
  totp: 'UPDATE account SET totp = :text WHERE id = :id AND totp = :read',
};

const KINDS = Object.keys(LISTS) as StoredSecret['kind'][];

export async function listSecrets(sql: Sql): Promise<readonly StoredSecret[]> {
  const secrets: StoredSecret[] = [];
  for (const kind of KINDS) {
    for (const { id, kept } of await sql.all(LISTS[kind])) {
      const text = kept instanceof Uint8Array ? Buffer.from(kept).toString('base64') : String(kept);
      secrets.push({ kind, id: String(id), text });
    }
  }
  return secrets;
}

/** Inside a transaction. Returns how many texts were still as read. */
export async function replaceSecrets(sql: Sql, changes: readonly SecretChange[]): Promise<number> {
  let replaced = 0;
  for (const { read, text } of changes) {
    const { kind, id } = read;
    const asStored = (each: string) => (kind === 'token' ? Buffer.from(each, 'base64') : each);
    replaced += await sql.run(REPLACEMENTS[kind], {
      id,
      text: asStored(text),
      read: asStored(read.text),
    });
  }
  return replaced;
}

const REPLACE = scriptOfOne('replaceSecrets', replaceSecrets);

const REPLACE_UNSERVED = scriptOfOne(
  'replaceUnserved',
  async (tx, changes: readonly SecretChange[]) => {
    // Every new lease waits for this commit, and its node then reads the new texts.
    await tx.run('LOCK TABLE node IN SHARE MODE');
    const row = await tx.get(`SELECT count(*) AS n FROM node WHERE ${HAS_LEASE}`);
    const serving = Number(row?.['n']);
    if (serving === 0) await replaceSecrets(tx, changes);
    return serving;
  },
);

export const SECRET_SCRIPTS = [REPLACE, REPLACE_UNSERVED];
