/** The link that creates the dashboard's first account, as long as there is none. */

import { LINK_LIFE_MS } from '../../accounts/account.ts';
import type { AccountService } from '../../runtime/accounts/account-service.ts';

const MINUTE_MS = 60_000;

/**
 * Null when there is an account. The part after the `#` is not sent to servers and is in no log.
 */
export async function makeSetupUrl(
  accounts: Pick<AccountService, 'makeSetupLink'>,
  publicUrl: string,
): Promise<string | null> {
  const token = await accounts.makeSetupLink();
  return token === null ? null : `${publicUrl}/dashboard/setup#${token}`;
}

export function setupWords(setupUrl: string): string {
  const minutes = LINK_LIFE_MS.setup / MINUTE_MS;
  return (
    `\n  Create the owner's dashboard account (the link works once, for ${minutes} minutes):\n` +
    `    ${setupUrl}\n\n`
  );
}
