/** The key that seals secrets in the database: a file of its own beside it, made on the first run. */

import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Randomness } from '../ports.ts';
import { SEALING_KEY_BYTES } from './sealer.ts';

export const SEALING_KEY_FILE = 'sealing.key';
const FILE_MODE = 0o600;

/** Throws, naming the file, when what is there is no key. */
export function openSealingKey(dataDir: string, randomness: Randomness): Uint8Array {
  const file = join(dataDir, SEALING_KEY_FILE);
  makeOnce(file, Buffer.from(randomness.bytes(SEALING_KEY_BYTES)).toString('base64'));
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
  if (key.length !== SEALING_KEY_BYTES) {
    throw new Error(`${file} is no key: it holds ${SEALING_KEY_BYTES} bytes in base64`);
  }
  return key;
}

/** Whoever comes first makes it; a file that is there is never written to. */
function makeOnce(file: string, text: string): void {
  let opened: number;
  try {
    opened = openSync(file, 'wx', FILE_MODE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw error;
  }
  writeSync(opened, `${text}\n`);
  fsyncSync(opened);
  closeSync(opened);
}
