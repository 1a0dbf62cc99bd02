/** Signing in and out: how sessions begin, are found and end (rule D3). */

import type { Account, LoginSession, Membership } from '../../accounts/account.ts';
import {
  isSessionAlive,
  parseEmail,
  SESSION_IDLE_MS,
  SESSION_LIFE_MS,
} from '../../accounts/account.ts';
import type { SignedChallenge } from '../../store/accounts.ts';
import type { AuditRow } from '../../store/store.ts';
import {
  type AccountDeps,
  type AccountRefusal,
  type AccountService,
  type CheckedDeps,
  type Credentials,
  type Entered,
  isRefused,
  type SignedIn,
  type Visitor,
} from './account-service.ts';
import { digestOf, makeToken } from './account-texts.ts';
import { type CheckPasskey, type MakeAudits, makeCheckPasskey } from './check-passkey.ts';
import { findDevice, makeDeviceMark } from './devices.ts';
import type { Known } from './password-check.ts';
import type { Tries } from './tries.ts';
import { workFor } from './work-shares.ts';

/** A session's last use is written at most this often. */
const TOUCH_MS = 60_000;
const AGENT_CHARS_MAX = 200;

/** The audit chain of the installation, not of one tenant. */
export const INSTALLATION = '';

type LoginCalls = Pick<
  AccountService,
  | 'login'
  | 'find'
  | 'markDevice'
  | 'listLogins'
  | 'endLogin'
  | 'endOtherLogins'
  | 'changePassword'
  | 'sweep'
>;

/** How a session begins, other than by a password or a link. */
interface How {
  /** What a passkey signed. */
  readonly signed?: SignedChallenge;
  /** The passkey's name. */
  readonly passkey?: string;
  /** The session before: the new one keeps its age and its end. */
  readonly renews?: LoginSession;
}

/** What the other parts of the service need from logins. */
export interface Logins {
  readonly calls: LoginCalls;
  readonly check: CheckPasskey;
  /** Begins a session if the account is unchanged since it was read. `instead`: the session to replace. */
  enter(
    account: Account,
    visitor: Visitor,
    instead: string | null,
    audits: readonly AuditRow[],
    how?: How,
  ): Promise<Entered | AccountRefusal>;
  readonly audits: MakeAudits;
}

export function makeLogins(deps: CheckedDeps, tries: Tries): Logins {
  const enter: Logins['enter'] = async (account, visitor, instead, audits, how = {}) => {
    const { store, randomness } = deps;
    const token = makeToken(randomness);
    const session = makeSession(deps, account.id, visitor, how);
    const { passwordHash, totpSecret, passkeyRevision } = account;
    const login = {
      session,
      tokenHash: digestOf(token),
      proven: { passwordHash, totpSecret, passkeyRevision },
      signed: how.signed ?? null,
    };
    const began = await store.beginLogin(login, instead, audits);
    return began ? { token, session } : { refusal: 'wrong_login' };
  };
  const audits: Logins['audits'] = (account, memberships, act, object = account.id) => {
    const tenants = memberships.map(({ tenant }) => tenant);
    const at = deps.clock.now();
    return [...(account.isOperator ? [INSTALLATION] : []), ...tenants].map((tenant) => ({
      tenant,
      actor: `member:${account.id}`,
      act,
      object,
      at,
    }));
  };
  const parts = { enter, audits };
  const check = makeCheckPasskey(deps, tries, audits);
  const entrance = makeEntrance(deps, tries, check, parts);
  return { calls: { ...entrance, ...makeSessionCalls(deps, parts) }, check, ...parts };
}

type Parts = Pick<Logins, 'enter' | 'audits'>;

