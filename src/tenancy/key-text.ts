/** The text of an API key (rule K1): how it is made, read, and compared without keeping it. */

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { KeyMode } from './tenant.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_CHARS = 8;
/** 32 characters of base62 are 190 bits: no guessing, so a fast hash is enough to keep. */
const SECRET_CHARS = 32;
/** Six base62 digits are more than enough for the 32 bits of a CRC. */
const CHECKSUM_CHARS = 6;
/** A restricted key begins with another word, which a version that knows no scopes takes for no key. */
const PREFIX = 'mk';
const RESTRICTED_PREFIX = 'mrk';
/** Bytes from here on would make the first characters of the alphabet likelier. */
const FAIR_BYTES = 256 - (256 % ALPHABET.length);
/** Enough bytes for a whole key in nearly every draw: 1 byte in 32 is rejected. */
const BYTES_PER_DRAW = 48;

const KEY_SHAPE = new RegExp(
  `^(mk|mrk)_(live|test)_([0-9A-Za-z]{${ID_CHARS}})[0-9A-Za-z]{${SECRET_CHARS + CHECKSUM_CHARS}}$`,
);
const HINT_SHAPE = new RegExp(`^(?:mk|mrk)_(?:live|test)_([0-9A-Za-z]{${ID_CHARS}})$`);

/** The stored part of a key's text. */
export interface KeyDigest {
  readonly mode: KeyMode;
  /** Is it the text of a key with scopes (rule K5)? */
  readonly isRestricted: boolean;
  /** The 8 characters in plain text, by which the key is looked up. */
  readonly id: string;
  /** Hex SHA-256 of the whole text. */
  readonly hash: string;
}

export interface KeyText extends Omit<KeyDigest, 'mode' | 'isRestricted'> {
  /** The key itself: shown once and not stored. */
  readonly text: string;
  /** The start of the text, by which people recognise the key. */
  readonly hint: string;
}

/**
 * Creates a key: `mk_<mode>_`, or `mrk_<mode>_` for a restricted one, 8 characters of id, 32 of
 * secret, 6 of checksum. `randomBytes` has to be unpredictable; it is called until every character
 * was drawn evenly.
 */
export function makeKeyText(
  mode: KeyMode,
  randomBytes: (count: number) => Uint8Array,
  isRestricted = false,
): KeyText {
  const id = randomText(ID_CHARS, randomBytes);
  const hint = `${isRestricted ? RESTRICTED_PREFIX : PREFIX}_${mode}_${id}`;
  const unchecked = hint + randomText(SECRET_CHARS, randomBytes);
  const text = unchecked + checksum(unchecked);
  return { text, id, hash: hashKeyText(text), hint };
}

/** Null for an invalid or mistyped key. Does not show whether such a key exists. */
export function parseKeyText(text: string): KeyDigest | null {
  const [, prefix, mode, id] = KEY_SHAPE.exec(text) ?? [];
  if (id === undefined) return null;
  const checked = text.length - CHECKSUM_CHARS;
  if (checksum(text.slice(0, checked)) !== text.slice(checked)) return null;
  const isRestricted = prefix === RESTRICTED_PREFIX;
  return { mode: mode as KeyMode, isRestricted, id, hash: hashKeyText(text) };
}

/** The id in a key's hint, e.g. `1a2B3c4D` of `mk_live_1a2B3c4D`; null for everything else. */
export function parseKeyHint(text: string): string | null {
  return HINT_SHAPE.exec(text)?.[1] ?? null;
}

/** Are two hex digests the same? Takes equally long wherever they differ. */
export function isSameDigest(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}

function hashKeyText(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

function randomText(chars: number, randomBytes: (count: number) => Uint8Array): string {
  let text = '';
  while (text.length < chars) {
    for (const byte of randomBytes(BYTES_PER_DRAW)) {
      if (byte < FAIR_BYTES && text.length < chars) text += ALPHABET[byte % ALPHABET.length];
    }
  }
  return text;
}

/** CRC-32 (the one of zip and Ethernet) of all text before it, in base62, high digit first. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_CHARS; i++) {
    digits = ALPHABET[rest % ALPHABET.length] + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}

const CRC_POLYNOMIAL = 0xedb88320;

/** A key has 48 characters to be summed up: bit by bit is quick enough without a table. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let i = 0; i < text.length; i++) {
    crc ^= text.charCodeAt(i);
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? CRC_POLYNOMIAL : 0);
  }
  return ~crc >>> 0;
}
