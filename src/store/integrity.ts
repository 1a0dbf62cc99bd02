/** The port to device checks: credentials, challenges, seen tokens and attested keys. */

import type { RegisteredCredential } from '../integrity/credential.ts';
import type { Platform } from '../integrity/verdict.ts';
import type { KeyMode } from '../tenancy/tenant.ts';
import type { AuditRow, IdempotencyRow } from './store.ts';

export type CredentialRow = RegisteredCredential & {
  readonly tenant: string;
  /** The mode that it was registered in (rule K3). */
  readonly mode: KeyMode;
  /** ms since 1970. */
  readonly updatedAt: number;
};

/** A tenant's credentials for a platform in one mode. */
export type CredentialId = Pick<CredentialRow, 'tenant' | 'mode' | 'platform'>;

/** A challenge, stored as a digest: a reader of the database cannot use it. */
export interface ChallengeRow {
  /** Hex SHA-256 of its text. */
  readonly digest: string;
  readonly tenant: string;
  /** The mode in which it is valid. */
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

/** `used`: used by this call, and not usable again. `unknown` also covers other tenants, modes and platforms. */
export type ChallengeOutcome = 'used' | 'unknown' | 'expired' | 'reused';

/** A token as a request presents it. Digests are hex SHA-256. */
export interface TokenUse {
  /** Digest of the token's text. */
  readonly digest: string;
  /** Digest of the caller and the purpose: the finding is returned to the same request only. */
  readonly claim: string;
  readonly now: number;
  /** Findings of tokens noted before this time are not returned any more. */
  readonly heldSince: number;
}

/** `new`: noted by this call. `held`: a finding stored for this claim, which is removed with this call. */
export type TokenOutcome =
  | { readonly kind: 'new' | 'spent' }
  | { readonly kind: 'held'; readonly held: string };

/** A device's app key, attested by Apple. */
export interface AttestedKey {
  readonly tenant: string;
  /** The mode in which it was attested. */
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
  /**
   * Replaces the tenant's credentials for the platform in that mode. Audited; the stored response
   * is part of the same commit.
   */
  putCredential(
    row: CredentialRow,
    audit: AuditRow,
    idempotency: IdempotencyRow | null,
  ): Promise<void>;
  /** False when there were none; then nothing is written. */
  removeCredential(
    id: CredentialId,
    audit: AuditRow,
    idempotency: IdempotencyRow | null,
  ): Promise<boolean>;
  /** The credentials that checks in that mode use. Test mode falls back to the live ones. */
  findCredential(id: CredentialId): Promise<CredentialRow | null>;
  /** Those of that mode only, newest first. */
  listCredentials(tenant: string, mode: KeyMode): Promise<readonly CredentialRow[]>;
  addChallenge(row: ChallengeRow, idempotency: IdempotencyRow | null): Promise<void>;
  /** Atomic: of parallel uses of one challenge, one gets `used`. */
  useChallenge(use: ChallengeUse): Promise<ChallengeOutcome>;
  /**
   * Notes the digest of a token before it is verified. It is new once, over all tenants and
   * processes. Of parallel calls with the claim of a stored finding, one gets it.
   */
  noteToken(use: TokenUse): Promise<TokenOutcome>;
  /** Stores a finding with a token that was noted for this claim; with any other token it writes nothing. */
  holdFinding(token: Pick<TokenUse, 'digest' | 'claim'>, held: string): Promise<void>;
  /** False when the key is stored already in that mode; for test mode also when the live one has it. */
  addAttestedKey(key: AttestedKey): Promise<boolean>;
  /** Test mode falls back to the live key. */
  findAttestedKey(id: AttestedKeyId): Promise<AttestedKey | null>;
  /**
   * Atomic: false unless the counter is higher than any the key has shown in that mode. Test mode
   * copies a live key first, so that the live counter is unchanged.
   */
  raiseCounter(id: AttestedKeyId, counter: number): Promise<boolean>;
  /** Removes challenges that expired and tokens noted before these times. Returns how many. */
  removeIntegrity(step: {
    readonly expiredBefore: number;
    readonly notedBefore: number;
    readonly limit: number;
  }): Promise<number>;
}
