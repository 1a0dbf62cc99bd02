/** A tenant's members and audit. */

import { parseEmail, type Role } from '../../../accounts/account.ts';
import { makeDashboardProblem, makeProblem, type Problem } from '../../../contract/errors.ts';
import type { FieldsOf } from '../../../contract/routes/dashboard-routes.ts';
import { makeTime } from '../../../match/frames/frames.ts';
import type { Reply } from '../../request/exchange.ts';
import { makeReply } from '../../request/exchange.ts';
import type { SiteDeps } from '../deps.ts';
import { namesOfAudit, pageOfAudit, verifyChain } from '../request/audit-answers.ts';
import { ok, type TenantRequest } from '../request/dashboard-request.ts';

export function makeTenantEndpoints({
  dashboard,
  publicUrl,
}: Pick<SiteDeps, 'publicUrl' | 'dashboard'>) {
  const { accounts } = dashboard;
  return {
    async listTeam({ tenant }: TenantRequest): Promise<Reply> {
      const [members, operators, invitations] = await Promise.all([
        accounts.listMembers(tenant.id),
        accounts.listOperators(),
        accounts.listInvitations(tenant.id),
      ]);
      return ok({
        members: members.map(({ account, email, name, role, since, hasSecondFactor }) => ({
          id: account,
          email,
          name,
          role,
          hasSecondFactor,
          since: makeTime(since),
        })),
        operators,
        invitations: invitations.map(({ id, email, role, expiresAt }) => ({
          id,
          email,
          role,
          expiresAt: makeTime(expiresAt),
        })),
      });
    },
    async invite(asked: TenantRequest<FieldsOf<'invite'>>): Promise<Reply | Problem> {
      const { fields, tenant, signedIn } = asked;
      const { email: text, role } = fields;
      const email = parseEmail(text);
      if (email === null) return makeProblem('invalid_field', { field: 'email' });
      const made = await accounts.invite(tenant.id, role, email, signedIn);
      if (made === 'full') return makeDashboardProblem('too_many_invitations');
      const { link, token } = made;
      const url = `${publicUrl}/dashboard/invitation#${token}`;
      return makeReply(201, { id: link.id, url, expiresAt: makeTime(link.expiresAt) });
    },
    async withdrawInvitation({
      params,
      tenant,
      signedIn,
    }: TenantRequest): Promise<Reply | Problem> {
      const isGone = await accounts.withdraw(tenant.id, params['invitation']!, signedIn);
      return isGone ? ok({ done: true }) : makeDashboardProblem('invitation_not_found');
    },
    setRole(asked: TenantRequest<FieldsOf<'setRole'>>): Promise<Reply | Problem> {
      const { role } = asked.fields;
      return setRole(asked, role);
    },
    removeMember: (asked: TenantRequest) => setRole(asked, null),
    listAudit: ({ tenant, fields }: TenantRequest<FieldsOf<'listAudit'>>) =>
      pageOfAudit(dashboard, tenant.id, fields),
    listAuditNames: ({ tenant }: TenantRequest) => namesOfAudit(dashboard, tenant.id),
    verifyAudit: ({ tenant, fields }: TenantRequest<FieldsOf<'verifyAudit'>>) =>
      verifyChain(dashboard, tenant.id, fields),
  };

  async function setRole(
    { params, tenant, signedIn }: TenantRequest,
    role: Role | null,
  ): Promise<Reply | Problem> {
    const outcome = await accounts.setRole(tenant.id, params['member']!, role, signedIn);
    if (outcome === 'done') return ok({ done: true });
    return makeDashboardProblem(outcome === 'last_owner' ? 'last_owner' : 'member_not_found');
  }
}
