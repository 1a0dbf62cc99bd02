/** A member as a key: the dashboard's calls act with the rights of a world's key (rule D7). */

import type { Account, Role } from '../../accounts/account.ts';
import type { AccountStore } from '../../store/accounts.ts';
import type { ApiKey, KeyMode } from '../../tenancy/tenant.ts';

/** Is this a member's id in place of a key's? */
export const isMember = (key: string): boolean => key.startsWith('acc_');

export function makeMemberKey(
  { id, name, createdAt }: Account,
  tenant: string,
  mode: KeyMode,
  expiresAt: number | null,
): ApiKey {
  return {
    id,
    tenant,
    mode,
    name,
    createdAt,
    expiresAt,
    scopes: null,
    origins: [],
    requireOrigin: false,
    hint: '',
    revokedAt: null,
    lastUsedAt: null,
  };
}

/** The member who made a token, while a role of theirs allows making tokens; else null. */
export async function findMemberKey(
  store: Pick<AccountStore, 'findAccount' | 'listMemberships'>,
  id: string,
  tenant: string,
  mode: KeyMode,
  roles: readonly Role[],
): Promise<ApiKey | null> {
  const account = await store.findAccount(id);
  if (account === null) return null;
  const here = (await store.listMemberships(id)).find((each) => each.tenant === tenant);
  const may = account.isOperator || (here !== undefined && roles.includes(here.role));
  return may ? makeMemberKey(account, tenant, mode, null) : null;
}
