/** Sign-in attempts: rate-limited by account and by address, equally slow for unknown accounts (D2, D5). */

import { Buffer } from 'node:buffer';
import type { Account, LoginSession } from '../../accounts/account.ts';
import { isSessionAlive } from '../../accounts/account.ts';
import { FREE_FAILURES, type TriedName } from '../../accounts/login-brake.ts';
import type { SignInWindow } from '../../accounts/sign-in-window.ts';
import { findTotpStep } from '../../accounts/totp.ts';
import { addressKey } from '../../tenancy/address.ts';
import type { AccountDeps, AccountRefusal, Visitor } from './account-service.ts';
import { digestOf, parseRecoveryCode } from './account-texts.ts';
import { findDevice } from './devices.ts';
import { workFor } from './work-shares.ts';

/** Each returns null when the password or code was right. */
export interface Tries {
  /** `account` is null when no account has that address. */
  password(
    email: string,
    account: Account | null,
    password: string,
    visitor: Visitor,
  ): Promise<AccountRefusal | null>;
  /** Uses the code up. */
  code(account: Account, code: string, visitor: Visitor): Promise<AccountRefusal | null>;
  /** `account` is null when no account has that credential. `check` verifies the signature. */
  passkey(
    credential: string,
    account: Account | null,
    visitor: Visitor,
    check: () => Promise<boolean>,
  ): Promise<AccountRefusal | null>;
}

type Known = string | null;

export function makeTries(deps: AccountDeps, window: SignInWindow): Tries {
  const { store, passwords, clock } = deps;
  /** The name of a known browser or network of the account; null for strangers. */
  const knownBy = async (account: Account | null, { address, device }: Visitor): Promise<Known> => {
    if (account === null) return null;
    const known = findDevice(deps, account, device);
    if (known !== null) return known;
    const network = addressKey(address);
    const isHere = (login: LoginSession): boolean =>
      addressKey(login.address) === network && isSessionAlive(login, clock.now());
    return (await store.listLogins(account.id)).some(isHere) ? network : null;
  };
  /** Other people's guesses do not lock out a known browser. */
  const tryOn = async (
    name: string,
    known: Known,
    visitor: Visitor,
    check: () => Promise<boolean | 'busy'>,
  ): Promise<AccountRefusal | null> => {
    const [own, shared] = namesOf(name, addressKey(visitor.address), known);
    // A refused attempt does not count against the account: a blocked address cannot lock an account out.
    const waitMs = await store.beginTry([...own, ...shared], clock.now());
    if (waitMs > 0) return { refusal: 'too_many_tries', waitMs };
    const checked = await check();
    if (checked === 'busy') await store.endTry([], textsOf([...own, ...shared]));
    if (checked === true) await store.endTry(textsOf(own), textsOf(shared));
    return checked === true ? null : { refusal: checked === 'busy' ? 'busy' : 'wrong_login' };
  };
  return {
    async password(email, account, password, visitor) {
      const known = await knownBy(account, visitor);
      // Strangers share a window, and do not fill that of known browsers.
      const name = known === null ? `strangers ${email}` : `known ${email}`;
      const whom = workFor(known === null ? 'stranger' : 'known', email, visitor);
      let waitMs = window.waitMs(name, clock.now());
      if (waitMs > 0) return { refusal: 'too_many_tries', waitMs };
      // If counted, it would lock out others of the same name until it is taken back.
      if (passwords.isFull(whom)) return { refusal: 'busy' };
      const refused = await tryOn(email, known, visitor, async () => {
        // Other attempts may have come in while this one was counted.
        waitMs = window.waitMs(name, clock.now());
        if (waitMs > 0) return 'busy';
        const uncount = window.count(name, clock.now());
        const checked = await passwords.check(password, account?.passwordHash ?? null, whom);
        if (checked === 'busy') uncount();
        return checked;
      });
      return waitMs > 0 ? { refusal: 'too_many_tries', waitMs } : refused;
    },
    async code(account, code, visitor) {
      const known = await knownBy(account, visitor);
      const refused = await tryOn(`code ${account.email}`, known, visitor, () =>
        isCodeRight(deps, account, code),
      );
      return refused?.refusal === 'wrong_login' ? { refusal: 'wrong_code' } : refused;
    },
    async passkey(credential, account, visitor, check) {
      const known = await knownBy(account, visitor);
      const refused = await tryOn(`passkey ${credential}`, known, visitor, check);
      return refused?.refusal === 'wrong_login' ? { refusal: 'wrong_passkey' } : refused;
    },
  };
}

/**
 * What an attempt counts against: the account, and the address, which many may share. A known browser has its own
 * count.
 */
function namesOf(
  account: string,
  address: string,
  known: string | null,
): readonly [own: readonly TriedName[], shared: readonly TriedName[]] {
  return known === null
    ? [[triedName('account', account)], [triedName('address', address)]]
    : [[triedName('account', `${account} ${known}`)], []];
}

function textsOf(names: readonly TriedName[]): readonly string[] {
  return names.map(({ name }) => name);
}

/** Hashed, because the name says which account signed in, and from where. */
function triedName(kind: keyof typeof FREE_FAILURES, text: string): TriedName {
  return { name: digestOf(`${kind} ${text}`), free: FREE_FAILURES[kind] };
}

/** A code of the app, valid once; else a recovery code, valid once. */
async function isCodeRight(
  { store, sealer, clock }: AccountDeps,
  account: Account,
  code: string,
): Promise<boolean> {
  const digits = code.replace(/\s/g, '');
  if (!/^\d{6}$/.test(digits)) {
    return store.useRecoveryCode(account.id, digestOf(parseRecoveryCode(code)));
  }
  const secret = openTotpSecret(sealer, account);
  const step = secret === null ? null : findTotpStep(secret, digits, clock.now(), account.totpStep);
  return step !== null && (await store.useTotpStep(account.id, step));
}

/** Null when it was sealed with another key: then only recovery codes and a reset help. */
function openTotpSecret(
  sealer: AccountDeps['sealer'],
  { id, totpSecret }: Account,
): Uint8Array | null {
  const text = totpSecret === null ? null : sealer.open(`totp ${id}`, totpSecret);
  return text === null ? null : Buffer.from(text, 'base64url');
}
