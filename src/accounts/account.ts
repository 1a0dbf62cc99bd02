/** Who may use the dashboard: accounts, their roles in tenants, and the links that create them. */

export const ROLES = ['owner', 'developer', 'support', 'viewer'] as const;
export type Role = (typeof ROLES)[number];
/**
 * Who may create players' and bots' tokens in test mode; the tokens stay valid only with that right
 * (rules B3, D6).
 */
export const PLAY_TOKEN_ROLES: readonly Role[] = ['owner', 'developer'];
/** Who may create a watcher's token, which stays valid only with that right (rule D6). */
export const WATCH_TOKEN_ROLES: readonly Role[] = ['owner', 'developer', 'support'];

export interface Account {
  readonly id: string;
  /** In lower case, unique. */
  readonly email: string;
  readonly name: string;
  /** Argon2id, as PHC text. */
  readonly passwordHash: string;
  /** The installation's owner: has the role of owner in every tenant. */
  readonly isOperator: boolean;
  /** Sealed; null without a second factor. */
  readonly totpSecret: string | null;
  /** The 30 s step of the last code that was used: none up to it counts again. */
  readonly totpStep: number;
  /** Rises with each passkey that is added or removed: operations that began before are refused. */
  readonly passkeyRevision: number;
  readonly createdAt: number;
}

/** A WebAuthn credential that signs in to an account. */
export interface Passkey {
  /** Public: by it a passkey is listed and removed. */
  readonly id: string;
  readonly account: string;
  /** The authenticator's own name for it, in base64url; unique. */
  readonly credential: string;
  /** What the member calls it. */
  readonly name: string;
  /** A COSE key, in base64url. */
  readonly publicKey: string;
  /** The authenticator's count of signatures when it was last used; 0 where it counts none. */
  readonly counter: number;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

/** Passkeys of an account at once. */
export const PASSKEYS_MAX = 20;

/**
 * Whether an authenticator's counter advanced; a copy of it repeats values. 0 twice: it has no
 * counter.
 */
export function isCounterGood(before: number, now: number): boolean {
  return now > before || (now === 0 && before === 0);
}

export interface Membership {
  readonly account: string;
  readonly tenant: string;
  readonly role: Role;
  readonly since: number;
}

/** A browser that is signed in. */
export interface LoginSession {
  /** Public: by it a session is listed and ended. */
  readonly id: string;
  readonly account: string;
  readonly createdAt: number;
  readonly seenAt: number;
  /** Over then, however much it is used. */
  readonly expiresAt: number;
  readonly address: string;
  /** The browser's own name for itself, cut short. */
  readonly agent: string;
  /** The name of the passkey it began with; null where it began without one. */
  readonly passkey: string | null;
}

const LINK_KINDS = ['setup', 'invitation', 'reset'] as const;
export type LinkKind = (typeof LINK_KINDS)[number];

/** A link that works once. Its text is not stored, only a digest. */
export interface AccountLink {
  readonly id: string;
  readonly kind: LinkKind;
  /** Of an invitation: where to, as what. */
  readonly tenant: string | null;
  readonly role: Role | null;
  /** Null lets the guest choose it: only for the setup of the installation. */
  readonly email: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
}

const HOUR_MS = 3_600_000;

/** How long links work. Each start of the service without an account prints a fresh one. */
export const LINK_LIFE_MS: Readonly<Record<LinkKind, number>> = {
  setup: HOUR_MS,
  invitation: 7 * 24 * HOUR_MS,
  reset: HOUR_MS,
};

/** A session that is not used ends after this; in any case after the second. */
export const SESSION_IDLE_MS = 12 * HOUR_MS;
export const SESSION_LIFE_MS = 7 * 24 * HOUR_MS;

export function isSessionAlive({ seenAt, expiresAt }: LoginSession, now: number): boolean {
  return now < expiresAt && now < seenAt + SESSION_IDLE_MS;
}

const EMAIL_CHARS_MAX = 254;
/** One @ with something on both sides and no white space: more only the post office knows. */
const EMAIL = /^[^\s@\p{C}]{1,64}@[^\s@\p{C}]+\.[^\s@\p{C}]+$/u;

/** In its stored form; null for an invalid address. */
export function parseEmail(text: string): string | null {
  const email = text.trim().toLowerCase();
  return email.length <= EMAIL_CHARS_MAX && EMAIL.test(email) ? email : null;
}

const PASSWORD_CHARS_MIN = 12;
const PASSWORD_CHARS_MAX = 128;
const DIFFERENT_CHARS_MIN = 5;

/** Is it long enough, no mere repetition, and without the address in it? */
export function isPasswordGood(password: string, email: string): boolean {
  const characters = [...password];
  if (characters.length < PASSWORD_CHARS_MIN || characters.length > PASSWORD_CHARS_MAX)
    return false;
  if (new Set(characters).size < DIFFERENT_CHARS_MIN) return false;
  return !password.toLowerCase().includes(email);
}
