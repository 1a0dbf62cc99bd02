/**
 * Accounts in PostgreSQL. Transactions lock rows in this order: the turn of setup links or of a
 * tenant's invitations, account, passkey, member, link, recovery code,
 * session.
 */

import type { Account, AccountLink } from '../../accounts/account.ts';
import type { AccountStore, InvitationOutcome, MemberOutcome, NewLogin } from '../accounts.ts';
import { toAccount, toLink, toLogin, toMember, toMembership } from '../rows/account-rows.ts';
import type { AuditRow } from '../store.ts';
import { insertAudit, insertAudits } from './audit-rows.ts';
import { dropUnneededCodes, makePasskeyCalls, replaceCodes, useSignature } from './passkeys.ts';
import { lockProven } from './proven.ts';
import type { Sql, Transactor, Tx } from './sql.ts';
import { takeTurn } from './turns.ts';

/** The most of these that go in one transaction. */
const STALE_MAX = 1_000;
/** Sessions of an account at once: one more ends the oldest. */
const LOGINS_MAX = 100;
/** The turn of the installation, which is no tenant. */
const INSTALLATION = '';

export function makeAccountStore(db: Sql & Transactor): AccountStore {
  return {
    ...makeAccountReads(db),
    ...makeLinkWrites(db),
    ...makeAccountWrites(db),
    ...makePasskeyCalls(db),
    ...makeLoginCalls(db),
  };
}

function makeAccountReads(db: Sql) {
  return {
    hasAccount: async () => (await db.get('SELECT 1 FROM account LIMIT 1')) !== undefined,
    async findAccount(id) {
      const row = await db.get('SELECT * FROM account WHERE id = $1', id);
      return row === undefined ? null : toAccount(row);
    },
    async findAccountByEmail(email) {
      const row = await db.get('SELECT * FROM account WHERE email = $1', email);
      return row === undefined ? null : toAccount(row);
    },
    async listMemberships(account) {
      const rows = await db.all('SELECT * FROM member WHERE account = $1 ORDER BY tenant', account);
      return rows.map(toMembership);
    },
    async listMembers(tenant) {
      const rows = await db.all(
        `SELECT member.*, account.email, account.name,
           account.totp IS NOT NULL OR EXISTS (
             SELECT 1 FROM passkey WHERE passkey.account = account.id) AS guarded
         FROM member JOIN account ON account.id = member.account WHERE tenant = $1
         ORDER BY since, account`,
        tenant,
      );
      return rows.map(toMember);
    },
    async findLink(hash, now) {
      const row = await db.get(
        'SELECT * FROM account_link WHERE hash = $1 AND expires_at > $2',
        hash,
        now,
      );
      return row === undefined ? null : toLink(row);
    },
    async listLinks(tenant, now) {
      const rows = await db.all(
        'SELECT * FROM account_link WHERE tenant = $1 AND expires_at > $2 ORDER BY id DESC',
        tenant,
        now,
      );
      return rows.map(toLink);
    },
    async countRecoveryCodes(account) {
      const row = await db.get(
        'SELECT count(*) AS n FROM recovery_code WHERE account = $1',
        account,
      );
      return Number(row!['n']);
    },
  } satisfies Partial<AccountStore>;
}

// Links.

function makeLinkWrites(db: Transactor) {
  return {
    putLink: (...args) => db.transaction((tx) => putLink(tx, ...args)),
    removeLink: (tenant, id, audit) =>
      db.transaction(async (tx) => {
        const gone = await tx.run(
          'DELETE FROM account_link WHERE tenant = $1 AND id = $2',
          tenant,
          id,
        );
        if (gone > 0) await insertAudit(tx, audit);
        return gone > 0;
      }),
    useSetupLink: (hash, account, audit) =>
      db.transaction((tx) => useSetupLink(tx, hash, account, audit)),
    useInvitation: (hash, account, audit) =>
      db.transaction((tx) => useInvitation(tx, hash, account, audit)),
    useReset: (hash, passwordHash, audit) =>
      db.transaction((tx) => useReset(tx, hash, passwordHash, audit)),
  } satisfies Partial<AccountStore>;
}

