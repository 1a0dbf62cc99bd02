/** The port to accounts: the people who may use the dashboard, and their signed-in browsers. */

import type {
  Account,
  AccountLink,
  LoginSession,
  Membership,
  Passkey,
  Role,
} from '../accounts/account.ts';
import type { TriedName } from '../accounts/login-brake.ts';
import type { AuditRow } from './store.ts';

/** A tenant's member, as its owners see it. */
export interface Member extends Membership {
  readonly email: string;
  readonly name: string;
  readonly hasSecondFactor: boolean;
}

/** The credentials that the caller verified. The write fails if the account has changed since. */
export type Proven = Pick<Account, 'passwordHash' | 'totpSecret' | 'passkeyRevision'>;

/** A session to start. */
export interface NewLogin {
  readonly session: LoginSession;
  /** Hex SHA-256 of the token that the browser stores. */
  readonly tokenHash: string;
  readonly proven: Proven;
  /** The challenge that a passkey signed to sign in; null without a passkey. */
  readonly signed: SignedChallenge | null;
}

/** A verified passkey signature. */
export interface SignedChallenge {
  /** The passkey's id. */
  readonly passkey: string;
  /** The authenticator's signature counter. */
  readonly counter: number;
  /** Hex SHA-256 of the challenge. A challenge starts one session only. */
  readonly challengeHash: string;
  /** When the challenge expires. It is remembered until then. */
  readonly expiresAt: number;
}

export type PasskeyOutcome = 'added' | 'changed' | 'taken' | 'full';

export type MemberOutcome = 'done' | 'not_found' | 'last_owner';
export type InvitationOutcome =
  | 'done'
  | 'link_gone'
  | 'email_taken'
  | 'last_owner'
  | 'tenant_suspended';

export interface LoginBrake {
  /**
   * Counts an attempt as a failure against each name before its result is known, so that parallel
   * attempts all count. Returns 0, or the wait in ms if one of the names is blocked; then the
   * attempt counts against none.
   */
  beginTry(names: readonly TriedName[], now: number): Promise<number>;
  /**
   * Corrects the counts once the result is known: clears the failures of `forgotten` and takes this
   * attempt back from `uncounted`.
   */
  endTry(forgotten: readonly string[], uncounted: readonly string[]): Promise<void>;
}

export interface AccountStore extends LoginBrake {
  hasAccount(): Promise<boolean>;
  findAccount(id: string): Promise<Account | null>;
  findAccountByEmail(email: string): Promise<Account | null>;
  listMemberships(account: string): Promise<readonly Membership[]>;
  listMembers(tenant: string): Promise<readonly Member[]>;
  /** The operators of the installation, who are owners of every tenant; oldest first. */
  listOperators(): Promise<readonly Pick<Account, 'id' | 'email' | 'name'>[]>;

  /**
   * A `setup` link replaces all other `setup` links. `full` when the tenant has that many pending
   * links of the kind; null for no limit.
   */
  putLink(
    link: AccountLink,
    hash: string,
    audit: AuditRow | null,
    waitingMax?: number | null,
  ): Promise<'put' | 'full'>;
  /** Null for a link that is used, expired or unknown. */
  findLink(hash: string, now: number): Promise<AccountLink | null>;
  listLinks(tenant: string, now: number): Promise<readonly AccountLink[]>;
  removeLink(tenant: string, id: string, audit: AuditRow): Promise<boolean>;
  /** Creates the first account. Also `link_gone` when an account exists already. */
  useSetupLink(hash: string, account: Account, audit: AuditRow): Promise<'done' | 'link_gone'>;
  /**
   * Creates the account if it does not exist, and the member. Ends their sessions and their other
   * pending invitations in that tenant.
   */
  useInvitation(
    hash: string,
    account: Account | { readonly id: string },
    audit: AuditRow,
  ): Promise<InvitationOutcome>;
  /**
   * Sets a new password and removes the second factor and the passkeys. All sessions and all other
   * reset links end.
   */
  useReset(hash: string, passwordHash: string, audit: AuditRow): Promise<'done' | 'link_gone'>;

  /** Ends their sessions. False when the account has changed since it was verified. */
  setPassword(
    account: string,
    proven: Proven,
    passwordHash: string,
    audits: readonly AuditRow[],
  ): Promise<boolean>;
  /**
   * Null turns one-time codes off. The recovery codes are replaced by these digests; without
   * digests, an account with passkeys keeps its codes. Ends the account's sessions. False when the
   * account has changed since it was verified.
   */
  setTotp(
    account: string,
    proven: Proven,
    totp: { readonly secret: string; readonly step: number } | null,
    recoveryHashes: readonly string[],
    audits: readonly AuditRow[],
  ): Promise<boolean>;
  /** False when that time step or a later one was used before. Of parallel calls one succeeds. */
  useTotpStep(account: string, step: number): Promise<boolean>;
  useRecoveryCode(account: string, hash: string): Promise<boolean>;
  listPasskeys(account: string): Promise<readonly Passkey[]>;
  /** By the authenticator's credential id. */
  findPasskey(credential: string): Promise<Passkey | null>;
  /**
   * Ends the account's sessions. These digests replace all recovery codes; an empty list keeps
   * them. `changed` when the account has changed since it was verified, `taken` when the credential
   * is registered already, `full` at `PASSKEYS_MAX`.
   */
  addPasskey(
    passkey: Passkey,
    proven: Proven,
    recoveryHashes: readonly string[],
    audits: readonly AuditRow[],
  ): Promise<PasskeyOutcome>;
  /**
   * Ends the account's sessions; the last second factor takes the recovery codes with it. `changed`
   * when the account has changed since it was verified.
   */
  removePasskey(
    account: string,
    id: string,
    proven: Proven,
    audits: readonly AuditRow[],
  ): Promise<'removed' | 'changed' | 'not_found'>;
  countRecoveryCodes(account: string): Promise<number>;
  /** Ends their sessions and their pending invitations in that tenant. */
  setRole(
    tenant: string,
    account: string,
    role: Role | null,
    audit: AuditRow,
  ): Promise<MemberOutcome>;

  /**
   * `instead`: a session that this one replaces. False when the account has changed since it was
   * verified, the passkey's challenge was used, or its counter did not rise.
   */
  beginLogin(
    login: NewLogin,
    instead: string | null,
    audits: readonly AuditRow[],
  ): Promise<boolean>;
  findLogin(tokenHash: string): Promise<LoginSession | null>;
  listLogins(account: string): Promise<readonly LoginSession[]>;
  touchLogin(id: string, at: number): Promise<void>;
  /** Ends all sessions of the account except `except`, or one session. Returns how many. */
  endLogins(
    account: string,
    which: { readonly id: string } | { readonly except: string | null },
    audits: readonly AuditRow[],
  ): Promise<number>;
  /** Removes idle and expired sessions, expired links and expired challenges. Returns how many. */
  removeStaleLogins(seenBefore: number, now: number, triedNamesMax?: number): Promise<number>;
}
