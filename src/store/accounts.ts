/** The port to accounts: who may use the dashboard, and the browsers that are signed in. */

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

/** What was asked for: when the account has something else by now, nothing comes of it. */
export type Proven = Pick<Account, 'passwordHash' | 'totpSecret' | 'passkeyRevision'>;

/** A session to begin. */
export interface NewLogin {
  readonly session: LoginSession;
  /** Hex SHA-256 of what the browser keeps. */
  readonly tokenHash: string;
  readonly proven: Proven;
  /** What a passkey signed for it; null without one. */
  readonly signed: SignedChallenge | null;
}

/** A signature of a passkey, once it is checked. */
export interface SignedChallenge {
  /** The passkey's id. */
  readonly passkey: string;
  /** The authenticator's count with this signature. */
  readonly counter: number;
  /** Hex SHA-256 of the challenge: it is good for one session. */
  readonly challengeHash: string;
  /** When the challenge expires: until then it is remembered. */
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
   * Counts a try as a failure, against each of the names, before it is known to be one: many at once are many all the
   * same. 0; or how long to wait, ms, where one of them has to: then it counts against none.
   */
  beginTry(names: readonly TriedName[], now: number): Promise<number>;
  /** The try was none, or was right: the failures of `forgotten` are, of `uncounted` this one is taken back. */
  endTry(forgotten: readonly string[], uncounted: readonly string[]): Promise<void>;
}

export interface AccountStore extends LoginBrake {
  hasAccount(): Promise<boolean>;
  findAccount(id: string): Promise<Account | null>;
  findAccountByEmail(email: string): Promise<Account | null>;
  listMemberships(account: string): Promise<readonly Membership[]>;
  listMembers(tenant: string): Promise<readonly Member[]>;
  /** Who owns the installation, and by that has the role of owner in every tenant; by their age. */
  listOperators(): Promise<readonly Pick<Account, 'id' | 'email' | 'name'>[]>;

  /**
   * A link of the kind `setup` takes the place of all of its kind. `full` when so many of the link's
   * kind wait in its tenant; null for any number.
   */
  putLink(
    link: AccountLink,
    hash: string,
    audit: AuditRow | null,
    waitingMax?: number | null,
  ): Promise<'put' | 'full'>;
  /** Null for one that is used, over or unknown. */
  findLink(hash: string, now: number): Promise<AccountLink | null>;
  listLinks(tenant: string, now: number): Promise<readonly AccountLink[]>;
  removeLink(tenant: string, id: string, audit: AuditRow): Promise<boolean>;
  /** Makes the first account. `link_gone` too when there is an account already. */
  useSetupLink(hash: string, account: Account, audit: AuditRow): Promise<'done' | 'link_gone'>;
  /**
   * Makes the account, unless it is there, and the member. Their sessions end, and the other invitations
   * that wait for them there.
   */
  useInvitation(
    hash: string,
    account: Account | { readonly id: string },
    audit: AuditRow,
  ): Promise<InvitationOutcome>;
  /** A new password, no second factor and no passkeys; all sessions and other such links end. */
  useReset(hash: string, passwordHash: string, audit: AuditRow): Promise<'done' | 'link_gone'>;

  /** Their sessions end. False when the account is not as it was proven. */
  setPassword(
    account: string,
    proven: Proven,
    passwordHash: string,
    audits: readonly AuditRow[],
  ): Promise<boolean>;
  /**
   * Null takes the one-time codes away. Recovery codes are replaced by those of these digests, and
   * stay where none are given to an account with passkeys; its sessions end. False when the account
   * is not as it was proven.
   */
  setTotp(
    account: string,
    proven: Proven,
    totp: { readonly secret: string; readonly step: number } | null,
    recoveryHashes: readonly string[],
    audits: readonly AuditRow[],
  ): Promise<boolean>;
  /** False when that step or a later one was used before: of any number at once one succeeds. */
  useTotpStep(account: string, step: number): Promise<boolean>;
  useRecoveryCode(account: string, hash: string): Promise<boolean>;
  listPasskeys(account: string): Promise<readonly Passkey[]>;
  /** By the authenticator's own name for it. */
  findPasskey(credential: string): Promise<Passkey | null>;
  /**
   * The account's sessions end. Recovery codes of these digests replace all; an empty list leaves
   * them. `changed` when the account is not as it was proven, `taken` when there is a passkey of that
   * credential, `full` at `PASSKEYS_MAX`.
   */
  addPasskey(
    passkey: Passkey,
    proven: Proven,
    recoveryHashes: readonly string[],
    audits: readonly AuditRow[],
  ): Promise<PasskeyOutcome>;
  /**
   * The account's sessions end, and with its last second factor its recovery codes. `changed` when
   * the account is not as it was proven.
   */
  removePasskey(
    account: string,
    id: string,
    proven: Proven,
    audits: readonly AuditRow[],
  ): Promise<'removed' | 'changed' | 'not_found'>;
  countRecoveryCodes(account: string): Promise<number>;
  /** Their sessions end, and invitations that still wait for them there. */
  setRole(
    tenant: string,
    account: string,
    role: Role | null,
    audit: AuditRow,
  ): Promise<MemberOutcome>;

  /**
   * `instead`: a session whose place it takes. Answers whether it began: not when the account is not as
   * it was proven, nor when the passkey's challenge was used or its count did not go on.
   */
  beginLogin(
    login: NewLogin,
    instead: string | null,
    audits: readonly AuditRow[],
  ): Promise<boolean>;
  findLogin(tokenHash: string): Promise<LoginSession | null>;
  listLogins(account: string): Promise<readonly LoginSession[]>;
  touchLogin(id: string, at: number): Promise<void>;
  /** All of the account but `except`, or one. Answers how many there were. */
  endLogins(
    account: string,
    which: { readonly id: string } | { readonly except: string | null },
    audits: readonly AuditRow[],
  ): Promise<number>;
  /** Sessions not used since, or over; links and used challenges that are over. Answers how many went. */
  removeStaleLogins(seenBefore: number, now: number, triedNamesMax?: number): Promise<number>;
}
