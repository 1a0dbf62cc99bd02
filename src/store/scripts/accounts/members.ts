/** Members of tenants. A tenant always has an owner (rule D1). */

import type { Role } from '../../../accounts/account.ts';
import type { AccountStore, MemberOutcome } from '../../accounts.ts';
import { toMember, toMembership } from '../../rows/account-rows.ts';
import type { AuditRow } from '../../store.ts';
import { insertAudit } from '../shared/audit.ts';
import { type Runner, scriptOfOne, type Tx } from '../shared/script.ts';

export function makeMemberCalls({ sql, write }: Runner) {
  return {
    async listMemberships(account) {
      const rows = await sql.all('SELECT * FROM member WHERE account = :account ORDER BY tenant', {
        account,
      });
      return rows.map(toMembership);
    },
    async listMembers(tenant) {
      const rows = await sql.all(
        `SELECT member.*, account.email, account.name,
           account.totp IS NOT NULL OR EXISTS (
             SELECT 1 FROM passkey WHERE passkey.account = account.id) AS guarded
         FROM member JOIN account ON account.id = member.account WHERE tenant = :tenant
         ORDER BY since, account`,
        { tenant },
      );
      return rows.map(toMember);
    },
    async listOperators() {
      const rows = await sql.all(
        'SELECT id, email, name FROM account WHERE operator ORDER BY created_at, id',
      );
      return rows.map(({ id, email, name }) => ({
        id: String(id),
        email: String(email),
        name: String(name),
      }));
    },
    setRole: (tenant, account, role, audit) => write(SET_ROLE, { tenant, account, role, audit }),
  } satisfies Partial<AccountStore>;
}

interface SetRole {
  readonly tenant: string;
  readonly account: string;
  readonly role: Role | null;
  readonly audit: AuditRow;
}

const SET_ROLE = scriptOfOne('setRole', async (tx, ask: SetRole): Promise<MemberOutcome> => {
  const { tenant, account, role, audit } = ask;
  const owner = await tx.get('SELECT email FROM account WHERE id = :account FOR UPDATE', {
    account,
  });
  const isLast = role !== 'owner' && (await isLastOwner(tx, tenant, account));
  const isMember = await lockMember(tx, tenant, account);
  if (owner === undefined || !isMember) return 'not_found';
  if (isLast) return 'last_owner';
  const of = { tenant, account };
  if (role === null) {
    await tx.run('DELETE FROM member WHERE tenant = :tenant AND account = :account', of);
  } else {
    await tx.run('UPDATE member SET role = :role WHERE tenant = :tenant AND account = :account', {
      ...of,
      role,
    });
  }
  await endFormerRole(tx, tenant, String(owner['email']), account);
  await insertAudit(tx, audit);
  return 'done';
});

export const MEMBER_SCRIPTS = [SET_ROLE];

/** What relied on the former role: sessions, and older invitations, which would restore it. */
export async function endFormerRole(
  tx: Tx,
  tenant: string,
  email: string,
  account: string,
): Promise<void> {
  await tx.run(
    `DELETE FROM account_link
     WHERE tenant = :tenant AND kind = 'invitation' AND email = :email`,
    { tenant, email },
  );
  await tx.run('DELETE FROM login WHERE account = :account', { account });
}

/** False when there is no such member. */
export async function lockMember(tx: Tx, tenant: string, account: string): Promise<boolean> {
  const held = await tx.get(
    'SELECT 1 FROM member WHERE tenant = :tenant AND account = :account FOR UPDATE',
    { tenant, account },
  );
  return held !== undefined;
}

/** Until the transaction ends, no owner of the tenant changes role. */
export async function isLastOwner(tx: Tx, tenant: string, account: string): Promise<boolean> {
  const owners = await tx.all(
    `SELECT account FROM member WHERE tenant = :tenant AND role = 'owner'
     ORDER BY account FOR UPDATE`,
    { tenant },
  );
  return owners.length === 1 && owners[0]!['account'] === account;
}
