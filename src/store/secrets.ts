/** The port to encrypted secrets: all of them in one list, to be encrypted with another key. */

/** One stored secret: encrypted, or in clear if written before encryption was set up. */
export interface StoredSecret {
  /** A webhook's, a token signing secret, or an account's one-time codes. */
  readonly kind: 'webhook' | 'token' | 'totp';
  /** The webhook's id, the secret's `kid`, the account's id. */
  readonly id: string;
  /** JSON of a webhook's secrets; base64 of a signing secret's bytes; the text of a one-time code's secret. */
  readonly text: string;
}

export interface SecretChange {
  readonly read: StoredSecret;
  readonly text: string;
}

export interface SecretStore {
  listSecrets(): Promise<readonly StoredSecret[]>;
  /**
   * Replaces each text that is still as it was read, in one commit; changed ones are skipped.
   * Returns how many were replaced. The old texts do not remain in the file.
   */
  replaceSecrets(changes: readonly SecretChange[]): Promise<number>;
}

/** What a store that several nodes share has in addition. */
export interface SharedSecretStore {
  /**
   * As `replaceSecrets`, but only while no node has a lease, and none can begin. Returns how many
   * leases are valid: if there is one, nothing is written.
   */
  replaceUnserved(changes: readonly SecretChange[]): Promise<number>;
}
