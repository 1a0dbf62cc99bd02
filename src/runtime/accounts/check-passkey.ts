/** Verifies a passkey's answer: its account, its signature, and that its counter advanced (rule D5a). */

import type { Account, Membership, Passkey } from '../../accounts/account.ts';
import { isCounterGood } from '../../accounts/account.ts';
import { relyingPartyOf } from '../../accounts/relying-party.ts';
import type { SignedChallenge } from '../../store/accounts.ts';
import type { AuditRow } from '../../store/store.ts';
import type { AccountDeps, AccountRefusal, PasskeyAnswer, Visitor } from './account-service.ts';
import { digestOf } from './account-texts.ts';
import { openChallenge, SIGN_IN } from './challenges.ts';
import type { Tries } from './tries.ts';
import { verifySignIn } from './webauthn.ts';

/** A verified passkey, and what to write to its row. */
export interface SignedBy {
  readonly passkey: Passkey;
  readonly account: Account;
  readonly signed: SignedChallenge;
}

/** A row for each tenant that the account belongs to, and for the installation if it is its own. */
export type MakeAudits = (
  account: Account,
  memberships: readonly Membership[],
  act: string,
  object?: string,
) => AuditRow[];

/** Verifies a passkey's signature, of the given account or of any. */
export type CheckPasskey = (
  answer: PasskeyAnswer,
  account: Account | null,
  visitor: Visitor,
) => Promise<SignedBy | AccountRefusal>;

export function makeCheckPasskey(
  deps: AccountDeps,
  tries: Tries,
  makeAudits: MakeAudits,
): CheckPasskey {
  const { store } = deps;
  const party = relyingPartyOf(deps.publicUrl);
  return async ({ sealed, answer }, only, visitor) => {
    if (party === null) return { refusal: 'passkeys_unavailable' };
    const challenge = openChallenge(deps, SIGN_IN, sealed);
    if (challenge === null) return { refusal: 'challenge_expired' };
    const found = await store.findPasskey(answer.id);
    const passkey = only === null || found?.account === only.id ? found : null;
    const account = passkey === null ? null : await store.findAccount(passkey.account);
    let counter: number | null = null;
    const refused = await tries.passkey(answer.id, account, visitor, async () => {
      if (passkey === null || account === null) return false;
      counter = await verifySignIn(party, challenge.challenge, passkey, answer);
      if (counter === null) return false;
      if (isCounterGood(passkey.counter, counter)) return true;
      const memberships = await store.listMemberships(account.id);
      for (const row of makeAudits(account, memberships, 'passkey.counter_went_back', passkey.id))
        await store.addAudit(row);
      return false;
    });
    if (refused !== null) return refused;
    const challengeHash = digestOf(challenge.challenge);
    const expiresAt = challenge.until;
    const signed = { passkey: passkey!.id, counter: counter!, challengeHash, expiresAt };
    return { passkey: passkey!, account: account!, signed };
  };
}
