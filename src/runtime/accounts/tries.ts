/** Passwords and codes tried: slowed by account and by address, in the same time for nobody (D2, D5). */

import { Buffer } from 'node:buffer';
import type { Account } from '../../accounts/account.ts';
import { isSessionAlive } from '../../accounts/account.ts';
import { FREE_FAILURES, type LoginBrake } from '../../accounts/login-brake.ts';
import { findTotpStep } from '../../accounts/totp.ts';
import { addressKey } from '../../tenancy/address.ts';
import type { AccountDeps, AccountRefusal, Visitor } from './account-service.ts';
import { digestOf, parseRecoveryCode } from './account-texts.ts';

/** Each answers null when it was right. */
export interface Tries {
  /** `account` is null where there is none of that address. */
  password(
    email: string,
    account: Account | null,
    password: string,
    visitor: Visitor,
  ): Promise<AccountRefusal | null>;
  /** Uses the code up. */
  code(account: Account, code: string, visitor: Visitor): Promise<AccountRefusal | null>;
}

export function makeTries(deps: AccountDeps, brake: LoginBrake): Tries {
  const { store, passwords, clock } = deps;
  const isKnownAt = async (account: Account, address: string): Promise<boolean> =>
    (await store.listLogins(account.id)).some(
      (login) => login.address === address && isSessionAlive(login, clock.now()),
    );
  const tryOn = async (
    name: string,
    account: Account | null,
    { address }: Visitor,
    check: () => Promise<boolean | 'busy'>,
  ): Promise<AccountRefusal | null> => {
    // Whoever is signed in somewhere is not locked out there by others who guess.
    const isKnown = account !== null && (await isKnownAt(account, address));
    const held = hold(brake, isKnown ? `${name} ${address}` : name, address, clock.now());
    if ('refusal' in held) return held;
    const checked = await check();
    if (checked === 'busy') held.uncount();
    if (checked === true) held.succeeded();
    return checked === true ? null : { refusal: checked === 'busy' ? 'busy' : 'wrong_login' };
  };
  return {
    password: (email, account, password, visitor) =>
      tryOn(email, account, visitor, () =>
        passwords.check(password, account?.passwordHash ?? null),
      ),
    async code(account, code, visitor) {
      const refused = await tryOn(`code ${account.email}`, account, visitor, () =>
        isCodeRight(deps, account, code),
      );
      return refused?.refusal === 'wrong_login' ? { refusal: 'wrong_code' } : refused;
    },
  };
}

interface Held {
  succeeded(): void;
  uncount(): void;
}

/** A try counts against the account and against the address. */
function hold(
  brake: LoginBrake,
  account: string,
  address: string,
  now: number,
): Held | AccountRefusal {
  const ofAccount = `account ${account}`;
  const ofAddress = `address ${addressKey(address)}`;
  const waitMs = Math.max(
    brake.begin(ofAddress, FREE_FAILURES.address, now),
    brake.begin(ofAccount, FREE_FAILURES.account, now),
  );
  if (waitMs > 0) return { refusal: 'too_many_tries', waitMs };
  return {
    succeeded() {
      brake.succeeded(ofAccount);
      brake.uncount(ofAddress);
    },
    uncount() {
      brake.uncount(ofAccount);
      brake.uncount(ofAddress);
    },
  };
}

/** A code of the app, good once; else a recovery code, good once. */
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
