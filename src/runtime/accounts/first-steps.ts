/** How accounts are created: by links that work once. */

import type { Account, AccountLink, LinkKind, Role } from '../../accounts/account.ts';
import { LINK_LIFE_MS } from '../../accounts/account.ts';
import type { AccountStore } from '../../store/accounts.ts';
import type { AuditRow } from '../../store/store.ts';
import type {
  AccountDeps,
  AccountRefusal,
  AccountService,
  CheckedDeps,
  Entered,
  MadeLink,
  NewAccount,
  Visitor,
} from './account-service.ts';
import { digestOf, makeToken } from './account-texts.ts';
import { INSTALLATION, type Logins } from './logins.ts';
import { workByLink } from './work-shares.ts';

type FirstSteps = Pick<
  AccountService,
  'makeSetupLink' | 'setUp' | 'peek' | 'accept' | 'join' | 'makeResetLink' | 'reset'
>;

interface ForWhom {
  readonly tenant: string | null;
  readonly role: Role | null;
  readonly email: string | null;
}

/** What links need; the commands have no more. */
export interface LinkDeps extends Pick<AccountDeps, 'clock' | 'randomness' | 'makeId'> {
  readonly store: AccountStore;
}

/** One that opens something as soon as it is put into the store. */
export function makeLink(
  { clock, randomness, makeId }: Omit<LinkDeps, 'store'>,
  kind: LinkKind,
  whom: ForWhom,
): MadeLink {
  const createdAt = clock.now();
  const expiresAt = createdAt + LINK_LIFE_MS[kind];
  const link: AccountLink = { id: makeId('lnk'), kind, ...whom, createdAt, expiresAt };
  return { link, token: makeToken(randomness) };
}

/** The token of a link that creates the first account; null when an account exists. */
export async function offerSetup(deps: LinkDeps): Promise<string | null> {
  if (await deps.store.hasAccount()) return null;
  const { link, token } = makeLink(deps, 'setup', { tenant: null, role: null, email: null });
  await deps.store.putLink(link, digestOf(token), null);
  return token;
}

/** The token of a reset link; null when there is no such account. */
export async function offerReset(deps: LinkDeps, email: string): Promise<string | null> {
  const account = await deps.store.findAccountByEmail(email);
  if (account === null) return null;
  const { link, token } = makeLink(deps, 'reset', { tenant: null, role: null, email });
  const audit = auditOf(account.id, INSTALLATION, 'reset.offered', link.createdAt);
  await deps.store.putLink(link, digestOf(token), { ...audit, actor: 'cli' });
  return token;
}

