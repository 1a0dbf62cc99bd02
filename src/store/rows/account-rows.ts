/** Rows of accounts, and what they are to the rest of the house. */

import type {
  Account,
  AccountLink,
  LinkKind,
  LoginSession,
  Membership,
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
    createdAt: Number(row['created_at']),
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

/** `totp` says whether there is a second factor. */
export function toMember(row: Row): Member {
  return {
    ...toMembership(row),
    email: String(row['email']),
    name: String(row['name']),
    hasSecondFactor: Boolean(row['totp']),
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
  };
}