async function putLink(
  tx: Tx,
  ...[link, hash, audit, waitingMax = null]: Parameters<AccountStore['putLink']>
): Promise<'put' | 'full'> {
  const { id, kind, tenant, role, email, createdAt, expiresAt } = link;
  if (waitingMax !== null && (await countWaiting(tx, link)) >= waitingMax) return 'full';
  if (kind === 'setup') {
    await takeTurn(tx, INSTALLATION, 'setup');
    await tx.run("DELETE FROM account_link WHERE kind = 'setup'");
  }
  await tx.run(
    `INSERT INTO account_link (hash, id, kind, tenant, role, email, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    hash,
    id,
    kind,
    tenant,
    role,
    email,
    createdAt,
    expiresAt,
  );
  if (audit !== null) await insertAudit(tx, audit);
  return 'put';
}

/** Until the transaction ends nobody else who counts adds one. */
async function countWaiting(
  tx: Tx,
  { tenant, kind, createdAt }: Pick<AccountLink, 'tenant' | 'kind' | 'createdAt'>,
): Promise<number> {
  await takeTurn(tx, tenant ?? INSTALLATION, kind);
  const waiting = await tx.get(
    `SELECT count(*) AS n FROM account_link
     WHERE tenant IS NOT DISTINCT FROM $1 AND kind = $2 AND expires_at > $3`,
    tenant,
    kind,
    createdAt,
  );
  return Number(waiting!['n']);
}

/** A link of that kind that is not over, locked: of any number at once one uses it. */
async function lockLink(
  tx: Tx,
  hash: string,
  kind: AccountLink['kind'],
  now: number,
): Promise<AccountLink | null> {
  const row = await tx.get(
    'SELECT * FROM account_link WHERE hash = $1 AND kind = $2 AND expires_at > $3 FOR UPDATE',
    hash,
    kind,
    now,
  );
  return row === undefined ? null : toLink(row);
}

async function removeUsed(tx: Tx, hash: string): Promise<void> {
  await tx.run('DELETE FROM account_link WHERE hash = $1', hash);
}

async function useSetupLink(
  tx: Tx,
  hash: string,
  account: Account,
  audit: AuditRow,
): Promise<'done' | 'link_gone'> {
  await takeTurn(tx, INSTALLATION, 'setup');
  if ((await tx.get('SELECT 1 FROM account LIMIT 1')) !== undefined) return 'link_gone';
  if ((await lockLink(tx, hash, 'setup', audit.at)) === null) return 'link_gone';
  await removeUsed(tx, hash);
  await insertAccount(tx, account);
  await insertAudit(tx, audit);
  return 'done';
}

async function useInvitation(
  tx: Tx,
  hash: string,
  account: Account | { readonly id: string },
  audit: AuditRow,
): Promise<InvitationOutcome> {
  if ('email' in account) {
    const held = await tx.get('SELECT 1 FROM account WHERE email = $1', account.email);
    if (held !== undefined) return 'email_taken';
  }
  // A link never leaves its tenant, so this much can be read before it is locked.
  const seen = await tx.get('SELECT tenant, role, email FROM account_link WHERE hash = $1', hash);
  if (seen === undefined || seen['tenant'] === null) return 'link_gone';
  const [tenant, email] = [String(seen['tenant']), String(seen['email'])];
  await tx.run('SELECT 1 FROM account WHERE id = $1 FOR UPDATE', account.id);
  const isLast = seen['role'] !== 'owner' && (await isLastOwner(tx, tenant, account.id));
  await lockMember(tx, tenant, account.id);
  await lockInvitations(tx, tenant, email);
  const link = await lockLink(tx, hash, 'invitation', audit.at);
  if (link === null) return 'link_gone';
  const shut = await tx.get('SELECT 1 FROM tenant WHERE id = $1 AND NOT active', tenant);
  if (shut !== undefined) return 'tenant_suspended';
  if (isLast) return 'last_owner';
  if ('email' in account && !(await insertAccount(tx, account))) return 'email_taken';
  await tx.run(
    `INSERT INTO member (account, tenant, role, since) VALUES ($1, $2, $3, $4)
     ON CONFLICT (account, tenant) DO UPDATE SET role = excluded.role`,
    account.id,
    link.tenant,
    link.role,
    audit.at,
  );
  await endFormerRole(tx, tenant, email, account.id);
  await insertAudit(tx, audit);
  return 'done';
}

/** In one order: of those who take up several of one address at once none waits for another in a ring. */
async function lockInvitations(tx: Tx, tenant: string, email: string): Promise<void> {
  await tx.run(
    `SELECT 1 FROM account_link WHERE tenant = $1 AND kind = 'invitation' AND email = $2
     ORDER BY hash FOR UPDATE`,
    tenant,
    email,
  );
}

async function useReset(
  tx: Tx,
  hash: string,
  passwordHash: string,
  audit: AuditRow,
): Promise<'done' | 'link_gone'> {
  const account = await tx.get(
    `SELECT id, email FROM account
     WHERE email = (SELECT email FROM account_link WHERE hash = $1) FOR UPDATE`,
    hash,
  );
  if (account === undefined) return 'link_gone';
  if ((await lockLink(tx, hash, 'reset', audit.at)) === null) return 'link_gone';
  const id = String(account['id']);
  await tx.run(
    "DELETE FROM account_link WHERE kind = 'reset' AND email = $1",
    String(account['email']),
  );
  await tx.run(
    'UPDATE account SET password = $2, totp = NULL, totp_step = 0 WHERE id = $1',
    id,
    passwordHash,
  );
  await tx.run('DELETE FROM passkey WHERE account = $1', id);
  await tx.run('DELETE FROM recovery_code WHERE account = $1', id);
  await tx.run('DELETE FROM login WHERE account = $1', id);
  await insertAudit(tx, { ...audit, actor: `member:${id}`, object: id });
  return 'done';
}

// Accounts and members.

function makeAccountWrites(db: Sql & Transactor) {
  return {
    setPassword: (account, proven, passwordHash, audits) =>
      db.transaction(async (tx) => {
        if (!(await lockProven(tx, account, proven))) return false;
        await tx.run('UPDATE account SET password = $2 WHERE id = $1', account, passwordHash);
        await tx.run('DELETE FROM login WHERE account = $1', account);
        await insertAudits(tx, audits);
        return true;
      }),
    setTotp: (account, proven, totp, recoveryHashes, audits) =>
      db.transaction(async (tx) => {
        if (!(await lockProven(tx, account, proven))) return false;
        await tx.run(
          'UPDATE account SET totp = $2, totp_step = $3 WHERE id = $1',
          account,
          totp?.secret ?? null,
          totp?.step ?? 0,
        );
        if (totp === null) await dropUnneededCodes(tx, account);
        else await replaceCodes(tx, account, recoveryHashes);
        await tx.run('DELETE FROM login WHERE account = $1', account);
        await insertAudits(tx, audits);
        return true;
      }),
    async useTotpStep(account, step) {
      const used = await db.run(
        'UPDATE account SET totp_step = $2 WHERE id = $1 AND totp_step < $2',
        account,
        step,
      );
      return used > 0;
    },
    async useRecoveryCode(account, hash) {
      const used = await db.run(
        'DELETE FROM recovery_code WHERE account = $1 AND hash = $2',
        account,
        hash,
      );
      return used > 0;
    },
    setRole: (...args) => db.transaction((tx) => setRole(tx, ...args)),
  } satisfies Partial<AccountStore>;
}

/** False when its address is taken. */
async function insertAccount(tx: Tx, account: Account): Promise<boolean> {
  const made = await tx.run(
    `INSERT INTO account (id, email, name, password, operator, totp, totp_step,
       passkey_revision, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (email) DO NOTHING`,
    account.id,
    account.email,
    account.name,
    account.passwordHash,
    account.isOperator,
    account.totpSecret,
    account.totpStep,
    account.passkeyRevision,
    account.createdAt,
  );
  return made > 0;
}

async function setRole(
  tx: Tx,
  ...[tenant, account, role, audit]: Parameters<AccountStore['setRole']>
): Promise<MemberOutcome> {
  const owner = await tx.get('SELECT email FROM account WHERE id = $1 FOR UPDATE', account);
  const isLast = role !== 'owner' && (await isLastOwner(tx, tenant, account));
  const isMember = await lockMember(tx, tenant, account);
  if (owner === undefined || !isMember) return 'not_found';
  if (isLast) return 'last_owner';
  if (role === null) {
    await tx.run('DELETE FROM member WHERE tenant = $1 AND account = $2', tenant, account);
  } else {
    await tx.run(
      'UPDATE member SET role = $3 WHERE tenant = $1 AND account = $2',
      tenant,
      account,
      role,
    );
  }
  await endFormerRole(tx, tenant, String(owner['email']), account);
  await insertAudit(tx, audit);
  return 'done';
}

/** What stood on the role of before: older invitations, which would give it back, and sessions. */
async function endFormerRole(
  tx: Tx,
  tenant: string,
  email: string,
  account: string,
): Promise<void> {
  await tx.run(
    "DELETE FROM account_link WHERE tenant = $1 AND kind = 'invitation' AND email = $2",
    tenant,
    email,
  );
  await tx.run('DELETE FROM login WHERE account = $1', account);
}

/** False when it is none of the tenant's. */
async function lockMember(tx: Tx, tenant: string, account: string): Promise<boolean> {
  const held = await tx.get(
    'SELECT 1 FROM member WHERE tenant = $1 AND account = $2 FOR UPDATE',
    tenant,
    account,
  );
  return held !== undefined;
}

/** Until the transaction ends no owner of the tenant becomes something else. */
async function isLastOwner(tx: Tx, tenant: string, account: string): Promise<boolean> {
  const owners = await tx.all(
    "SELECT account FROM member WHERE tenant = $1 AND role = 'owner' ORDER BY account FOR UPDATE",
    tenant,
  );
  return owners.length === 1 && owners[0]!['account'] === account;
}

// Sessions.

function makeLoginCalls(db: Sql & Transactor) {
  return {
    beginLogin: (...args) => db.transaction((tx) => beginLogin(tx, ...args)),
    async findLogin(tokenHash) {
      const row = await db.get('SELECT * FROM login WHERE hash = $1', tokenHash);
      return row === undefined ? null : toLogin(row);
    },
    async listLogins(account) {
      const rows = await db.all('SELECT * FROM login WHERE account = $1 ORDER BY id DESC', account);
      return rows.map(toLogin);
    },
    async touchLogin(id, at) {
      await db.run('UPDATE login SET seen_at = greatest(seen_at, $2) WHERE id = $1', id, at);
    },
    endLogins: (account, which, audits) =>
      db.transaction(async (tx) => {
        await tx.run('SELECT 1 FROM account WHERE id = $1 FOR UPDATE', account);
        const ended =
          'id' in which
            ? await tx.run('DELETE FROM login WHERE account = $1 AND id = $2', account, which.id)
            : await tx.run(
                'DELETE FROM login WHERE account = $1 AND id <> $2',
                account,
                which.except ?? '',
              );
        if (ended > 0) await insertAudits(tx, audits);
        return ended;
      }),
    // Rows that somebody works on are left for the next time: waiting for many of them is a trap.
    async removeStaleLogins(seenBefore, now) {
      const logins = await db.run(
        `DELETE FROM login WHERE hash IN (
           SELECT hash FROM login WHERE seen_at < $1 OR expires_at <= $2 LIMIT ${STALE_MAX}
           FOR UPDATE SKIP LOCKED)`,
        seenBefore,
        now,
      );
      const links = await db.run(
        `DELETE FROM account_link WHERE hash IN (
           SELECT hash FROM account_link WHERE expires_at <= $1 FOR UPDATE SKIP LOCKED)`,
        now,
      );
      const challenges = await db.run(
        `DELETE FROM passkey_challenge WHERE hash IN (
           SELECT hash FROM passkey_challenge WHERE expires_at <= $1 FOR UPDATE SKIP LOCKED)`,
        now,
      );
      return logins + links + challenges;
    },
  } satisfies Partial<AccountStore>;
}

async function beginLogin(
  tx: Tx,
  { session, tokenHash, proven, signed }: NewLogin,
  instead: string | null,
  audits: readonly AuditRow[],
): Promise<boolean> {
  if (!(await lockProven(tx, session.account, proven))) return false;
  if (signed !== null && !(await useSignature(tx, session, signed))) return false;
  if (instead !== null) await tx.run('DELETE FROM login WHERE id = $1', instead);
  await tx.run(
    `INSERT INTO login (hash, id, account, created_at, seen_at, expires_at, address, agent,
       passkey)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
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
  await tx.run(
    `DELETE FROM login WHERE account = $1 AND id NOT IN (
       SELECT id FROM login WHERE account = $1 ORDER BY id DESC LIMIT ${LOGINS_MAX})`,
    session.account,
  );
  await insertAudits(tx, audits);
  return true;
}