export function makeFirstSteps(deps: CheckedDeps, logins: Logins): FirstSteps {
  const { store, clock } = deps;
  return {
    makeSetupLink: () => offerSetup(deps),
    async setUp(token, { email, name, password }, visitor) {
      // Checked before any expensive work.
      const link = await store.findLink(digestOf(token), clock.now());
      if (link?.kind !== 'setup') return { refusal: 'link_gone' };
      const account = await makeAccount(deps, link, { email, name, password }, visitor);
      if ('refusal' in account) return account;
      const audit = auditOf(account.id, INSTALLATION, 'account.created', clock.now());
      const outcome = await store.useSetupLink(digestOf(token), account, audit);
      return outcome === 'done'
        ? enterFirst(deps, logins, account, visitor, null)
        : { refusal: 'link_gone' };
    },
    async peek(token) {
      const link = await store.findLink(digestOf(token), clock.now());
      if (link === null) return null;
      const known = link.email === null ? null : await store.findAccountByEmail(link.email);
      return { link, hasAccount: known !== null };
    },
    async accept(token, asked, visitor, instead) {
      const link = await findInvitation(deps, token);
      if ('refusal' in link) return link;
      // Checked before the work: the link stays valid until the account signs in, and a caller could retry forever.
      const known = await store.findAccountByEmail(link.email!);
      if (known !== null) return { refusal: 'email_taken' };
      const account = await makeAccount(deps, link, { ...asked, email: link.email! }, visitor);
      if ('refusal' in account) return account;
      const audit = auditOf(account.id, link.tenant!, 'member.joined', clock.now());
      const outcome = await store.useInvitation(digestOf(token), account, audit);
      if (outcome !== 'done') return { refusal: outcome };
      return enterFirst(deps, logins, account, visitor, instead);
    },
    async join(token, { account }, visitor) {
      const link = await findInvitation(deps, token);
      if ('refusal' in link) return link;
      // A stranger who finds the link must not use an invitation for another address.
      if (link.email !== account.email) return { refusal: 'other_account' };
      const audit = auditOf(account.id, link.tenant!, 'member.joined', clock.now());
      const outcome = await store.useInvitation(digestOf(token), { id: account.id }, audit);
      if (outcome !== 'done') return { refusal: outcome };
      return logins.enter(account, visitor, null, []);
    },
    makeResetLink: (email) => offerReset(deps, email),
    async reset(token, password, visitor, instead) {
      const link = await store.findLink(digestOf(token), clock.now());
      if (link?.kind !== 'reset') return { refusal: 'link_gone' };
      const known = await store.findAccountByEmail(link.email!);
      const weak = await deps.passwordCheck.refuse(password, {
        email: link.email!,
        name: known?.name ?? '',
        tenants: known === null ? [] : await tenantsOf(store, known.id),
      });
      if (weak !== null) return weak;
      const whom = workByLink(link, link.email!, visitor);
      const passwordHash = await deps.passwords.hash(password, whom);
      if (passwordHash === null) return { refusal: 'busy' };
      const audit = auditOf('', INSTALLATION, 'password.reset', clock.now());
      const outcome = await store.useReset(digestOf(token), passwordHash, audit);
      const account = await store.findAccountByEmail(link.email!);
      if (outcome !== 'done' || account === null) return { refusal: 'link_gone' };
      // With a session, because the account's device marks are void: other people's guesses must not lock it out.
      const fresh = { ...account, passwordHash, totpSecret: null };
      return enterFirst(deps, logins, fresh, visitor, instead);
    },
  };
}

/** An open invitation, to a tenant that accepts members. */
async function findInvitation(
  { store, clock }: AccountDeps,
  token: string,
): Promise<AccountLink | AccountRefusal> {
  const link = await store.findLink(digestOf(token), clock.now());
  if (link?.kind !== 'invitation') return { refusal: 'link_gone' };
  const tenant = await store.findTenant(link.tenant!);
  return tenant?.active === false ? { refusal: 'tenant_suspended' } : link;
}

async function tenantsOf(store: AccountDeps['store'], account: string): Promise<string[]> {
  return (await store.listMemberships(account)).map(({ tenant }) => tenant);
}

/** The account that a link is for. The first account owns the installation. */
async function makeAccount(
  { passwords, passwordCheck, clock, makeId }: CheckedDeps,
  link: AccountLink,
  { email, name, password }: NewAccount & { readonly email: string },
  visitor: Visitor,
): Promise<Account | AccountRefusal> {
  const tenants = link.tenant === null ? [] : [link.tenant];
  const weak = await passwordCheck.refuse(password, { email, name, tenants });
  if (weak !== null) return weak;
  const passwordHash = await passwords.hash(password, workByLink(link, email, visitor));
  if (passwordHash === null) return { refusal: 'busy' };
  return {
    id: makeId('acc'),
    email,
    name,
    passwordHash,
    isOperator: link.kind === 'setup',
    totpSecret: null,
    totpStep: 0,
    passkeyRevision: 0,
    createdAt: clock.now(),
  };
}

async function enterFirst(
  { store }: AccountDeps,
  logins: Logins,
  account: Account,
  visitor: Visitor,
  instead: string | null,
): Promise<Entered | AccountRefusal> {
  const memberships = await store.listMemberships(account.id);
  const audits = logins.audits(account, memberships, 'login.begun');
  return logins.enter(account, visitor, instead, audits);
}

function auditOf(account: string, tenant: string, act: string, at: number): AuditRow {
  return { tenant, actor: `member:${account}`, act, object: account, at };
}
