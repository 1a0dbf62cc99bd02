/** Codes of a second factor: RFC 6238 with SHA-1, six digits, steps of 30 s, as all apps have it. */

import { hmac } from '@noble/hashes/hmac.js';
import { sha1 } from '@noble/hashes/legacy.js';

/** RFC 4226 wants 16 bytes at least and recommends 20. */
export const TOTP_SECRET_BYTES = 20;
const STEP_MS = 30_000;
const DIGITS = 6;
/** A clock may be this many steps ahead or behind. */
const DRIFT_STEPS = 1;

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The step that a time (ms since 1970) lies in. */
export function totpStepAt(now: number): number {
  return Math.floor(now / STEP_MS);
}

export function makeTotpCode(secret: Uint8Array, step: number): string {
  const counter = new Uint8Array(8);
  new DataView(counter.buffer).setBigUint64(0, BigInt(step));
  const digest = hmac(sha1, secret, counter);
  const at = digest[digest.length - 1]! & 15;
  const value = new DataView(digest.buffer, digest.byteOffset).getUint32(at) & 0x7fff_ffff;
  return String(value % 10 ** DIGITS).padStart(DIGITS, '0');
}

/**
 * The step of this code, among those near `now` and after `lastStep`; null for a wrong code or one
 * that was used before.
 */
export function findTotpStep(
  secret: Uint8Array,
  code: string,
  now: number,
  lastStep: number,
): number | null {
  const here = totpStepAt(now);
  let found: number | null = null;
  // All of them, so that it takes equally long wherever the code is.
  for (let step = here - DRIFT_STEPS; step <= here + DRIFT_STEPS; step++) {
    if (isSame(makeTotpCode(secret, step), code) && step > lastStep) found ??= step;
  }
  return found;
}

function isSame(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}

/** RFC 4648, without padding: how apps take a secret that is typed. */
export function toBase32(bytes: Uint8Array): string {
  let text = '';
  let held = 0;
  let bits = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += BASE32[(held >> bits) & 31];
    }
    held &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + BASE32[(held << (5 - bits)) & 31];
}

/** What apps read from a picture or a link. */
export function makeTotpUri(secret: Uint8Array, email: string): string {
  const label = encodeURIComponent(`matchd:${email}`);
  return `otpauth://totp/${label}?secret=${toBase32(secret)}&issuer=matchd`;
}
