/** The port to what device checks need: credentials, challenges, tokens seen and attested keys. */

import type { RegisteredCredential } from '../integrity/credential.ts';
import type { Platform } from '../integrity/verdict.ts';
import type { KeyMode } from '../tenancy/tenant.ts';
import type { AuditRow, IdempotencyRow } from './store.ts';

export type CredentialRow = RegisteredCredential & {
  readonly tenant: string;
  /** The world that it was registered in (rule K3). */
  readonly mode: KeyMode;
  /** ms since 1970. */
  readonly updatedAt: number;
};

/** What a tenant has of a platform in one world. */
export type CredentialId = Pick<CredentialRow, 'tenant' | 'mode' | 'platform'>;

/** A challenge is known by its digest: who reads the store cannot use it. */
export interface ChallengeRow {
  /** Hex SHA-256 of its text. */
  readonly digest: string;
  readonly tenant: string;
  /** It counts in this world alone. */
  readonly mode: KeyMode;
  readonly platform: Platform;
  readonly expiresAt: number;
}

export interface ChallengeUse {
  readonly digest: string;
  readonly tenant: string;
  readonly mode: KeyMode;
  readonly platform: Platform;
  readonly now: number;
}

/** `used`: by this very call, and never again. `unknown` is another tenant's, world's or platform's too. */
export type ChallengeOutcome = 'used' | 'unknown' | 'expired' | 'reused';

/** A token as one request brings it. Digests are hex SHA-256. */
export interface TokenUse {
  /** Of its text. */
  readonly digest: string;
  /** Of who asks for what: what came of the token is handed to no other request. */
  readonly claim: string;
  readonly now: number;
  /** What is held of tokens noted before this time is handed out no more. */
  readonly heldSince: number;
}

/** `new`: noted by this very call. `held`: what was held for its claim, and is held no more. */
export type TokenOutcome =
  | { readonly kind: 'new' | 'spent' }
  | { readonly kind: 'held'; readonly held: string };

/** A key of an app on one device, attested by Apple. */
export interface AttestedKey {
  readonly tenant: string;
  /** The world in which it was attested. */
  readonly mode: KeyMode;
  readonly appId: string;
  /** Base64. */
  readonly keyId: string;
  /** The uncompressed point on P-256, base64. */
  readonly publicKey: string;
  readonly environment: string;
  readonly attestedAt: number;
}

export type AttestedKeyId = Pick<AttestedKey, 'tenant' | 'mode' | 'appId' | 'keyId'>;

export interface IntegrityStore {
  /** Replaces what the tenant had for the platform in that world. Audited; the answer is kept in the same commit. */
  putCredential(
    row: CredentialRow,
    audit: AuditRow,
    idempotency: IdempotencyRow | null,
  ): Promise<void>;
  /** False when there was none: then nothing is written. */
  removeCredential(
    id: CredentialId,
    audit: AuditRow,
    idempotency: IdempotencyRow | null,
  ): Promise<boolean>;
  /** What checks in that world go by. Test mode reads the live one's where it has none. */
  findCredential(id: CredentialId): Promise<CredentialRow | null>;
  /** Those of that world alone, the newest first. */
  listCredentials(tenant: string, mode: KeyMode): Promise<readonly CredentialRow[]>;
  addChallenge(row: ChallengeRow, idempotency: IdempotencyRow | null): Promise<void>;
  /** One step: of any number of uses of one challenge, one gets `used`. */
  useChallenge(use: ChallengeUse): Promise<ChallengeOutcome>;
  /**
   * Notes the digest of a token before it is looked at. It is new once, whichever tenant and process
   * asks; and of any number of calls with the claim that something is held for, one gets it.
   */
  noteToken(use: TokenUse): Promise<TokenOutcome>;
  /** Holds a text beside a token that was noted for this claim; beside another's it writes nothing. */
  holdFinding(token: Pick<TokenUse, 'digest' | 'claim'>, held: string): Promise<void>;
  /** False when the key is kept already in that world; for test mode in the live one, too. */
  addAttestedKey(key: AttestedKey): Promise<boolean>;
  /** Test mode reads the live one's where it has none. */
  findAttestedKey(id: AttestedKeyId): Promise<AttestedKey | null>;
  /**
   * One step: false unless the counter is above all that the key has shown before in that world. In the
   * test mode a live key is copied first, so that the live counter stays as it is.
   */
  raiseCounter(id: AttestedKeyId, counter: number): Promise<boolean>;
  /** Removes challenges that expired and tokens noted before these times; answers how many. */
  removeIntegrity(step: {
    readonly expiredBefore: number;
    readonly notedBefore: number;
    readonly limit: number;
  }): Promise<number>;
}
