/** Writes of accounts: each runs inside the writer's transaction. */

import type { Account, AccountLink, Passkey, Role } from '../../accounts/account.ts';
import type {
  AccountStore,
  InvitationOutcome,
  MemberOutcome,
  NewLogin,
  PasskeyOutcome,
  Proven,
} from '../accounts.ts';
import type { AuditRow } from '../store.ts';
import { insertAudit } from './audit-rows.ts';
import { addPasskey, dropUnneededCodes, removePasskey, useSignature } from './passkey-ops.ts';
import type { Statements } from './statements.ts';

interface Ops {
  putLink: {
    link: AccountLink;
    hash: string;
    audit: AuditRow | null;
    waitingMax: number | null;
  };
  removeLink: { tenant: string; id: string; audit: AuditRow };
  useSetupLink: { hash: string; account: Account; audit: AuditRow };
  useInvitation: {
    hash: string;
    account: Account | { readonly id: string };
    audit: AuditRow;
  };
  useReset: { hash: string; passwordHash: string; audit: AuditRow };
  setPassword: {
    account: string;
    proven: Proven;
    passwordHash: string;
    audits: readonly AuditRow[];
  };
  setTotp: {
    account: string;
    proven: Proven;
    totp: { readonly secret: string; readonly step: number } | null;
    recoveryHashes: readonly string[];
    audits: readonly AuditRow[];
  };
  useTotpStep: { account: string; step: number };
  useRecoveryCode: { account: string; hash: string };
  addPasskey: {
    passkey: Passkey;
    proven: Proven;
    recoveryHashes: readonly string[];
    audits: readonly AuditRow[];
  };
  removePasskey: { account: string; id: string; proven: Proven; audits: readonly AuditRow[] };
  setRole: { tenant: string; account: string; role: Role | null; audit: AuditRow };
  beginLogin: { login: NewLogin; instead: string | null; audits: readonly AuditRow[] };
  touchLogin: { id: string; at: number };
  endLogins: {
    account: string;
    which: { readonly id: string } | { readonly except: string | null };
    audits: readonly AuditRow[];
  };
  removeStaleLogins: { seenBefore: number; now: number };
}

export interface AccountAnswers {
  putLink: 'put' | 'full';
  removeLink: boolean;
  useSetupLink: 'done' | 'link_gone';
  useInvitation: InvitationOutcome;
  useReset: 'done' | 'link_gone';
  setPassword: boolean;
  setTotp: boolean;
  useTotpStep: boolean;
  useRecoveryCode: boolean;
  addPasskey: PasskeyOutcome;
  removePasskey: Awaited<ReturnType<AccountStore['removePasskey']>>;
  setRole: MemberOutcome;
  beginLogin: boolean;
  touchLogin: null;
  endLogins: number;
  removeStaleLogins: number;
}

type Named<Name extends keyof Ops> = { readonly op: Name } & Readonly<Ops[Name]>;
export type AccountOp = { [Name in keyof Ops]: Named<Name> }[keyof Ops];

/** The most of these that go in one transaction. */
const STALE_MAX = 1_000;
/** Sessions of an account at once: one more ends the oldest. */
const LOGINS_MAX = 100;

type Perform = { [Name in keyof Ops]: (sql: Statements, op: Named<Name>) => AccountAnswers[Name] };

const PERFORM: Perform = {
  putLink,
  removeLink(sql, { tenant, id, audit }) {
    const gone = sql.run('DELETE FROM account_link WHERE tenant = ? AND id = ?', tenant, id) > 0;
    if (gone) insertAudit(sql, audit);
    return gone;
  },
  useSetupLink,
  useInvitation,
  useReset,
  setPassword(sql, { account, proven, passwordHash, audits }) {
    if (!stands(sql, account, proven)) return false;
    sql.run('UPDATE account SET password = ? WHERE id = ?', passwordHash, account);
    sql.run('DELETE FROM login WHERE account = ?', account);
    noteAll(sql, audits);
    return true;
  },
  setTotp,
  useTotpStep: (sql, { account, step }) =>
    sql.run('UPDATE account SET totp_step = ?1 WHERE id = ?2 AND totp_step < ?1', step, account) >
    0,
  useRecoveryCode: (sql, { account, hash }) =>
    sql.run('DELETE FROM recovery_code WHERE account = ? AND hash = ?', account, hash) > 0,
  addPasskey(sql, { passkey, proven, recoveryHashes, audits }) {
    if (!stands(sql, passkey.account, proven)) return 'changed';
    const outcome = addPasskey(sql, passkey);
    if (outcome !== 'added') return outcome;
    if (recoveryHashes.length > 0) replaceCodes(sql, passkey.account, recoveryHashes);
    sql.run('DELETE FROM login WHERE account = ?', passkey.account);
    noteAll(sql, audits);
    return 'added';
  },
  removePasskey(sql, { account, id, proven, audits }) {
    if (!stands(sql, account, proven)) return 'changed';
    if (!removePasskey(sql, account, id)) return 'not_found';
    dropUnneededCodes(sql, account);
    sql.run('DELETE FROM login WHERE account = ?', account);
    noteAll(sql, audits);
    return 'removed';
  },
  setRole,
  beginLogin,
  touchLogin(sql, { id, at }) {
    sql.run('UPDATE login SET seen_at = max(seen_at, ?) WHERE id = ?', at, id);
    return null;
  },
  endLogins(sql, { account, which, audits }) {
    const ended =
      'id' in which
        ? sql.run('DELETE FROM login WHERE account = ? AND id = ?', account, which.id)
        : sql.run('DELETE FROM login WHERE account = ? AND id <> ?', account, which.except ?? '');
    if (ended > 0) noteAll(sql, audits);
    return ended;
  },
  removeStaleLogins(sql, { seenBefore, now }) {
    const logins = sql.run(
      `DELETE FROM login WHERE hash IN (
         SELECT hash FROM login WHERE seen_at < ? OR expires_at <= ? LIMIT ?)`,
      seenBefore,
      now,
      STALE_MAX,
    );
    const links = sql.run('DELETE FROM account_link WHERE expires_at <= ?', now);
    return logins + links + sql.run('DELETE FROM passkey_challenge WHERE expires_at <= ?', now);
  },
};

