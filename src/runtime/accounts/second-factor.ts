/** The second factor: offered, confirmed by a first code, removed; recovery codes (rule D5). */

import { Buffer } from 'node:buffer';
import { findTotpStep, makeTotpUri, TOTP_SECRET_BYTES, toBase32 } from '../../accounts/totp.ts';
import { type AccountDeps, type AccountService, isRefused } from './account-service.ts';
import { digestOf, makeRecoveryCodes } from './account-texts.ts';
import type { Logins } from './logins.ts';
import type { Tries } from './tries.ts';

/** An offer that is not confirmed expires after this. */
const OFFER_MS = 15 * 60_000;

type SecondFactor = Pick<
  AccountService,
  'offerTotp' | 'confirmTotp' | 'dropTotp' | 'countRecoveryCodes'
>;

interface Offer {
  readonly secret: string;
  readonly until: number;
}

export function makeSecondFactor(deps: AccountDeps, tries: Tries, logins: Logins): SecondFactor {
  const { store, sealer, clock, randomness } = deps;
  return {
    async offerTotp({ account }, password, visitor) {
      if (account.totpSecret !== null) return { refusal: 'has_second_factor' };
      const refused = await tries.password(account.email, account, password, visitor);
      if (refused !== null) return refused;
      const bytes = randomness.bytes(TOTP_SECRET_BYTES);
      const offer: Offer = {
        secret: Buffer.from(bytes).toString('base64url'),
        until: clock.now() + OFFER_MS,
      };
      return {
        sealed: sealer.seal(`offer ${account.id}`, JSON.stringify(offer)),
        secret: toBase32(bytes),
        uri: makeTotpUri(bytes, account.email),
      };
    },
    async confirmTotp({ account, memberships }, sealed, code, visitor) {
      if (account.totpSecret !== null) return { refusal: 'has_second_factor' };
      const text = sealer.open(`offer ${account.id}`, sealed);
      const offer = text === null ? null : (JSON.parse(text) as Offer);
      const now = clock.now();
      if (offer === null || offer.until <= now) return { refusal: 'link_gone' };
      const secret = Buffer.from(offer.secret, 'base64url');
      const step = findTotpStep(secret, code.replace(/\s/g, ''), now, 0);
      if (step === null) return { refusal: 'wrong_code' };
      const recoveryCodes = makeRecoveryCodes(randomness);
      const totpSecret = sealer.seal(`totp ${account.id}`, offer.secret);
      const isSet = await store.setTotp(
        account.id,
        account,
        { secret: totpSecret, step },
        recoveryCodes.map(digestOf),
        logins.audits(account, memberships, 'second_factor.added'),
      );
      if (!isSet) return { refusal: 'wrong_login' };
      const entered = await logins.enter({ ...account, totpSecret }, visitor, null, []);
      return isRefused(entered) ? entered : { ...entered, recoveryCodes };
    },
    async dropTotp({ account, memberships }, password, code, visitor) {
      if (account.totpSecret === null) return { refusal: 'no_second_factor' };
      const refused =
        (await tries.password(account.email, account, password, visitor)) ??
        (await tries.code(account, code, visitor));
      if (refused !== null) return refused;
      const audits = logins.audits(account, memberships, 'second_factor.dropped');
      const isSet = await store.setTotp(account.id, account, null, [], audits);
      if (!isSet) return { refusal: 'wrong_login' };
      return logins.enter({ ...account, totpSecret: null }, visitor, null, []);
    },
    countRecoveryCodes: ({ account }) => store.countRecoveryCodes(account.id),
  };
}
