/**
 * Reads and writes of accounts. Transactions lock rows in this order: the turn of setup links or of
 * a tenant's invitations, account, passkey, member, link, recovery code, session.
 */

import type { AccountStore, Proven } from '../../accounts.ts';
import { toAccount } from '../../rows/account-rows.ts';
import type { AuditRow } from '../../store.ts';
import { insertAudits } from '../shared/audit.ts';
import { type Runner, scriptOfOne } from '../shared/script.ts';
import { LINK_SCRIPTS, makeLinkCalls } from './account-links.ts';
import { LOGIN_TRY_SCRIPTS, makeLoginBrake } from './login-tries.ts';
import { LOGIN_SCRIPTS, makeLoginCalls } from './logins.ts';
import { MEMBER_SCRIPTS, makeMemberCalls } from './members.ts';
import { makePasskeyCalls, PASSKEY_SCRIPTS } from './passkeys.ts';
import { lockProven } from './proven.ts';
import {
  dropUnneededCodes,
  makeRecoveryCodeCalls,
  RECOVERY_CODE_SCRIPTS,
  replaceCodes,
} from './recovery-codes.ts';

export function makeAccountStore(runner: Runner): AccountStore {
  return {
    ...makeOwnCalls(runner),
    ...makeLinkCalls(runner),
    ...makeMemberCalls(runner),
    ...makePasskeyCalls(runner),
    ...makeRecoveryCodeCalls(runner),
    ...makeLoginCalls(runner),
    ...makeLoginBrake(runner),
  };
}

function makeOwnCalls({ sql, write }: Runner) {
  return {
    hasAccount: async () => (await sql.get('SELECT 1 FROM account LIMIT 1')) !== undefined,
    async findAccount(id) {
      const row = await sql.get('SELECT * FROM account WHERE id = :id', { id });
      return row === undefined ? null : toAccount(row);
    },
    async findAccountByEmail(email) {
      const row = await sql.get('SELECT * FROM account WHERE email = :email', { email });
      return row === undefined ? null : toAccount(row);
    },
    setPassword: (account, proven, passwordHash, audits) =>
      write(SET_PASSWORD, { account, proven, passwordHash, audits }),
    setTotp: (account, proven, totp, recoveryHashes, audits) =>
      write(SET_TOTP, { account, proven, totp, recoveryHashes, audits }),
    useTotpStep: (account, step) => write(USE_TOTP_STEP, { account, step }),
  } satisfies Partial<AccountStore>;
}

interface OfProven {
  readonly account: string;
  readonly proven: Proven;
  readonly audits: readonly AuditRow[];
}

const SET_PASSWORD = scriptOfOne(
  'setPassword',
  async (tx, ask: OfProven & { readonly passwordHash: string }) => {
    const { account, proven, passwordHash, audits } = ask;
    if (!(await lockProven(tx, account, proven))) return false;
    await tx.run('UPDATE account SET password = :password WHERE id = :account', {
      account,
      password: passwordHash,
    });
    await tx.run('DELETE FROM login WHERE account = :account', { account });
    await insertAudits(tx, audits);
    return true;
  },
);

interface SetTotp extends OfProven {
  readonly totp: { readonly secret: string; readonly step: number } | null;
  readonly recoveryHashes: readonly string[];
}

const SET_TOTP = scriptOfOne('setTotp', async (tx, ask: SetTotp) => {
  const { account, proven, totp, recoveryHashes, audits } = ask;
  if (!(await lockProven(tx, account, proven))) return false;
  await tx.run('UPDATE account SET totp = :secret, totp_step = :step WHERE id = :account', {
    account,
    secret: totp?.secret ?? null,
    step: totp?.step ?? 0,
  });
  if (totp === null) await dropUnneededCodes(tx, account);
  else await replaceCodes(tx, account, recoveryHashes);
  await tx.run('DELETE FROM login WHERE account = :account', { account });
  await insertAudits(tx, audits);
  return true;
});

interface UseTotpStep {
  readonly account: string;
  readonly step: number;
}

const USE_TOTP_STEP = scriptOfOne('useTotpStep', async (tx, { account, step }: UseTotpStep) => {
  const used = await tx.run(
    'UPDATE account SET totp_step = :step WHERE id = :account AND totp_step < :step',
    { account, step },
  );
  return used > 0;
});

export const ACCOUNT_SCRIPTS = [
  ...LINK_SCRIPTS,
  ...LOGIN_SCRIPTS,
  ...LOGIN_TRY_SCRIPTS,
  ...MEMBER_SCRIPTS,
  ...PASSKEY_SCRIPTS,
  ...RECOVERY_CODE_SCRIPTS,
  SET_PASSWORD,
  SET_TOTP,
  USE_TOTP_STEP,
];
