/** Single-use links: to set up the installation, to join a tenant, to reset a password. */

import type { Account, AccountLink } from '../../../accounts/account.ts';
import type { AccountStore, InvitationOutcome } from '../../accounts.ts';
import { toLink } from '../../rows/account-rows.ts';
import type { AuditRow } from '../../store.ts';
import { insertAudit } from '../shared/audit.ts';
import { type Runner, scriptOfOne, type Tx } from '../shared/script.ts';
import { takeTurn } from '../shared/turns.ts';
import { endFormerRole, isLastOwner, lockMember } from './members.ts';

/** The installation's turn, which belongs to no tenant. */
const INSTALLATION = '';

export function makeLinkCalls({ sql, write }: Runner) {
  return {
    async findLink(hash, now) {
      const row = await sql.get(
        'SELECT * FROM account_link WHERE hash = :hash AND expires_at > :now',
        { hash, now },
      );
      return row === undefined ? null : toLink(row);
    },
    async listLinks(tenant, now) {
      const rows = await sql.all(
        `SELECT * FROM account_link WHERE tenant = :tenant AND expires_at > :now
         ORDER BY id DESC`,
        { tenant, now },
      );
      return rows.map(toLink);
    },
    putLink: (link, hash, audit, waitingMax = null) =>
      write(PUT, { link, hash, audit, waitingMax }),
    removeLink: (tenant, id, audit) => write(REMOVE, { tenant, id, audit }),
    useSetupLink: (hash, account, audit) => write(USE_SETUP, { hash, account, audit }),
    useInvitation: (hash, account, audit) => write(USE_INVITATION, { hash, account, audit }),
    useReset: (hash, passwordHash, audit) => write(USE_RESET, { hash, passwordHash, audit }),
  } satisfies Partial<AccountStore>;
}

// ── put and remove ─────────────────────────────────────────────────────────────────────────────

interface Put {
  readonly link: AccountLink;
  readonly hash: string;
  readonly audit: AuditRow | null;
  readonly waitingMax: number | null;
}

const PUT = scriptOfOne('putLink', async (tx, { link, hash, audit, waitingMax }: Put) => {
  if (waitingMax !== null && (await countWaiting(tx, link)) >= waitingMax) return 'full';
  if (link.kind === 'setup') {
    await takeTurn(tx, INSTALLATION, 'setup');
    await tx.run("DELETE FROM account_link WHERE kind = 'setup'");
  }
  await tx.run(
    `INSERT INTO account_link (hash, id, kind, tenant, role, email, created_at, expires_at)
     SELECT hash, id, kind, tenant, role, email, created_at, expires_at
       FROM @given(hash text, id text, kind text, tenant text, role text, email text, created_at bigint,
         expires_at bigint)`,
    { given: [{ ...link, hash }] },
  );
  if (audit !== null) await insertAudit(tx, audit);
  return 'put';
});

/** Until the transaction ends, no other counting transaction adds one. */
async function countWaiting(tx: Tx, { tenant, kind, createdAt }: AccountLink): Promise<number> {
  await takeTurn(tx, tenant ?? INSTALLATION, kind);
  const waiting = await tx.get(
    `SELECT count(*) AS n FROM account_link
     WHERE tenant IS NOT DISTINCT FROM :tenant AND kind = :kind AND expires_at > :now`,
    { tenant, kind, now: createdAt },
  );
  return Number(waiting!['n']);
}

interface Remove {
  readonly tenant: string;
  readonly id: string;
  readonly audit: AuditRow;
}

const REMOVE = scriptOfOne('removeLink', async (tx, { tenant, id, audit }: Remove) => {
  const of = { tenant, id };
  const gone = await tx.run('DELETE FROM account_link WHERE tenant = :tenant AND id = :id', of);
  if (gone > 0) await insertAudit(tx, audit);
  return gone > 0;
});

// ── use ────────────────────────────────────────────────────────────────────────────────────────

/** A link of that kind that has not expired, locked: of parallel uses one succeeds. */
async function lockLink(
  tx: Tx,
  hash: string,
  kind: AccountLink['kind'],
  now: number,
): Promise<AccountLink | null> {
  const row = await tx.get(
    `SELECT * FROM account_link WHERE hash = :hash AND kind = :kind AND expires_at > :now
     FOR UPDATE`,
    { hash, kind, now },
  );
  return row === undefined ? null : toLink(row);
}

interface UseSetup {
  readonly hash: string;
  readonly account: Account;
  readonly audit: AuditRow;
}