function makeEntrance(
  deps: CheckedDeps,
  tries: Tries,
  check: CheckPasskey,
  { enter, audits }: Parts,
) {
  const { store, passwords, passwordCheck } = deps;
  /** What the second factor adds to the session; a refusal where one is missing or wrong. */
  const secondFactor = async (
    account: Account,
    { code, passkey }: Credentials,
    visitor: Visitor,
  ): Promise<How | AccountRefusal> => {
    const passkeys = await store.listPasskeys(account.id);
    if (account.totpSecret === null && passkeys.length === 0) return {};
    if (passkey !== null) {
      const checked = await check(passkey, account, visitor);
      if (isRefused(checked)) return checked;
      return { signed: checked.signed, passkey: checked.passkey.name };
    }
    if (code === null)
      return { refusal: passkeys.length > 0 ? 'passkey_required' : 'code_required' };
    return (await tries.code(account, code, visitor)) ?? {};
  };
  const login: LoginCalls['login'] = async (credentials, visitor, instead) => {
    const { email, password } = credentials;
    const name = parseEmail(email) ?? '';
    const account = await store.findAccountByEmail(name);
    const refused = await tries.password(name, account, password, visitor);
    if (refused !== null) return refused;
    const found = account!;
    const how = await secondFactor(found, credentials, visitor);
    if (isRefused(how)) return how;
    const memberships = await store.listMemberships(found.id);
    const rows = audits(found, memberships, 'login.begun');
    const entered = await enter(found, visitor, instead, rows, how);
    if ('refusal' in entered) return entered;
    const isCommon = await passwordCheck.isCommon(password, whoseOf(found, memberships));
    return isCommon ? { ...entered, isPasswordCommon: true } : entered;
  };
  const changePassword: LoginCalls['changePassword'] = async (
    { account, memberships },
    current,
    next,
    visitor,
  ) => {
    const refused = await tries.password(account.email, account, current, visitor);
    if (refused !== null) return refused;
    const weak = await passwordCheck.refuse(next, whoseOf(account, memberships));
    if (weak !== null) return weak;
    const hash = await passwords.hash(next, workFor('known', account.email, visitor));
    if (hash === null) return { refusal: 'busy' };
    const rows = audits(account, memberships, 'password.changed');
    const isSet = await store.setPassword(account.id, account, hash, rows);
    if (!isSet) return { refusal: 'wrong_login' };
    return enter({ ...account, passwordHash: hash }, visitor, null, []);
  };
  return { login, changePassword };
}

function whoseOf({ email, name }: Account, memberships: readonly Membership[]): Known {
  return { email, name, tenants: memberships.map(({ tenant }) => tenant) };
}

function makeSessionCalls(deps: AccountDeps, { audits }: Parts) {
  const { store, clock } = deps;
  return {
    find: (token: string) => find(deps, token),
    markDevice: (signedIn: SignedIn, { device }: Visitor) =>
      findDevice(deps, signedIn.account, device) === null ? makeDeviceMark(deps, signedIn) : null,
    listLogins: async ({ account }: SignedIn) =>
      (await store.listLogins(account.id)).filter((each) => isSessionAlive(each, clock.now())),
    async endLogin({ account, memberships }: SignedIn, id: string) {
      const rows = audits(account, memberships, 'login.ended', id);
      return (await store.endLogins(account.id, { id }, rows)) > 0;
    },
    endOtherLogins: ({ account, session, memberships }: SignedIn) =>
      store.endLogins(
        account.id,
        { except: session.id },
        audits(account, memberships, 'login.others_ended'),
      ),
    sweep: () => store.removeStaleLogins(clock.now() - SESSION_IDLE_MS, clock.now()),
  };
}

function makeSession(
  { clock, makeId }: AccountDeps,
  account: string,
  { address, agent }: Visitor,
  { passkey, renews }: How,
): LoginSession {
  const now = clock.now();
  return {
    id: makeId('lgn'),
    account,
    createdAt: renews?.createdAt ?? now,
    seenAt: now,
    expiresAt: renews?.expiresAt ?? now + SESSION_LIFE_MS,
    address,
    agent: agent.replace(/\p{C}/gu, '').slice(0, AGENT_CHARS_MAX),
    passkey: passkey ?? renews?.passkey ?? null,
  };
}

async function find({ store, clock }: AccountDeps, token: string): Promise<SignedIn | null> {
  const session = await store.findLogin(digestOf(token));
  const now = clock.now();
  if (session === null || !isSessionAlive(session, now)) return null;
  const account = await store.findAccount(session.account);
  if (account === null) return null;
  if (now - session.seenAt >= TOUCH_MS) await store.touchLogin(session.id, now);
  return { account, session, memberships: await store.listMemberships(account.id) };
}
