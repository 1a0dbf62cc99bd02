/** Passkeys. Each write locks the account's row, so writes to one account are serialized. */

import { type LoginSession, PASSKEYS_MAX, type Passkey } from '../../../accounts/account.ts';
import type { AccountStore, PasskeyOutcome, Proven, SignedChallenge } from '../../accounts.ts';
import { toPasskey } from '../../rows/account-rows.ts';
import type { AuditRow } from '../../store.ts';
import { insertAudits } from '../shared/audit.ts';
import { type Runner, scriptOfOne, type Tx } from '../shared/script.ts';
import { lockProven } from './proven.ts';
import { dropUnneededCodes, replaceCodes } from './recovery-codes.ts';

export function makePasskeyCalls({ sql, write }: Runner) {
  return {
    async listPasskeys(account) {
      const rows = await sql.all('SELECT * FROM passkey WHERE account = :account ORDER BY id', {
        account,
      });
      return rows.map(toPasskey);
    },
    async findPasskey(credential) {
      const row = await sql.get('SELECT * FROM passkey WHERE credential = :credential', {
        credential,
      });
      return row === undefined ? null : toPasskey(row);
    },
    addPasskey: (passkey, proven, recoveryHashes, audits) =>
      write(ADD, { passkey, proven, recoveryHashes, audits }),
    removePasskey: (account, id, proven, audits) => write(REMOVE, { account, id, proven, audits }),
  } satisfies Partial<AccountStore>;
}

interface Add {
  readonly passkey: Passkey;
  readonly proven: Proven;
  readonly recoveryHashes: readonly string[];
  readonly audits: readonly AuditRow[];
}

const ADD = scriptOfOne('addPasskey', async (tx, ask: Add): Promise<PasskeyOutcome> => {
  const { passkey, proven, recoveryHashes, audits } = ask;
  const { account } = passkey;
  if (!(await lockProven(tx, account, proven))) return 'changed';
  const outcome = await insertPasskey(tx, passkey);
  if (outcome !== 'added') return outcome;
  await raiseRevision(tx, account);
  if (recoveryHashes.length > 0) await replaceCodes(tx, account, recoveryHashes);
  await tx.run('DELETE FROM login WHERE account = :account', { account });
  await insertAudits(tx, audits);
  return 'added';
});

async function insertPasskey(tx: Tx, passkey: Passkey): Promise<'added' | 'taken' | 'full'> {
  const { account, credential } = passkey;
  const count = await tx.get('SELECT count(*) AS n FROM passkey WHERE account = :account', {
    account,
  });
  const held = await tx.get('SELECT 1 FROM passkey WHERE credential = :credential', { credential });
  if (held !== undefined) return 'taken';
  if (Number(count!['n']) >= PASSKEYS_MAX) return 'full';
  const made = await tx.run(
    `INSERT INTO passkey (id, account, credential, name, public_key, counter, created_at, last_used_at)
     SELECT id, account, credential, name, public_key, counter, created_at, last_used_at
       FROM @given(id text, account text, credential text, name text, public_key text, counter bigint,
         created_at bigint, last_used_at bigint)
      WHERE TRUE ON CONFLICT (credential) DO NOTHING`,
    { given: [passkey] },
  );
  return made === 0 ? 'taken' : 'added';
}

interface Remove {
  readonly account: string;
  readonly id: string;
  readonly proven: Proven;
  readonly audits: readonly AuditRow[];
}

const REMOVE = scriptOfOne('removePasskey', async (tx, ask: Remove) => {
  const { account, id, proven, audits } = ask;
  if (!(await lockProven(tx, account, proven))) return 'changed';
  const of = { account, id };
  const gone = await tx.run('DELETE FROM passkey WHERE account = :account AND id = :id', of);
  if (gone === 0) return 'not_found';
  await raiseRevision(tx, account);
  await dropUnneededCodes(tx, account);
  await tx.run('DELETE FROM login WHERE account = :account', { account });
  await insertAudits(tx, audits);
  return 'removed';
});

export const PASSKEY_SCRIPTS = [ADD, REMOVE];

/** Records the use of the challenge and the counter. False when either was used before. */
export async function useSignature(
  tx: Tx,
  { account, createdAt }: LoginSession,
  { passkey, counter, challengeHash, expiresAt }: SignedChallenge,
): Promise<boolean> {
  const taken = await tx.run(
    `INSERT INTO passkey_challenge (hash, expires_at) VALUES (:hash, :expires_at)
     ON CONFLICT (hash) DO NOTHING`,
    { hash: challengeHash, expires_at: expiresAt },
  );
  if (taken === 0) return false;
  const isNext = await tx.run(
    `UPDATE passkey SET counter = :counter, last_used_at = :at
     WHERE id = :id AND account = :account
       AND (counter < :counter OR (counter = 0 AND :counter = 0))`,
    { id: passkey, account, counter, at: createdAt },
  );
  return isNext > 0;
}

async function raiseRevision(tx: Tx, id: string): Promise<void> {
  await tx.run('UPDATE account SET passkey_revision = passkey_revision + 1 WHERE id = :id', { id });
}
