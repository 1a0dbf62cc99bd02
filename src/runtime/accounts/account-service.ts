/** The account operations behind the dashboard's routes and the command line. */

import type {
  Account,
  AccountLink,
  LoginSession,
  Membership,
  Passkey,
  Role,
} from '../../accounts/account.ts';
import type { AccountStore, Member, MemberOutcome } from '../../store/accounts.ts';
import type { JournalStore } from '../../store/journal.ts';
import type { TenancyStore } from '../../store/store.ts';
import type { MakeId } from '../ids.ts';
import type { Clock, Randomness } from '../ports.ts';
import type { Sealer } from '../sealing/sealer.ts';
import type { PasswordCheck, PasswordRefusal } from './password-check.ts';
import type { Passwords } from './passwords.ts';
import type { RegistrationAnswer, SignInAnswer } from './webauthn.ts';

/** A signed-in account, as of this request. */
export interface SignedIn {
  readonly account: Account;
  readonly session: LoginSession;
  readonly memberships: readonly Membership[];
}

/** Where a request comes from. */
export interface Visitor {
  readonly address: string;
  /** The browser's name for itself. */
  readonly agent: string;
  /** The device mark that identifies the browser, not checked yet; null for none. */
  readonly device: string | null;
}

/** The session's token, for the cookie. The server does not store it. */
export interface Entered {
  readonly token: string;
  readonly session: LoginSession;
  /** The password is on the list of common passwords: it was set before that list was enforced. */
  readonly isPasswordCommon?: true;
}

/** Why a sign-in is refused: a closed list, mapped to statuses at the edge. */
export type AccountRefusal =
  | { readonly refusal: 'wrong_login' | 'wrong_code' | 'code_required' | 'busy' }
  | { readonly refusal: 'too_many_tries'; readonly waitMs: number }
  | { readonly refusal: 'link_gone' | 'email_taken' | 'other_account' }
  | PasswordRefusal
  | { readonly refusal: 'tenant_suspended' }
  | { readonly refusal: 'last_owner' }
  | { readonly refusal: 'no_second_factor' | 'has_second_factor' }
  | { readonly refusal: 'passkey_required' | 'wrong_passkey' | 'password_required' }
  | { readonly refusal: 'passkeys_unavailable' | 'challenge_expired' | 'passkey_taken' }
  | { readonly refusal: 'too_many_passkeys' | 'passkey_not_found' };

export interface Credentials {
  readonly email: string;
  readonly password: string;
  /** Of the second factor, or a recovery code; null when none was given. */
  readonly code: string | null;
  /** Of a passkey as the second factor; null when none was given. */
  readonly passkey: PasskeyAnswer | null;
}

/** What a passkey signed. */
export interface PasskeyAnswer {
  /** The challenge as the browser stored it; null when the browser has none. */
  readonly sealed: string | null;
  readonly answer: SignInAnswer;
}

/** What a browser asks an authenticator for. */
export interface PasskeyOffer {
  /** The browser returns it with the answer: the server stores nothing until then. */
  readonly sealed: string;
  /** WebAuthn's options in their JSON form. */
  readonly options: object;
}

/** A passkey to add. */
export interface NewPasskey {
  readonly sealed: string;
  readonly name: string;
  readonly answer: RegistrationAnswer;
}

export interface NewAccount {
  readonly name: string;
  readonly password: string;
}

/** What a link opens. */
export interface LinkView {
  readonly link: AccountLink;
  /** Does the invited address have an account? Then its owner signs in first. */
  readonly hasAccount: boolean;
}

/** A link with its token, which the server does not store. */
export interface MadeLink {
  readonly link: AccountLink;
  readonly token: string;
}

export interface TotpOffer {
  /** The client returns it with the first code: the server stores nothing until then. */
  readonly sealed: string;
  readonly secret: string;
  readonly uri: string;
}

export interface AccountService {
  /** The text of a link that makes the first account; null when there is one. */
  makeSetupLink(): Promise<string | null>;
  setUp(
    token: string,
    account: NewAccount & { readonly email: string },
    visitor: Visitor,
  ): Promise<Entered | AccountRefusal>;
  peek(token: string): Promise<LinkView | null>;
  /** Creates the invited account. `instead`: the browser's session before, which ends. */
  accept(
    token: string,
    account: NewAccount,
    visitor: Visitor,
    instead: string | null,
  ): Promise<Entered | AccountRefusal>;
  /**
   * An account joins another tenant, or gets another role in its own. Ends all its sessions; the browser that
   * asked gets a new one.
   */
  join(token: string, signedIn: SignedIn, visitor: Visitor): Promise<Entered | AccountRefusal>;
  /** For an owner who lost password or second factor; from the command line alone. Null: no such account. */
  makeResetLink(email: string): Promise<string | null>;
  /** `instead`: the browser's session before, which ends. */
  reset(
    token: string,
    password: string,
    visitor: Visitor,
    instead: string | null,
  ): Promise<Entered | AccountRefusal>;

