/** Writes of passkeys: each runs inside the writer's transaction. */

import type { LoginSession, Passkey } from '../../accounts/account.ts';
import { PASSKEYS_MAX } from '../../accounts/account.ts';
import type { PasskeyOutcome, SignedChallenge } from '../accounts.ts';
import type { Statements } from './statements.ts';

export function addPasskey(sql: Statements, passkey: Passkey): Exclude<PasskeyOutcome, 'changed'> {
  const { id, account, credential, name, publicKey, counter, createdAt, lastUsedAt } = passkey;
  const held = sql.get('SELECT 1 FROM passkey WHERE credential = ?', credential);
  if (held !== undefined) return 'taken';
  const count = sql.get('SELECT count(*) AS n FROM passkey WHERE account = ?', account);
  if (Number(count!['n']) >= PASSKEYS_MAX) return 'full';
  sql.run(
    `INSERT INTO passkey (id, account, credential, name, public_key, counter, created_at, last_used_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    account,
    credential,
    name,
    publicKey,
    counter,
    createdAt,
    lastUsedAt,
  );
  raiseRevision(sql, account);
  return 'added';
}

/** False when the account has none of that id. */
export function removePasskey(sql: Statements, account: string, id: string): boolean {
  const gone = sql.run('DELETE FROM passkey WHERE account = ? AND id = ?', account, id) > 0;
  if (gone) raiseRevision(sql, account);
  return gone;
}

/** Recovery codes stand for a second factor: without one they would open nothing. */
export function dropUnneededCodes(sql: Statements, account: string): void {
  sql.run(
    `DELETE FROM recovery_code WHERE account = ?1
       AND NOT EXISTS (SELECT 1 FROM account WHERE id = ?1 AND totp IS NOT NULL)
       AND NOT EXISTS (SELECT 1 FROM passkey WHERE account = ?1)`,
    account,
  );
}

/** Takes the challenge and the count; false when one of them was used before. */
export function useSignature(
  sql: Statements,
  { account, createdAt }: LoginSession,
  { passkey, counter, challengeHash, expiresAt }: SignedChallenge,
): boolean {
  const taken = sql.run(
    'INSERT INTO passkey_challenge (hash, expires_at) VALUES (?, ?) ON CONFLICT DO NOTHING',
    challengeHash,
    expiresAt,
  );
  if (taken === 0) return false;
  const isNext = sql.run(
    `UPDATE passkey SET counter = ?1, last_used_at = ?2
     WHERE id = ?3 AND account = ?4 AND (counter < ?1 OR (counter = 0 AND ?1 = 0))`,
    counter,
    createdAt,
    passkey,
    account,
  );
  return isNext > 0;
}

function raiseRevision(sql: Statements, account: string): void {
  sql.run('UPDATE account SET passkey_revision = passkey_revision + 1 WHERE id = ?', account);
}