export function isAccountOp(op: { readonly op: string }): op is AccountOp {
  return Object.hasOwn(PERFORM, op.op);
}

export function performAccountOp(sql: Statements, op: AccountOp): AccountAnswers[AccountOp['op']] {
  const perform = PERFORM[op.op] as (
    sql: Statements,
    op: AccountOp,
  ) => AccountAnswers[AccountOp['op']];
  return perform(sql, op);
}

function noteAll(sql: Statements, audits: readonly AuditRow[]): void {
  for (const audit of audits) insertAudit(sql, audit);
}

// ── links ──────────────────────────────────────────────────────────────────────────────────────

function putLink(
  sql: Statements,
  { link, hash, audit, waitingMax }: Named<'putLink'>,
): 'put' | 'full' {
  const { id, kind, tenant, role, email, createdAt, expiresAt } = link;
  if (waitingMax !== null) {
    const waiting = sql.get(
      `SELECT count(*) AS n FROM account_link
       WHERE tenant IS ? AND kind = ? AND expires_at > ?`,
      tenant,
      kind,
      createdAt,
    );
    if (Number(waiting!['n']) >= waitingMax) return 'full';
  }
  if (kind === 'setup') sql.run("DELETE FROM account_link WHERE kind = 'setup'");
  sql.run(
    `INSERT INTO account_link (hash, id, kind, tenant, role, email, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    hash,
    id,
    kind,
    tenant,
    role,
    email,
    createdAt,
    expiresAt,
  );
  if (audit !== null) insertAudit(sql, audit);
  return 'put';
}

type UsedLink = Record<'tenant' | 'role' | 'email', string | null>;

function findLink(sql: Statements, hash: string, kind: string, now: number): UsedLink | null {
  const link = sql.get(
    'SELECT * FROM account_link WHERE hash = ? AND kind = ? AND expires_at > ?',
    hash,
    kind,
    now,
  );
  return (link as unknown as UsedLink | undefined) ?? null;
}

/** Takes a link out of the world, if it is there and not over: of any number at once one succeeds. */
function useLink(sql: Statements, hash: string, kind: string, now: number): UsedLink | null {
  const link = findLink(sql, hash, kind, now);
  if (link !== null) sql.run('DELETE FROM account_link WHERE hash = ?', hash);
  return link;
}

function useSetupLink(
  sql: Statements,
  { hash, account, audit }: Named<'useSetupLink'>,
): 'done' | 'link_gone' {
  if (sql.get('SELECT 1 FROM account LIMIT 1') !== undefined) return 'link_gone';
  if (useLink(sql, hash, 'setup', audit.at) === null) return 'link_gone';
  insertAccount(sql, account);
  insertAudit(sql, audit);
  return 'done';
}

function useInvitation(
  sql: Statements,
  { hash, account, audit }: Named<'useInvitation'>,
): InvitationOutcome {
  if ('email' in account) {
    const held = sql.get('SELECT 1 FROM account WHERE email = ?', account.email);
    if (held !== undefined) return 'email_taken';
  }
  const link = findLink(sql, hash, 'invitation', audit.at);
  if (link === null) return 'link_gone';
  if (sql.get('SELECT 1 FROM tenant WHERE id = ? AND active = 0', link.tenant) !== undefined) {
    return 'tenant_suspended';
  }
  if (link.role !== 'owner' && isLastOwner(sql, link.tenant!, account.id)) return 'last_owner';
  if ('email' in account) insertAccount(sql, account);
  sql.run(
    `INSERT INTO member (account, tenant, role, since) VALUES (?, ?, ?, ?)
     ON CONFLICT (account, tenant) DO UPDATE SET role = excluded.role`,
    account.id,
    link.tenant,
    link.role,
    audit.at,
  );
  endFormerRole(sql, link.tenant!, link.email!, account.id);
  insertAudit(sql, audit);
  return 'done';
}

function useReset(
  sql: Statements,
  { hash, passwordHash, audit }: Named<'useReset'>,
): 'done' | 'link_gone' {
  const link = useLink(sql, hash, 'reset', audit.at);
  const found = sql.get('SELECT id FROM account WHERE email = ?', link?.email ?? '');
  if (found === undefined) return 'link_gone';
  const id = String(found['id']);
  sql.run("DELETE FROM account_link WHERE kind = 'reset' AND email = ?", link!.email);
  sql.run(
    'UPDATE account SET password = ?, totp = NULL, totp_step = 0 WHERE id = ?',
    passwordHash,
    id,
  );
  sql.run('DELETE FROM passkey WHERE account = ?', id);
  sql.run('DELETE FROM recovery_code WHERE account = ?', id);
  sql.run('DELETE FROM login WHERE account = ?', id);
  insertAudit(sql, { ...audit, actor: `member:${id}`, object: id });
  return 'done';
}

// ── accounts and members ───────────────────────────────────────────────────────────────────────

function insertAccount(sql: Statements, account: Account): void {
  sql.run(
    `INSERT INTO account (id, email, name, password, operator, totp, totp_step,
       passkey_revision, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    account.id,
    account.email,
    account.name,
    account.passwordHash,
    account.isOperator ? 1 : 0,
    account.totpSecret,
    account.totpStep,
    account.passkeyRevision,
    account.createdAt,
  );
}

/** Has the account still what was asked for? */
function stands(sql: Statements, account: string, proven: Proven): boolean {
  const found = sql.get(
    `SELECT 1 FROM account
     WHERE id = ? AND password = ? AND totp IS ? AND passkey_revision = ?`,
    account,
    proven.passwordHash,
    proven.totpSecret,
    proven.passkeyRevision,
  );
  return found !== undefined;
}

function setTotp(
  sql: Statements,
  { account, proven, totp, recoveryHashes, audits }: Named<'setTotp'>,
): boolean {
  if (!stands(sql, account, proven)) return false;
  sql.run(
    'UPDATE account SET totp = ?, totp_step = ? WHERE id = ?',
    totp?.secret ?? null,
    totp?.step ?? 0,
    account,
  );
  if (totp === null) dropUnneededCodes(sql, account);
  else replaceCodes(sql, account, recoveryHashes);
  sql.run('DELETE FROM login WHERE account = ?', account);
  noteAll(sql, audits);
  return true;
}

function replaceCodes(sql: Statements, account: string, hashes: readonly string[]): void {
  sql.run('DELETE FROM recovery_code WHERE account = ?', account);
  for (const hash of hashes) {
    sql.run('INSERT INTO recovery_code (account, hash) VALUES (?, ?)', account, hash);
  }
}

function setRole(
  sql: Statements,
  { tenant, account, role, audit }: Named<'setRole'>,
): MemberOutcome {
  const held = sql.get(
    `SELECT email FROM member JOIN account ON account.id = member.account
     WHERE tenant = ? AND account = ?`,
    tenant,
    account,
  );
  if (held === undefined) return 'not_found';
  if (role !== 'owner' && isLastOwner(sql, tenant, account)) return 'last_owner';
  if (role === null) {
    sql.run('DELETE FROM member WHERE tenant = ? AND account = ?', tenant, account);
  } else {
    sql.run('UPDATE member SET role = ? WHERE tenant = ? AND account = ?', role, tenant, account);
  }
  endFormerRole(sql, tenant, String(held['email']), account);
  insertAudit(sql, audit);
  return 'done';
}

/** What stood on the role of before: sessions, and older invitations, which would give it back. */
function endFormerRole(sql: Statements, tenant: string, email: string, account: string): void {
  sql.run('DELETE FROM login WHERE account = ?', account);
  sql.run(
    "DELETE FROM account_link WHERE tenant = ? AND kind = 'invitation' AND email = ?",
    tenant,
    email,
  );
}

function isLastOwner(sql: Statements, tenant: string, account: string): boolean {
  const owners = sql.all(
    "SELECT account FROM member WHERE tenant = ? AND role = 'owner' LIMIT 2",
    tenant,
  );
  return owners.length === 1 && owners[0]!['account'] === account;
}

function beginLogin(
  sql: Statements,
  { login: { session, tokenHash, proven, signed }, instead, audits }: Named<'beginLogin'>,
): boolean {
  if (!stands(sql, session.account, proven)) return false;
  if (signed !== null && !useSignature(sql, session, signed)) return false;
  if (instead !== null) sql.run('DELETE FROM login WHERE id = ?', instead);
  sql.run(
    `INSERT INTO login (hash, id, account, created_at, seen_at, expires_at, address, agent,
       passkey)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    tokenHash,
    session.id,
    session.account,
    session.createdAt,
    session.seenAt,
    session.expiresAt,
    session.address,
    session.agent,
    session.passkey,
  );
  sql.run(
    `DELETE FROM login WHERE account = ?1 AND id NOT IN (
       SELECT id FROM login WHERE account = ?1 ORDER BY id DESC LIMIT ?2)`,
    session.account,
    LOGINS_MAX,
  );
  noteAll(sql, audits);
  return true;
}
