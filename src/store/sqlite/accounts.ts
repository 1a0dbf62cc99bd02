/** Accounts in SQLite: the calls of the port, reads beside the writer. */

import type { AccountStore } from '../accounts.ts';
import {
  toAccount,
  toLink,
  toLogin,
  toMember,
  toMembership,
  toPasskey,
} from '../rows/account-rows.ts';
import type { AccountAnswers, AccountOp } from './account-ops.ts';
import type { GroupCommit } from './group-commit.ts';
import type { Prepare } from './rows.ts';

export type AccountReads = Pick<
  AccountStore,
  | 'hasAccount'
  | 'findAccount'
  | 'findAccountByEmail'
  | 'listMemberships'
  | 'listMembers'
  | 'findLink'
  | 'listLinks'
  | 'countRecoveryCodes'
  | 'listPasskeys'
  | 'findPasskey'
  | 'findLogin'
  | 'listLogins'
>;

export function makeAccountReads(all: Prepare): AccountReads {
  const any = all('SELECT 1 FROM account LIMIT 1');
  const byId = all('SELECT * FROM account WHERE id = ?');
  const byEmail = all('SELECT * FROM account WHERE email = ?');
  const memberships = all('SELECT * FROM member WHERE account = ? ORDER BY tenant');
  const members = all(
    `SELECT member.*, account.email, account.name,
       account.totp IS NOT NULL OR EXISTS (
         SELECT 1 FROM passkey WHERE passkey.account = account.id) AS guarded
     FROM member JOIN account ON account.id = member.account WHERE tenant = ?
     ORDER BY since, account`,
  );
  const link = all('SELECT * FROM account_link WHERE hash = ? AND expires_at > ?');
  const links = all(
    'SELECT * FROM account_link WHERE tenant = ? AND expires_at > ? ORDER BY id DESC',
  );
  const codes = all('SELECT count(*) AS n FROM recovery_code WHERE account = ?');
  const passkeys = all('SELECT * FROM passkey WHERE account = ? ORDER BY id');
  const passkey = all('SELECT * FROM passkey WHERE credential = ?');
  const login = all('SELECT * FROM login WHERE hash = ?');
  const logins = all('SELECT * FROM login WHERE account = ? ORDER BY id DESC');
  return {
    hasAccount: async () => any().length > 0,
    findAccount: async (id) => byId(id).map(toAccount)[0] ?? null,
    findAccountByEmail: async (email) => byEmail(email).map(toAccount)[0] ?? null,
    listMemberships: async (account) => memberships(account).map(toMembership),
    listMembers: async (tenant) => members(tenant).map(toMember),
    findLink: async (hash, now) => link(hash, now).map(toLink)[0] ?? null,
    listLinks: async (tenant, now) => links(tenant, now).map(toLink),
    countRecoveryCodes: async (account) => Number(codes(account)[0]?.['n']),
    listPasskeys: async (account) => passkeys(account).map(toPasskey),
    findPasskey: async (credential) => passkey(credential).map(toPasskey)[0] ?? null,
    findLogin: async (hash) => login(hash).map(toLogin)[0] ?? null,
    listLogins: async (account) => logins(account).map(toLogin),
  };
}

export function makeAccountStore(writer: GroupCommit, reads: AccountReads): AccountStore {
  /** The writer's answer; what answers null answers nothing to the port. */
  const ask = <Name extends AccountOp['op']>(
    op: Extract<AccountOp, { op: Name }>,
  ): Promise<AccountAnswers[Name]> => writer.perform<Name>(op as never) as never;
  const tell = async (op: AccountOp): Promise<void> => {
    await ask(op as never);
  };
  return {
    ...reads,
    putLink: (link, hash, audit, waitingMax = null) =>
      ask<'putLink'>({ op: 'putLink', link, hash, audit, waitingMax }),
    removeLink: (tenant, id, audit) => ask<'removeLink'>({ op: 'removeLink', tenant, id, audit }),
    useSetupLink: (hash, account, audit) =>
      ask<'useSetupLink'>({ op: 'useSetupLink', hash, account, audit }),
    useInvitation: (hash, account, audit) =>
      ask<'useInvitation'>({ op: 'useInvitation', hash, account, audit }),
    useReset: (hash, passwordHash, audit) =>
      ask<'useReset'>({ op: 'useReset', hash, passwordHash, audit }),
    setPassword: (account, proven, passwordHash, audits) =>
      ask<'setPassword'>({ op: 'setPassword', account, proven, passwordHash, audits }),
    setTotp: (account, proven, totp, recoveryHashes, audits) =>
      ask<'setTotp'>({ op: 'setTotp', account, proven, totp, recoveryHashes, audits }),
    useTotpStep: (account, step) => ask<'useTotpStep'>({ op: 'useTotpStep', account, step }),
    useRecoveryCode: (account, hash) =>
      ask<'useRecoveryCode'>({ op: 'useRecoveryCode', account, hash }),
    addPasskey: (passkey, proven, recoveryHashes, audits) =>
      ask<'addPasskey'>({ op: 'addPasskey', passkey, proven, recoveryHashes, audits }),
    removePasskey: (account, id, proven, audits) =>
      ask<'removePasskey'>({ op: 'removePasskey', account, id, proven, audits }),
    setRole: (tenant, account, role, audit) =>
      ask<'setRole'>({ op: 'setRole', tenant, account, role, audit }),
    beginLogin: (login, instead, audits) =>
      ask<'beginLogin'>({ op: 'beginLogin', login, instead, audits }),
    touchLogin: (id, at) => tell({ op: 'touchLogin', id, at }),
    endLogins: (account, which, audits) =>
      ask<'endLogins'>({ op: 'endLogins', account, which, audits }),
    removeStaleLogins: (seenBefore, now) =>
      ask<'removeStaleLogins'>({ op: 'removeStaleLogins', seenBefore, now }),
  };
}
