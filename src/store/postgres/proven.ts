/** The lock of an account that is still as somebody saw it. */

import type { Proven } from '../accounts.ts';
import type { Tx } from './sql.ts';

/** Has the account still what was asked for? Then it has until the transaction ends. */
export async function lockProven(tx: Tx, account: string, proven: Proven): Promise<boolean> {
  const found = await tx.get(
    `SELECT 1 FROM account WHERE id = $1 AND password = $2 AND totp IS NOT DISTINCT FROM $3
       AND passkey_revision = $4 FOR UPDATE`,
    account,
    proven.passwordHash,
    proven.totpSecret,
    proven.passkeyRevision,
  );
  return found !== undefined;
}
