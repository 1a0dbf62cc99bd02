/** Recovery codes, which replace an account's second factor. */

import type { AccountStore } from '../../accounts.ts';
import { type Runner, scriptOfOne, type Tx } from '../shared/script.ts';

export function makeRecoveryCodeCalls({ sql, write }: Runner) {
  return {
    async countRecoveryCodes(account) {
      const row = await sql.get(
        'SELECT count(*) AS n FROM recovery_code WHERE account = :account',
        {
          account,
        },
      );
      return Number(row!['n']);
    },
    useRecoveryCode: (account, hash) => write(USE, { account, hash }),
  } satisfies Partial<AccountStore>;
}

interface Use {
  readonly account: string;
  readonly hash: string;
}

const USE = scriptOfOne('useRecoveryCode', async (tx, { account, hash }: Use) => {
  const used = await tx.run('DELETE FROM recovery_code WHERE account = :account AND hash = :hash', {
    account,
    hash,
  });
  return used > 0;
});

export const RECOVERY_CODE_SCRIPTS = [USE];

export async function replaceCodes(
  tx: Tx,
  account: string,
  hashes: readonly string[],
): Promise<void> {
  await tx.run('DELETE FROM recovery_code WHERE account = :account', { account });
  await tx.run(
    'INSERT INTO recovery_code (account, hash) SELECT :account, hash FROM @given(hash text)',
    { account, given: hashes.map((hash) => ({ hash })) },
  );
}

/** Without a second factor they are useless. */
export async function dropUnneededCodes(tx: Tx, account: string): Promise<void> {
  await tx.run(
    `DELETE FROM recovery_code WHERE account = :account
       AND NOT EXISTS (SELECT 1 FROM account WHERE id = :account AND totp IS NOT NULL)
       AND NOT EXISTS (SELECT 1 FROM passkey WHERE account = :account)`,
    { account },
  );
}