  /** `instead` as in `reset`. */
  login(
    credentials: Credentials,
    visitor: Visitor,
    instead: string | null,
  ): Promise<Entered | AccountRefusal>;
  /** Null for a token that is unknown or expired. */
  find(token: string): Promise<SignedIn | null>;
  /** A device mark for the browser to store; null when it has a valid one. */
  markDevice(signedIn: SignedIn, visitor: Visitor): string | null;
  listLogins(signedIn: SignedIn): Promise<readonly LoginSession[]>;
  /** False when the session belongs to another account, or has ended. */
  endLogin(signedIn: SignedIn, id: string): Promise<boolean>;
  endOtherLogins(signedIn: SignedIn): Promise<number>;
  /** Ends all sessions; the browser that asked gets a new one. */
  changePassword(
    signedIn: SignedIn,
    current: string,
    next: string,
    visitor: Visitor,
  ): Promise<Entered | AccountRefusal>;

  offerTotp(
    signedIn: SignedIn,
    password: string,
    visitor: Visitor,
  ): Promise<TotpOffer | AccountRefusal>;
  /** The recovery codes are shown this once. */
  confirmTotp(
    signedIn: SignedIn,
    sealed: string,
    code: string,
    visitor: Visitor,
  ): Promise<(Entered & { readonly recoveryCodes: readonly string[] }) | AccountRefusal>;
  dropTotp(
    signedIn: SignedIn,
    password: string,
    code: string,
    visitor: Visitor,
  ): Promise<Entered | AccountRefusal>;
  countRecoveryCodes(signedIn: SignedIn): Promise<number>;

  /** Where the dashboard has to be open for passkeys to work; null where they cannot. */
  readonly passkeyOrigin: string | null;
  offerPasskeySignIn(): PasskeyOffer | AccountRefusal;
  /** Signs in with a passkey alone; it counts as both factors. `instead` as in `reset`. */
  loginByPasskey(
    answer: PasskeyAnswer,
    visitor: Visitor,
    instead: string | null,
  ): Promise<Entered | AccountRefusal>;
  listPasskeys(signedIn: SignedIn): Promise<readonly Passkey[]>;
  /** `password` may be null shortly after a sign-in. */
  offerPasskey(
    signedIn: SignedIn,
    password: string | null,
    visitor: Visitor,
  ): Promise<PasskeyOffer | AccountRefusal>;
  /**
   * Ends all sessions; the browser that asked gets a new one. Recovery codes come with the first
   * second factor of an account, shown this once; else none.
   */
  addPasskey(
    signedIn: SignedIn,
    passkey: NewPasskey,
    visitor: Visitor,
  ): Promise<(Entered & { readonly recoveryCodes: readonly string[] }) | AccountRefusal>;
  /** Ends all sessions; the browser that asked gets a new one. `password` as in `offerPasskey`. */
  removePasskey(
    signedIn: SignedIn,
    id: string,
    password: string | null,
    visitor: Visitor,
  ): Promise<Entered | AccountRefusal>;

  invite(tenant: string, role: Role, email: string, actor: SignedIn): Promise<MadeLink | 'full'>;
  listMembers(tenant: string): Promise<readonly Member[]>;
  listOperators: AccountStore['listOperators'];
  listInvitations(tenant: string): Promise<readonly AccountLink[]>;
  withdraw(tenant: string, link: string, actor: SignedIn): Promise<boolean>;
  /** Null removes the member. Their sessions end, so no session outlives a change of rights. */
  setRole(
    tenant: string,
    account: string,
    role: Role | null,
    actor: SignedIn,
  ): Promise<MemberOutcome>;
  /** An account's display name, by id; null when there is none. */
  nameOf(account: string): Promise<string | null>;
  /** Removes expired sessions and links. Returns how many. */
  sweep(): Promise<number>;
}

export interface AccountDeps {
  readonly store: AccountStore & Pick<TenancyStore, 'findTenant'> & Pick<JournalStore, 'addAudit'>;
  readonly passwords: Passwords;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly makeId: MakeId;
  /** The dashboard's address: passkeys work there only. */
  readonly publicUrl: string;
}

/** With the check of new passwords. */
export interface CheckedDeps extends AccountDeps {
  readonly passwordCheck: PasswordCheck;
}

export function isRefused<T>(outcome: T | AccountRefusal): outcome is AccountRefusal {
  return typeof outcome === 'object' && outcome !== null && 'refusal' in outcome;
}
