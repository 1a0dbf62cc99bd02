/** The keys that seal secrets in the database: from a setting, or a file beside it that the first run makes. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Randomness } from '../ports.ts';
import { createFile, replaceFile } from '../whole-file.ts';
import { SEALING_KEY_BYTES } from './sealer.ts';

export const SEALING_KEY_FILE = 'sealing.key';
/** Keys at once: the one that seals, and those from before while they are given up. */
export const KEYS_MAX = 8;

/** Keys and where they come from. */
export interface SealingKeys {
  /** The first seals, all of them open. At least one. */
  readonly keys: readonly Uint8Array[];
  /** A file's path, or null for the setting. */
  readonly file: string | null;
}

export function sealingKeyFile(dataDir: string): string {
  return join(dataDir, SEALING_KEY_FILE);
}

/** Base64 of 32 bytes each, with commas or lines between them; null for what is none. */
export function parseSealingKeys(text: string): readonly Uint8Array[] | null {
  const keys = text
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (keys.length === 0 || keys.length > KEYS_MAX) return null;
  const bytes = keys.map((key) => Buffer.from(key, 'base64'));
  // Node reads past characters that are none: what is printed again has to be the same.
  const isKey = (key: Buffer, i: number): boolean =>
    key.length === SEALING_KEY_BYTES && key.toString('base64') === keys[i];
  return bytes.every(isKey) ? bytes : null;
}

/** Null when there is none. Throws, naming the file, when what is there is no key. */
export function readSealingKeys(dataDir: string): SealingKeys | null {
  const file = sealingKeyFile(dataDir);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const keys = parseSealingKeys(text);
  if (keys === null) {
    throw new Error(
      `${file} is no key: it holds ${SEALING_KEY_BYTES} bytes in base64, a key a line`,
    );
  }
  return { keys, file };
}

/** Whoever comes first makes it; a file that is there is never written to. */
export function makeSealingKey(dataDir: string, randomness: Randomness): SealingKeys {
  createFile(sealingKeyFile(dataDir), printKeys([randomness.bytes(SEALING_KEY_BYTES)]));
  return readSealingKeys(dataDir)!;
}

export function replaceSealingKeys(file: string, keys: readonly Uint8Array[]): void {
  replaceFile(file, printKeys(keys));
}

function printKeys(keys: readonly Uint8Array[]): string {
  return keys.map((key) => `${Buffer.from(key).toString('base64')}\n`).join('');
}
