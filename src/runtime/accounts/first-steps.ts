/** How accounts come to be: by links that work once. */

import type { Account, AccountLink, LinkKind, Role } from '../../accounts/account.ts';
import { isPasswordGood, LINK_LIFE_MS } from '../../accounts/account.ts';
import type { AuditRow } from '../../store/store.ts';
import type {
  AccountDeps,
  AccountRefusal,
  AccountService,
  Entered,
  NewAccount,
  Visitor,
} from './account-service.ts';
import { digestOf, makeToken } from './account-texts.ts';
import { INSTALLATION, type Logins } from './logins.ts';

type FirstSteps = Pick<
  AccountService,
  'makeSetupLink' | 'setUp' | 'lookAt' | 'accept' | 'join' | 'makeResetLink' | 'reset'
>;

interface ForWhom {
  readonly tenant: string | null;
  readonly role: Role | null;
  readonly email: string | null;
}

/** What links need; the commands have no more. */
export type LinkDeps = Pick<AccountDeps, 'store' | 'clock' | 'randomness' | 'makeId'>;

/** A link and its text, which is kept nowhere. */
export async function makeLink(
  { store, clock, randomness, makeId }: LinkDeps,
  kind: LinkKind,
  whom: ForWhom,
  auditOf: (link: AccountLink) => AuditRow | null,
): Promise<{ readonly link: AccountLink; readonly token: string }> {
  const createdAt = clock.now();
  const expiresAt = createdAt + LINK_LIFE_MS[kind];
  const link: AccountLink = { id: makeId('lnk'), kind, ...whom, createdAt, expiresAt };
  const token = makeToken(randomness);
  await store.putLink(link, digestOf(token), auditOf(link));
  return { link, token };
}

/** The text of a link that makes the first account; null when there is one. */
export async function offerSetup(deps: LinkDeps): Promise<string | null> {
  if (await deps.store.hasAccount()) return null;
  const whom = { tenant: null, role: null, email: null };
  return (await makeLink(deps, 'setup', whom, () => null)).token;
}

/** The text of a link for who is locked out; null when there is no such account. */
export async function offerReset(deps: LinkDeps, email: string): Promise<string | null> {
  const account = await deps.store.findAccountByEmail(email);
  if (account === null) return null;
  const audit = (link: AccountLink): AuditRow => ({
    ...auditOf(account.id, INSTALLATION, 'reset.offered', link.createdAt),
    actor: 'cli',
  });
  const whom = { tenant: null, role: null, email };
  return (await makeLink(deps, 'reset', whom, audit)).token;
}

export function makeFirstSteps(deps: AccountDeps, logins: Logins): FirstSteps {
  const { store, clock } = deps;
  return {
    makeSetupLink: () => offerSetup(deps),
    async setUp(token, { email, name, password }, visitor) {
      // Before any work that costs something.
      const link = await store.findLink(digestOf(token), clock.now());
      if (link?.kind !== 'setup') return { refusal: 'link_gone' };
      const account = await makeAccount(deps, email, { name, password }, true);
      if ('refusal' in account) return account;
      const audit = auditOf(account.id, INSTALLATION, 'account.created', clock.now());
      const outcome = await store.useSetupLink(digestOf(token), account, audit);
      return outcome === 'done'
        ? enterFirst(deps, logins, account, visitor)
        : { refusal: 'link_gone' };
    },
    async lookAt(token) {
      const link = await store.findLink(digestOf(token), clock.now());
      if (link === null) return null;
      const known = link.email === null ? null : await store.findAccountByEmail(link.email);
      return { link, hasAccount: known !== null };
    },
    async accept(token, asked, visitor) {
      const link = await store.findLink(digestOf(token), clock.now());
      if (link?.kind !== 'invitation') return { refusal: 'link_gone' };
      const account = await makeAccount(deps, link.email!, asked, false);
      if ('refusal' in account) return account;
      const audit = auditOf(account.id, link.tenant!, 'member.joined', clock.now());
      const outcome = await store.useInvitation(digestOf(token), account, audit);
      if (outcome !== 'done') return { refusal: outcome };
      return enterFirst(deps, logins, account, visitor);
    },
    async join(token, { account }, visitor) {
      const link = await store.findLink(digestOf(token), clock.now());
      if (link?.kind !== 'invitation') return { refusal: 'link_gone' };
      // Whoever finds the link may not go where somebody else was asked to.
      if (link.email !== account.email) return { refusal: 'other_account' };
      const audit = auditOf(account.id, link.tenant!, 'member.joined', clock.now());
      const outcome = await store.useInvitation(digestOf(token), { id: account.id }, audit);
      if (outcome !== 'done') return { refusal: outcome };
      return logins.enter(account, visitor, null, []);
    },
    makeResetLink: (email) => offerReset(deps, email),
    async reset(token, password) {
      const link = await store.findLink(digestOf(token), clock.now());
      if (link?.kind !== 'reset') return { refusal: 'link_gone' };
      if (!isPasswordGood(password, link.email!)) return { refusal: 'weak_password' };
      const hash = await deps.passwords.hash(password);
      if (hash === null) return { refusal: 'busy' };
      const audit = auditOf('', INSTALLATION, 'password.reset', clock.now());
      const outcome = await store.useReset(digestOf(token), hash, audit);
      return outcome === 'done' ? 'done' : { refusal: 'link_gone' };
    },
  };
}

async function makeAccount(
  { passwords, clock, makeId }: AccountDeps,
  email: string,
  { name, password }: NewAccount,
  isOperator: boolean,
): Promise<Account | AccountRefusal> {
  if (!isPasswordGood(password, email)) return { refusal: 'weak_password' };
  const passwordHash = await passwords.hash(password);
  if (passwordHash === null) return { refusal: 'busy' };
  return {
    id: makeId('acc'),
    email,
    name,
    passwordHash,
    isOperator,
    totpSecret: null,
    totpStep: 0,
    createdAt: clock.now(),
  };
}

async function enterFirst(
  { store }: AccountDeps,
  logins: Logins,
  account: Account,
  visitor: Visitor,
): Promise<Entered | AccountRefusal> {
  const memberships = await store.listMemberships(account.id);
  const audits = logins.audits(account, memberships, 'login.begun');
  return logins.enter(account, visitor, null, audits);
}

function auditOf(account: string, tenant: string, act: string, at: number): AuditRow {
  return { tenant, actor: `member:${account}`, act, object: account, at };
}
