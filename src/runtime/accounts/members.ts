/** A tenant's members and invitations. */

import type { AuditRow } from '../../store/store.ts';
import type { AccountDeps, AccountService, SignedIn } from './account-service.ts';
import { digestOf } from './account-texts.ts';
import { makeLink } from './first-steps.ts';

/** Open invitations of a tenant at once. */
const INVITATIONS_MAX = 100;

type Members = Pick<
  AccountService,
  'invite' | 'listMembers' | 'listOperators' | 'listInvitations' | 'withdraw' | 'setRole' | 'nameOf'
>;

export function makeMembers(deps: AccountDeps): Members {
  const { store, clock } = deps;
  const auditOf = (
    { account }: SignedIn,
    tenant: string,
    act: string,
    object: string,
  ): AuditRow => ({ tenant, actor: `member:${account.id}`, act, object, at: clock.now() });
  return {
    async invite(tenant, role, email, actor) {
      const made = makeLink(deps, 'invitation', { tenant, role, email });
      const audit = auditOf(actor, tenant, `member.invited_as_${role}`, made.link.id);
      const hash = digestOf(made.token);
      const outcome = await store.putLink(made.link, hash, audit, INVITATIONS_MAX);
      return outcome === 'full' ? 'full' : made;
    },
    nameOf: async (account) => (await store.findAccount(account))?.name ?? null,
    listMembers: (tenant) => store.listMembers(tenant),
    listOperators: () => store.listOperators(),
    listInvitations: (tenant) => store.listLinks(tenant, clock.now()),
    withdraw: (tenant, id, actor) =>
      store.removeLink(tenant, id, auditOf(actor, tenant, 'invitation.withdrawn', id)),
    setRole: (tenant, account, role, actor) => {
      const act = role === null ? 'member.removed' : `member.made_${role}`;
      return store.setRole(tenant, account, role, auditOf(actor, tenant, act, account));
    },
  };
}