const USE_SETUP = scriptOfOne('useSetupLink', async (tx, { hash, account, audit }: UseSetup) => {
  await takeTurn(tx, INSTALLATION, 'setup');
  if ((await tx.get('SELECT 1 FROM account LIMIT 1')) !== undefined) return 'link_gone';
  if ((await lockLink(tx, hash, 'setup', audit.at)) === null) return 'link_gone';
  // Another invitation may have created it meanwhile.
  if (!(await insertAccount(tx, account))) return 'link_gone';
  await tx.run('DELETE FROM account_link WHERE hash = :hash', { hash });
  await insertAudit(tx, audit);
  return 'done';
});

interface UseInvitation {
  readonly hash: string;
  readonly account: Account | { readonly id: string };
  readonly audit: AuditRow;
}

const USE_INVITATION = scriptOfOne('useInvitation', useInvitation);

async function useInvitation(
  tx: Tx,
  { hash, account, audit }: UseInvitation,
): Promise<InvitationOutcome> {
  const { id } = account;
  if ('email' in account) {
    const of = { email: account.email };
    const held = await tx.get('SELECT 1 FROM account WHERE email = :email', of);
    if (held !== undefined) return 'email_taken';
  }
  // A link never leaves its tenant, so this can be read before the lock.
  const seen = await tx.get('SELECT tenant, role, email FROM account_link WHERE hash = :hash', {
    hash,
  });
  if (seen === undefined || seen['tenant'] === null) return 'link_gone';
  const [tenant, email] = [String(seen['tenant']), String(seen['email'])];
  await tx.get('SELECT 1 FROM account WHERE id = :id FOR UPDATE', { id });
  const isLast = seen['role'] !== 'owner' && (await isLastOwner(tx, tenant, id));
  await lockMember(tx, tenant, id);
  await lockInvitations(tx, tenant, email);
  const link = await lockLink(tx, hash, 'invitation', audit.at);
  if (link === null) return 'link_gone';
  const shut = await tx.get('SELECT 1 FROM tenant WHERE id = :tenant AND NOT active', { tenant });
  if (shut !== undefined) return 'tenant_suspended';
  if (isLast) return 'last_owner';
  if ('email' in account && !(await insertAccount(tx, account))) return 'email_taken';
  await tx.run(
    `INSERT INTO member (account, tenant, role, since) VALUES (:id, :tenant, :role, :since)
     ON CONFLICT (account, tenant) DO UPDATE SET role = excluded.role`,
    { id, tenant, role: link.role, since: audit.at },
  );
  await endFormerRole(tx, tenant, email, id);
  await insertAudit(tx, audit);
  return 'done';
}

/** In a fixed order, so that parallel uses of one address's invitations do not deadlock. */
async function lockInvitations(tx: Tx, tenant: string, email: string): Promise<void> {
  await tx.all(
    `SELECT 1 FROM account_link WHERE tenant = :tenant AND kind = 'invitation' AND email = :email
     ORDER BY hash FOR UPDATE`,
    { tenant, email },
  );
}

/** False when its address is taken. */
async function insertAccount(tx: Tx, account: Account): Promise<boolean> {
  const made = await tx.run(
    `INSERT INTO account (id, email, name, password, operator, totp, totp_step, passkey_revision, created_at)
     SELECT id, email, name, password_hash, is_operator, totp_secret, totp_step, passkey_revision, created_at
       FROM @given(id text, email text, name text, password_hash text, is_operator boolean, totp_secret text,
         totp_step bigint, passkey_revision bigint, created_at bigint)
      WHERE TRUE ON CONFLICT DO NOTHING`,
    { given: [account] },
  );
  return made > 0;
}

interface UseReset {
  readonly hash: string;
  readonly passwordHash: string;
  readonly audit: AuditRow;
}

const USE_RESET = scriptOfOne('useReset', async (tx, { hash, passwordHash, audit }: UseReset) => {
  const account = await tx.get(
    `SELECT id, email FROM account
     WHERE email = (SELECT email FROM account_link WHERE hash = :hash) FOR UPDATE`,
    { hash },
  );
  if (account === undefined) return 'link_gone';
  if ((await lockLink(tx, hash, 'reset', audit.at)) === null) return 'link_gone';
  const [id, email] = [String(account['id']), String(account['email'])];
  await tx.run("DELETE FROM account_link WHERE kind = 'reset' AND email = :email", { email });
  await tx.run(
    'UPDATE account SET password = :password, totp = NULL, totp_step = 0 WHERE id = :id',
    { id, password: passwordHash },
  );
  await tx.run('DELETE FROM passkey WHERE account = :id', { id });
  await tx.run('DELETE FROM recovery_code WHERE account = :id', { id });
  await tx.run('DELETE FROM login WHERE account = :id', { id });
  await insertAudit(tx, { ...audit, actor: `member:${id}`, object: id });
  return 'done';
});

export const LINK_SCRIPTS = [PUT, REMOVE, USE_SETUP, USE_INVITATION, USE_RESET];
