/** Passkeys: adding, removing, and signing in with them (rule D5a). */

import { type RelyingParty, relyingPartyOf } from '../../accounts/relying-party.ts';
import {
  type AccountDeps,
  type AccountRefusal,
  type AccountService,
  isRefused,
  type SignedIn,
  type Visitor,
} from './account-service.ts';
import { digestOf, makeRecoveryCodes } from './account-texts.ts';
import { makeChallenge, openChallenge, SIGN_IN } from './challenges.ts';
import type { Logins } from './logins.ts';
import type { Tries } from './tries.ts';
import { creationOptions, requestOptions, verifyRegistration } from './webauthn.ts';

/** For this long after a sign-in no password is asked for. Milliseconds. */
const FRESH_MS = 10 * 60_000;

type PasskeyCalls = Pick<
  AccountService,
  | 'passkeyOrigin'
  | 'offerPasskeySignIn'
  | 'loginByPasskey'
  | 'listPasskeys'
  | 'offerPasskey'
  | 'addPasskey'
  | 'removePasskey'
>;

/** Adding a passkey ends the session that asked, so an offer works once. */
const addBy = ({ session }: Pick<SignedIn, 'session'>): string => `passkey add ${session.id}`;

export function makePasskeys(deps: AccountDeps, tries: Tries, logins: Logins): PasskeyCalls {
  const { store } = deps;
  const party = relyingPartyOf(deps.publicUrl);
  return {
    passkeyOrigin: party?.origin ?? null,
    offerPasskeySignIn() {
      if (party === null) return { refusal: 'passkeys_unavailable' };
      const { challenge, sealed } = makeChallenge(deps, SIGN_IN);
      return { sealed, options: requestOptions(party, challenge) };
    },
    async loginByPasskey(answer, visitor, instead) {
      const checked = await logins.check(answer, null, visitor);
      if (isRefused(checked)) return checked;
      const { account, passkey, signed } = checked;
      const memberships = await store.listMemberships(account.id);
      const audits = logins.audits(account, memberships, 'login.begun_with_passkey', passkey.id);
      const how = { signed, passkey: passkey.name };
      const entered = await logins.enter(account, visitor, instead, audits, how);
      return isRefused(entered) ? { refusal: 'wrong_passkey' } : entered;
    },
    listPasskeys: ({ account }) => store.listPasskeys(account.id),
    ...makeOwnPasskeys(deps, tries, logins, party),
  };
}

function makeOwnPasskeys(
  deps: AccountDeps,
  tries: Tries,
  logins: Logins,
  party: RelyingParty | null,
) {
  const { store, clock, makeId, randomness } = deps;
  /** Null shortly after a sign-in, or with the right password. */
  const refuseStale = async (
    { account, session }: SignedIn,
    password: string | null,
    visitor: Visitor,
  ): Promise<AccountRefusal | null> => {
    if (password !== null) return tries.password(account.email, account, password, visitor);
    const isFresh = clock.now() - session.createdAt < FRESH_MS;
    return isFresh ? null : { refusal: 'password_required' };
  };
  /** The new session keeps the age of the one before, so that adding and removing passkeys does not renew it. */
  const goOn = (signedIn: SignedIn, visitor: Visitor) => {
    const passkeyRevision = signedIn.account.passkeyRevision + 1;
    const renews = signedIn.session;
    return logins.enter({ ...signedIn.account, passkeyRevision }, visitor, null, [], { renews });
  };
  return {
    async offerPasskey(signedIn, password, visitor) {
      if (party === null) return { refusal: 'passkeys_unavailable' };
      const refused = await refuseStale(signedIn, password, visitor);
      if (refused !== null) return refused;
      const { challenge, sealed } = makeChallenge(deps, addBy(signedIn));
      const { account } = signedIn;
      const passkeys = await store.listPasskeys(account.id);
      return { sealed, options: creationOptions(party, challenge, account, passkeys) };
    },
    async addPasskey(signedIn, { sealed, name, answer }, visitor) {
      if (party === null) return { refusal: 'passkeys_unavailable' };
      const challenge = openChallenge(deps, addBy(signedIn), sealed);
      if (challenge === null) return { refusal: 'challenge_expired' };
      const made = await verifyRegistration(party, challenge.challenge, answer);
      if (made === null) return { refusal: 'wrong_passkey' };
      const { account, memberships } = signedIn;
      const isFirst =
        account.totpSecret === null && (await store.listPasskeys(account.id)).length === 0;
      const recoveryCodes = isFirst ? makeRecoveryCodes(randomness) : [];
      const id = makeId('psk');
      const createdAt = clock.now();
      const outcome = await store.addPasskey(
        { id, account: account.id, name, ...made, createdAt, lastUsedAt: null },
        account,
        recoveryCodes.map(digestOf),
        logins.audits(account, memberships, 'passkey.added', id),
      );
      if (outcome !== 'added') return { refusal: ADDING[outcome] };
      const entered = await goOn(signedIn, visitor);
      return isRefused(entered) ? entered : { ...entered, recoveryCodes };
    },
    async removePasskey(signedIn, id, password, visitor) {
      const refused = await refuseStale(signedIn, password, visitor);
      if (refused !== null) return refused;
      const { account, memberships } = signedIn;
      const audits = logins.audits(account, memberships, 'passkey.removed', id);
      const outcome = await store.removePasskey(account.id, id, account, audits);
      if (outcome === 'not_found') return { refusal: 'passkey_not_found' };
      if (outcome === 'changed') return { refusal: 'wrong_login' };
      return goOn(signedIn, visitor);
    },
  } satisfies Partial<PasskeyCalls>;
}

const ADDING = {
  changed: 'wrong_login',
  taken: 'passkey_taken',
  full: 'too_many_passkeys',
} as const;
