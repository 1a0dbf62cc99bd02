/** Secrets that must be readable again, sealed with a key that is stored beside the database, not in it. */

import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Randomness } from '../ports.ts';

export const SEALING_KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface Sealer {
  /** With the first key. `purpose` has to be the same on opening. */
  seal(purpose: string, text: string): string;
  /** Null for another key or purpose, or a changed text. */
  open(purpose: string, sealed: string): string | null;
  /** Was it sealed with the first key? */
  isCurrent(purpose: string, sealed: string): boolean;
}

/**
 * AES-256-GCM: nonce, text, tag in base64url. The first key seals, all of them open; without a key
 * nothing opens, and sealing throws.
 */
export function makeSealer(keys: readonly Uint8Array[], randomness: Randomness): Sealer {
  const [first] = keys;
  return {
    seal(purpose, text) {
      if (first === undefined) throw new Error('a sealer without a key');
      const nonce = randomness.bytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', first, nonce);
      cipher.setAAD(Buffer.from(purpose));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, body, cipher.getAuthTag()]).toString('base64url');
    },
    open(purpose, sealed) {
      for (const key of keys) {
        const text = openWith(key, purpose, sealed);
        if (text !== null) return text;
      }
      return null;
    },
    isCurrent: (purpose, sealed) =>
      first !== undefined && openWith(first, purpose, sealed) !== null,
  };
}

function openWith(key: Uint8Array, purpose: string, sealed: string): string | null {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  const end = bytes.length - TAG_BYTES;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES));
  decipher.setAAD(Buffer.from(purpose));
  decipher.setAuthTag(bytes.subarray(end));
  try {
    const text = decipher.update(bytes.subarray(NONCE_BYTES, end));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
