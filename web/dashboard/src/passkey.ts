/** Passkeys in WebAuthn's JSON form. */

import type { Json } from './api.ts';

/** The parts of the browser's API that the DOM types lack. */
interface JsonForm {
  parseCreationOptionsFromJSON(options: Json): PublicKeyCredentialCreationOptions;
  parseRequestOptionsFromJSON(options: Json): PublicKeyCredentialRequestOptions;
}

/** Whether this browser supports passkeys; otherwise the password is used. */
export function hasPasskeys(): boolean {
  return (
    typeof PublicKeyCredential === 'function' &&
    'parseRequestOptionsFromJSON' in PublicKeyCredential
  );
}

const jsonForm = (): JsonForm => PublicKeyCredential as unknown as JsonForm;

/** A new passkey for the service's options; rejects with a message for the reader. */
export function createPasskey(options: Json): Promise<Json> {
  const publicKey = jsonForm().parseCreationOptionsFromJSON(options);
  return answerOf(navigator.credentials.create({ publicKey }));
}

/** A passkey's signature; rejects with a message for the reader. */
export function signWithPasskey(options: Json): Promise<Json> {
  const publicKey = jsonForm().parseRequestOptionsFromJSON(options);
  return answerOf(navigator.credentials.get({ publicKey }));
}

const PROBLEMS: Readonly<Record<string, string>> = {
  NotAllowedError: 'No passkey was used. Try again.',
  AbortError: 'No passkey was used. Try again.',
  InvalidStateError: 'This device has a passkey for your account already.',
  SecurityError: 'Passkeys do not work at this address.',
};

async function answerOf(asked: Promise<Credential | null>): Promise<Json> {
  let made: Credential | null;
  try {
    made = await asked;
  } catch (error) {
    throw new Error(PROBLEMS[(error as Error).name] ?? String((error as Error).message));
  }
  if (made === null) throw new Error(PROBLEMS['NotAllowedError']);
  return (made as PublicKeyCredential).toJSON() as unknown as Json;
}
