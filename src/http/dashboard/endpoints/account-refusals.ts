/** Maps refusals of the account service to the dashboard's errors. */

import type { DashboardErrorCode } from '../../../contract/dashboard-errors.ts';
import { makeDashboardProblem, type Problem, retryAfter } from '../../../contract/errors.ts';
import type { AccountRefusal, Entered } from '../../../runtime/accounts/account-service.ts';
import type { Reply } from '../../request/exchange.ts';

/** Sets the cookies of a successful sign-in; `body` is the rest of the response. */
export type Enter = (entered: Entered | AccountRefusal, body?: object) => Reply | Problem;

const BUSY_RETRY_MS = 2_000;

const CODES = {
  wrong_login: 'wrong_login',
  wrong_code: 'wrong_code',
  code_required: 'code_required',
  busy: 'login_busy',
  too_many_tries: 'too_many_tries',
  link_gone: 'link_gone',
  weak_password: 'weak_password',
  common_password: 'common_password',
  email_taken: 'email_taken',
  other_account: 'other_account',
  tenant_suspended: 'tenant_suspended',
  last_owner: 'last_owner',
  no_second_factor: 'no_second_factor',
  has_second_factor: 'has_second_factor',
  passkey_required: 'passkey_required',
  wrong_passkey: 'wrong_passkey',
  password_required: 'password_required',
  passkeys_unavailable: 'passkeys_unavailable',
  challenge_expired: 'challenge_expired',
  passkey_taken: 'passkey_taken',
  too_many_passkeys: 'too_many_passkeys',
  passkey_not_found: 'passkey_not_found',
} as const satisfies Record<AccountRefusal['refusal'], DashboardErrorCode>;

export function problemOf(refused: AccountRefusal): Problem {
  const waitMs = refused.refusal === 'busy' ? BUSY_RETRY_MS : 0;
  const ms = 'waitMs' in refused ? refused.waitMs : waitMs;
  return makeDashboardProblem(CODES[refused.refusal], ms > 0 ? retryAfter(ms) : {});
}
