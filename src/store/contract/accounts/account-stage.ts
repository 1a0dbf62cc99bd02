/** Accounts, links and sessions for the cases of accounts. */

import { expect } from 'bun:test';
import type { Account, AccountLink, LoginSession } from '../../../accounts/account.ts';
import type { NewLogin } from '../../accounts.ts';
import type { Store } from '../../whole-store.ts';
import { auditOf, T0, TENANT } from '../stage.ts';

export const HOUR_MS = 3_600_000;

export function accountOf(name: string, fields: Partial<Account> = {}): Account {
  return {
    id: `acc_${name}`,
    email: `${name}@example.test`,
    name,
    passwordHash: `$argon2id$${name}`,
    isOperator: false,
    totpSecret: null,
    totpStep: 0,
    passkeyRevision: 0,
    createdAt: T0,
    ...fields,
  };
}

export function linkOf(id: string, fields: Partial<AccountLink> = {}): AccountLink {
  return {
    id,
    kind: 'setup',
    tenant: null,
    role: null,
    email: null,
    createdAt: T0,
    expiresAt: T0 + HOUR_MS,
    ...fields,
  };
}

export const inviteOf = (id: string, name: string, fields: Partial<AccountLink> = {}) =>
  linkOf(id, {
    kind: 'invitation',
    tenant: TENANT,
    role: 'owner',
    email: `${name}@example.test`,
    ...fields,
  });

export function loginOf(id: string, of: Account, fields: Partial<LoginSession> = {}): NewLogin {
  const session = {
    id,
    account: of.id,
    createdAt: T0,
    seenAt: T0,
    expiresAt: T0 + HOUR_MS,
    address: '192.0.2.1',
    agent: 'Browser',
    passkey: null,
    ...fields,
  };
  const { passwordHash, totpSecret, passkeyRevision } = of;
  const proven = { passwordHash, totpSecret, passkeyRevision };
  return { session, tokenHash: `hash-${id}`, proven, signed: null };
}

/** Makes the account a member, by an invitation. */
export async function join(
  store: Store,
  account: Account,
  role: AccountLink['role'],
): Promise<void> {
  const hash = `join-${account.id}-${role}`;
  await store.putLink(inviteOf(hash, account.name, { role }), hash, null);
  const isKnown = (await store.findAccount(account.id)) !== null;
  const guest = isKnown ? { id: account.id } : account;
  expect(await store.useInvitation(hash, guest, auditOf('member.joined', account.id))).toBe('done');
}

export const actsOf = async (store: Store) =>
  (await store.readAudit(TENANT, 0, 99)).map(({ act }) => act);

export async function ownersOf(store: Store): Promise<string[]> {
  const members = await store.listMembers(TENANT);
  return members.filter(({ role }) => role === 'owner').map(({ account }) => account);
}
