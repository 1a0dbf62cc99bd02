/** Passwords and codes tried: slowed by account and by address, in the same time for nobody (D2, D5). */

import { Buffer } from 'node:buffer';
import type { Account, LoginSession } from '../../accounts/account.ts';
import { isSessionAlive } from '../../accounts/account.ts';
import { FREE_FAILURES, type LoginBrake } from '../../accounts/login-brake.ts';
import type { SignInWindow } from '../../accounts/sign-in-window.ts';
import { findTotpStep } from '../../accounts/totp.ts';
import { addressKey } from '../../tenancy/address.ts';
import type { AccountDeps, AccountRefusal, Visitor } from './account-service.ts';
import { digestOf, parseRecoveryCode } from './account-texts.ts';
import { findDevice } from './devices.ts';
import { workFor } from './work-shares.ts';

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
  /** `account` is null where nobody has that credential. `check` looks at the signature. */
  passkey(
    credential: string,
    account: Account | null,
    visitor: Visitor,
    check: () => Promise<boolean>,
  ): Promise<AccountRefusal | null>;
}

type Known = string | null;

export function makeTries(deps: AccountDeps, brake: LoginBrake, window: SignInWindow): Tries {
  const { store, passwords, clock } = deps;
  /** Of a browser or a network by which the account is known, its name; null for strangers. */
  const knownBy = async (account: Account | null, { address, device }: Visitor): Promise<Known> => {
    if (account === null) return null;
    const known = findDevice(deps, account, device);
    if (known !== null) return known;
    const network = addressKey(address);
    const isHere = (login: LoginSession): boolean =>
      addressKey(login.address) === network && isSessionAlive(login, clock.now());
    return (await store.listLogins(account.id)).some(isHere) ? network : null;
  };
  /** Whoever is known is not locked out by others who guess. */
  const tryOn = async (
    name: string,
    known: Known,
    visitor: Visitor,
    check: () => Promise<boolean | 'busy'>,
  ): Promise<AccountRefusal | null> => {
    const held = hold(brake, namesOf(name, addressKey(visitor.address), known), clock.now());
    if ('refusal' in held) return held;
    const checked = await check();
    if (checked === 'busy') held.uncount();
    if (checked === true) held.succeeded();
    return checked === true ? null : { refusal: checked === 'busy' ? 'busy' : 'wrong_login' };
  };
  return {
    async password(email, account, password, visitor) {
      const known = await knownBy(account, visitor);
      // Strangers share a window, and do not fill that of whoever is known.
      const name = known === null ? `strangers ${email}` : `known ${email}`;
      const waitMs = window.waitMs(name, clock.now());
      if (waitMs > 0) return { refusal: 'too_many_tries', waitMs };
      const whom = workFor(known === null ? 'stranger' : 'known', email, visitor);
      return tryOn(email, known, visitor, async () => {
        const uncount = window.count(name, clock.now());
        const checked = await passwords.check(password, account?.passwordHash ?? null, whom);
        if (checked === 'busy') uncount();
        return checked;
      });
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

interface Held {
  succeeded(): void;
  uncount(): void;
}

/** What a try counts against: one account, and an address that many may share. */
interface Counted {
  readonly account: string;
  /** Null for who is known: he counts for himself. */
  readonly address: string | null;
}

function namesOf(account: string, address: string, known: string | null): Counted {
  return known === null
    ? { account: `account ${account}`, address: `address ${address}` }
    : { account: `account ${account} ${known}`, address: null };
}

/** A try that is refused counts against nobody: an address that is shut out shuts no account. */
function hold(
  brake: LoginBrake,
  { account, address }: Counted,
  now: number,
): Held | AccountRefusal {
  const waitMs = Math.max(
    brake.waitMs(account, now),
    address === null ? 0 : brake.waitMs(address, now),
  );
  if (waitMs > 0) return { refusal: 'too_many_tries', waitMs };
  brake.begin(account, FREE_FAILURES.account, now);
  if (address !== null) brake.begin(address, FREE_FAILURES.address, now);
  const uncountAddress = (): void => {
    if (address !== null) brake.uncount(address);
  };
  return {
    succeeded() {
      brake.succeeded(account);
      uncountAddress();
    },
    uncount() {
      brake.uncount(account);
      uncountAddress();
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
