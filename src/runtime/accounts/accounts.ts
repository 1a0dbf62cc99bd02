/** Wires the account service. */

import { makeSignInWindow } from '../../accounts/sign-in-window.ts';
import type { AccountDeps, AccountService } from './account-service.ts';
import { makeFirstSteps } from './first-steps.ts';
import { makeLogins } from './logins.ts';
import { makeMembers } from './members.ts';
import { makePasskeys } from './passkeys.ts';
import { makePasswordCheck } from './password-check.ts';
import { makePasswordList } from './password-list.ts';
import { makeSecondFactor } from './second-factor.ts';
import { makeTries } from './tries.ts';

export function makeAccountService(given: AccountDeps): AccountService {
  const deps = { ...given, passwordCheck: makePasswordCheck(given.store, makePasswordList()) };
  const tries = makeTries(deps, makeSignInWindow());
  const logins = makeLogins(deps, tries);
  return {
    ...makeFirstSteps(deps, logins),
    ...logins.calls,
    ...makeSecondFactor(deps, tries, logins),
    ...makePasskeys(deps, tries, logins),
    ...makeMembers(deps),
  };
}
