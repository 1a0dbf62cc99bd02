/** Converts rows of accounts. */

import type {
  Account,
  AccountLink,
  LinkKind,
  LoginSession,
  Membership,
  Passkey,
  Role,
} from '../../accounts/account.ts';
import type { Member } from '../accounts.ts';
import { type Row, textOrNull } from './row.ts';

export function toAccount(row: Row): Account {
  return {
    id: String(row['id']),
    email: String(row['email']),
    name: String(row['name']),
    passwordHash: String(row['password']),
    isOperator: Boolean(row['operator']),
    totpSecret: textOrNull(row['totp']),
    totpStep: Number(row['totp_step']),
    passkeyRevision: Number(row['passkey_revision']),
    createdAt: Number(row['created_at']),
  };
}

export function toPasskey(row: Row): Passkey {
  const usedAt = row['last_used_at'];
  return {
    id: String(row['id']),
    account: String(row['account']),
    credential: String(row['credential']),
    name: String(row['name']),
    publicKey: String(row['public_key']),
    counter: Number(row['counter']),
    createdAt: Number(row['created_at']),
    lastUsedAt: usedAt === null ? null : Number(usedAt),
  };
}

export function toMembership(row: Row): Membership {
  return {
    account: String(row['account']),
    tenant: String(row['tenant']),
    role: row['role'] as Role,
    since: Number(row['since']),
  };
}

/** `guarded` says whether there is a second factor. */
export function toMember(row: Row): Member {
  return {
    ...toMembership(row),
    email: String(row['email']),
    name: String(row['name']),
    hasSecondFactor: Boolean(row['guarded']),
  };
}

export function toLink(row: Row): AccountLink {
  return {
    id: String(row['id']),
    kind: row['kind'] as LinkKind,
    tenant: textOrNull(row['tenant']),
    role: row['role'] as Role | null,
    email: textOrNull(row['email']),
    createdAt: Number(row['created_at']),
    expiresAt: Number(row['expires_at']),
  };
}

export function toLogin(row: Row): LoginSession {
  return {
    id: String(row['id']),
    account: String(row['account']),
    createdAt: Number(row['created_at']),
    seenAt: Number(row['seen_at']),
    expiresAt: Number(row['expires_at']),
    address: String(row['address']),
    agent: String(row['agent']),
    passkey: textOrNull(row['passkey']),
  };
}
