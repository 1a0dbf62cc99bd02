/** The keys that seal secrets in the database: from a setting, or from a file that the first run creates beside it. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Randomness } from '../ports.ts';
import { createFile, replaceFile } from '../whole-file.ts';
import { SEALING_KEY_BYTES } from './sealer.ts';

export const SEALING_KEY_FILE = 'sealing.key';
/** Keys at once: the current one, and older ones during a rotation. */
export const KEYS_MAX = 8;

/** Keys and their source. */
export interface SealingKeys {
  /** The first seals, all open. At least one. */
  readonly keys: readonly Uint8Array[];
  /** A file's path, or null for the setting. */
  readonly file: string | null;
}

export function sealingKeyFile(dataDir: string): string {
  return join(dataDir, SEALING_KEY_FILE);
}

/** Base64 of 32 bytes each, separated by commas or lines; null for invalid input. */
export function parseSealingKeys(text: string): readonly Uint8Array[] | null {
  const keys = text
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (keys.length === 0 || keys.length > KEYS_MAX) return null;
  const bytes = keys.map((key) => Buffer.from(key, 'base64'));
  // Node ignores invalid characters: the decoded key must encode to the same text.
  const isKey = (key: Buffer, i: number): boolean =>
    key.length === SEALING_KEY_BYTES && key.toString('base64') === keys[i];
  return bytes.every(isKey) ? bytes : null;
}

/** Null when the file does not exist. Throws, naming the file, when its content is invalid. */
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

/** The first process creates it; an existing file is never overwritten. */
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
