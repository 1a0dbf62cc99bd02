/** The lock on an account that has not changed since it was verified. */

import type { Proven } from '../../accounts.ts';
import type { Tx } from '../shared/script.ts';

/** Whether the account still has the verified credentials. If so, it has them until the transaction ends. */
export async function lockProven(tx: Tx, account: string, proven: Proven): Promise<boolean> {
  const found = await tx.get(
    `SELECT 1 FROM account WHERE id = :id AND password = :password
       AND totp IS NOT DISTINCT FROM :totp AND passkey_revision = :revision FOR UPDATE`,
    {
      id: account,
      password: proven.passwordHash,
      totp: proven.totpSecret,
      revision: proven.passkeyRevision,
    },
  );
  return found !== undefined;
}
