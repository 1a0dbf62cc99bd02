/** The port to secrets that are kept sealed: all of them in one list, to be sealed with another key. */

/** One row as it is kept: sealed, or in clear from before there was a seal. */
export interface StoredSecret {
  /** Of a webhook, of the service's own tokens, of an account's one-time codes. */
  readonly kind: 'webhook' | 'token' | 'totp';
  /** The webhook's id, the secret's `kid`, the account's id. */
  readonly id: string;
  /** JSON of a webhook's secrets; base64 of a token secret's bytes; the text of a one-time code's. */
  readonly text: string;
}

export interface SecretChange {
  readonly read: StoredSecret;
  readonly text: string;
}

export interface SecretStore {
  listSecrets(): Promise<readonly StoredSecret[]>;
  /**
   * Writes each `text` in the place of what was read, in one commit; where something else stands by
   * now nothing is written. Answers how many were. Nothing that was replaced stays where it lay.
   */
  replaceSecrets(changes: readonly SecretChange[]): Promise<number>;
}

/** What a store has besides that several nodes share. */
export interface SharedSecretStore {
  /**
   * As `replaceSecrets`, while no node's lease holds, and none can begin. Answers how many hold:
   * where there is one nothing is written.
   */
  replaceUnserved(changes: readonly SecretChange[]): Promise<number>;
}
