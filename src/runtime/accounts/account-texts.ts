/** Secret tokens: created here and stored as digests only. */

import { createHash } from 'node:crypto';
import { toBase32 } from '../../accounts/totp.ts';
import type { Randomness } from '../ports.ts';

const TOKEN_BYTES = 32;
const CODE_BYTES = 10;
const CODE_GROUP = /.{4}/g;

/** For cookies and links: 256 bits, so a fast digest is enough to keep. */
export function makeToken(randomness: Randomness): string {
  return Buffer.from(randomness.bytes(TOKEN_BYTES)).toString('base64url');
}

export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** `ABCD-EFGH-IJKL-MNOP`: 80 bits, to be written down. */
function makeRecoveryCode(randomness: Randomness): string {
  return toBase32(randomness.bytes(CODE_BYTES)).match(CODE_GROUP)!.join('-');
}

const RECOVERY_CODES = 10;

/** How many codes an account gets at once. */
export function makeRecoveryCodes(randomness: Randomness): readonly string[] {
  return Array.from({ length: RECOVERY_CODES }, () => makeRecoveryCode(randomness));
}

/** Accepts any case, with or without dashes. */
export function parseRecoveryCode(text: string): string {
  return (
    text
      .toUpperCase()
      .replace(/[^A-Z2-7]/g, '')
      .match(CODE_GROUP)
      ?.join('-') ?? ''
  );
}
