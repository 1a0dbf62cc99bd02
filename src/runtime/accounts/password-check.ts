/** Whether a password may be set. Names that others know of the account are refused (rule D2). */

import { isPasswordGood } from '../../accounts/account.ts';
import { isPasswordCommon } from '../../accounts/common-password.ts';
import type { TenancyStore } from '../../store/store.ts';
import type { PasswordList } from './password-list.ts';

/** What others know of the account. */
export interface Known {
  readonly email: string;
  readonly name: string;
  /** Ids of its tenants. */
  readonly tenants: readonly string[];
}

export interface PasswordRefusal {
  readonly refusal: 'weak_password' | 'common_password';
}

export interface PasswordCheck {
  /** Null: it may be set. */
  refuse(password: string, whose: Known): Promise<PasswordRefusal | null>;
  isCommon(password: string, whose: Known): Promise<boolean>;
}

const SERVICE = 'matchd';
/** Tenants whose names are compared: the installation's owner is a member of all. */
const TENANTS_MAX = 20;

export function makePasswordCheck(
  store: Pick<TenancyStore, 'findTenant'>,
  list: PasswordList,
): PasswordCheck {
  const isCommon: PasswordCheck['isCommon'] = async (password, whose) => {
    const { email, name, tenants } = whose;
    const found = await Promise.all(
      tenants.slice(0, TENANTS_MAX).map((tenant) => store.findTenant(tenant)),
    );
    const names = found.flatMap((tenant) => (tenant === null ? [] : [tenant.name, tenant.slug]));
    const local = email.slice(0, email.indexOf('@'));
    return isPasswordCommon(password, await list(), [SERVICE, local, name, ...names]);
  };
  return {
    isCommon,
    async refuse(password, whose) {
      if (!isPasswordGood(password, whose.email)) return { refusal: 'weak_password' };
      return (await isCommon(password, whose)) ? { refusal: 'common_password' } : null;
    },
  };
}
