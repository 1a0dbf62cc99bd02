/** Passkeys in PostgreSQL. Each write holds the account's row, so those of one account take turns. */

import { type LoginSession, PASSKEYS_MAX } from '../../accounts/account.ts';
import type { AccountStore, SignedChallenge } from '../accounts.ts';
import { toPasskey } from '../rows/account-rows.ts';
import { insertAudits } from './audit-rows.ts';
import { lockProven } from './proven.ts';
import type { Sql, Transactor, Tx } from './sql.ts';

export function makePasskeyCalls(db: Sql & Transactor) {
  return {
    async listPasskeys(account) {
      const rows = await db.all('SELECT * FROM passkey WHERE account = $1 ORDER BY id', account);
      return rows.map(toPasskey);
    },
    async findPasskey(credential) {
      const row = await db.get('SELECT * FROM passkey WHERE credential = $1', credential);
      return row === undefined ? null : toPasskey(row);
    },
    addPasskey: (...args) => db.transaction((tx) => addPasskey(tx, ...args)),
    removePasskey: (account, id, proven, audits) =>
      db.transaction(async (tx) => {
        if (!(await lockProven(tx, account, proven))) return 'changed';
        const gone = await tx.run(
          'DELETE FROM passkey WHERE account = $1 AND id = $2',
          account,
          id,
        );
        if (gone === 0) return 'not_found';
        await raiseRevision(tx, account);
        await dropUnneededCodes(tx, account);
        await tx.run('DELETE FROM login WHERE account = $1', account);
        await insertAudits(tx, audits);
        return 'removed';
      }),
  } satisfies Partial<AccountStore>;
}

async function addPasskey(
  tx: Tx,
  ...[passkey, proven, recoveryHashes, audits]: Parameters<AccountStore['addPasskey']>
): ReturnType<AccountStore['addPasskey']> {
  const { id, account, credential, name, publicKey, counter, createdAt, lastUsedAt } = passkey;
  if (!(await lockProven(tx, account, proven))) return 'changed';
  const count = await tx.get('SELECT count(*) AS n FROM passkey WHERE account = $1', account);
  const isFull = Number(count!['n']) >= PASSKEYS_MAX;
  const held = await tx.get('SELECT 1 FROM passkey WHERE credential = $1', credential);
  if (held !== undefined) return 'taken';
  if (isFull) return 'full';
  const made = await tx.run(
    `INSERT INTO passkey (id, account, credential, name, public_key, counter, created_at, last_used_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (credential) DO NOTHING`,
    id,
    account,
    credential,
    name,
    publicKey,
    counter,
    createdAt,
    lastUsedAt,
  );
  if (made === 0) return 'taken';
  await raiseRevision(tx, account);
  if (recoveryHashes.length > 0) await replaceCodes(tx, account, recoveryHashes);
  await tx.run('DELETE FROM login WHERE account = $1', account);
  await insertAudits(tx, audits);
  return 'added';
}

export async function replaceCodes(
  tx: Tx,
  account: string,
  hashes: readonly string[],
): Promise<void> {
  await tx.run('DELETE FROM recovery_code WHERE account = $1', account);
  await tx.run(
    'INSERT INTO recovery_code (account, hash) SELECT $1, * FROM unnest($2::text[])',
    account,
    hashes,
  );
}

/** Recovery codes stand for a second factor: without one they would open nothing. */
export async function dropUnneededCodes(tx: Tx, account: string): Promise<void> {
  await tx.run(
    `DELETE FROM recovery_code WHERE account = $1
       AND NOT EXISTS (SELECT 1 FROM account WHERE id = $1 AND totp IS NOT NULL)
       AND NOT EXISTS (SELECT 1 FROM passkey WHERE account = $1)`,
    account,
  );
}

/** Takes the challenge and the count; false when one of them was used before. */
export async function useSignature(
  tx: Tx,
  { account, createdAt }: LoginSession,
  { passkey, counter, challengeHash, expiresAt }: SignedChallenge,
): Promise<boolean> {
  const taken = await tx.run(
    `INSERT INTO passkey_challenge (hash, expires_at) VALUES ($1, $2)
     ON CONFLICT (hash) DO NOTHING`,
    challengeHash,
    expiresAt,
  );
  if (taken === 0) return false;
  const isNext = await tx.run(
    `UPDATE passkey SET counter = $1, last_used_at = $2
     WHERE id = $3 AND account = $4 AND (counter < $1 OR (counter = 0 AND $1 = 0))`,
    counter,
    createdAt,
    passkey,
    account,
  );
  return isNext > 0;
}

async function raiseRevision(tx: Tx, account: string): Promise<void> {
  await tx.run('UPDATE account SET passkey_revision = passkey_revision + 1 WHERE id = $1', account);
}
