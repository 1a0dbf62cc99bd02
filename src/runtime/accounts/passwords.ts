/** Passwords as argon2id, made and checked off the main thread, one at a time (rule D2). */

import crypto from 'node:crypto';
import type { Randomness } from '../ports.ts';
import { makeWorkQueue, type WorkFor } from './work-queue.ts';

/** OWASP's first choice: 19 MiB, two passes, one lane. */
const MEMORY_KIB = 19_456;
const PASSES = 2;
const LANES = 1;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

export interface Passwords {
  /** PHC text; null when too many hashes wait, in all or in one share. */
  hash(password: string, whom: WorkFor): Promise<string | null>;
  /** Takes equally long for every answer; `phc` null stands for an unknown account. */
  check(password: string, phc: string | null, whom: WorkFor): Promise<boolean | 'busy'>;
  /** Too many wait in one share: a check would be `busy`. */
  isFull(whom: WorkFor): boolean;
}

/** Throws on a Node that has no argon2. */
export function makePasswords(randomness: Randomness): Passwords {
  if (crypto.argon2 === undefined) throw new Error('Node 24.7 or newer is needed');
  const run = makeWorkQueue();
  /** The hash of no account: compared with when there is no account. */
  const nobody: Parts = {
    memory: MEMORY_KIB,
    passes: PASSES,
    lanes: LANES,
    salt: randomness.bytes(SALT_BYTES),
    hash: randomness.bytes(HASH_BYTES),
  };
  return {
    isFull: run.isFull,
    async hash(password, whom) {
      const salt = randomness.bytes(SALT_BYTES);
      const parts = { memory: MEMORY_KIB, passes: PASSES, lanes: LANES, salt };
      const hash = await run(whom, () => derive(password, parts, HASH_BYTES));
      return hash === 'busy' ? null : printPhc({ ...parts, hash });
    },
    async check(password, phc, whom) {
      const parts = (phc === null ? null : parsePhc(phc)) ?? nobody;
      const hash = await run(whom, () => derive(password, parts, parts.hash.length));
      if (hash === 'busy') return 'busy';
      return crypto.timingSafeEqual(hash, parts.hash) && parts !== nobody;
    },
  };
}

interface Settings {
  readonly memory: number;
  readonly passes: number;
  readonly lanes: number;
  readonly salt: Uint8Array;
}

interface Parts extends Settings {
  readonly hash: Uint8Array;
}

/** One password has several Unicode encodings: NFKC makes them one. */
function derive(password: string, settings: Settings, bytes: number): Promise<Uint8Array> {
  const { memory, passes, lanes: parallelism, salt: nonce } = settings;
  const message = Buffer.from(password.normalize('NFKC'));
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, hash: Uint8Array): void =>
      error === null || error === undefined ? resolve(hash) : reject(error);
    crypto.argon2(
      'argon2id',
      { message, nonce, parallelism, tagLength: bytes, memory, passes },
      done,
    );
  });
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

function printPhc({ memory, passes, lanes, salt, hash }: Parts): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${lanes}$${base64(salt)}$${base64(hash)}`;
}

function parsePhc(text: string): Parts | null {
  const found = PHC.exec(text);
  if (found === null) return null;
  const [, memory, passes, lanes, salt, hash] = found;
  return {
    memory: Number(memory),
    passes: Number(passes),
    lanes: Number(lanes),
    salt: Buffer.from(salt!, 'base64'),
    hash: Buffer.from(hash!, 'base64'),
  };
}

/** Without padding, as PHC texts have it. */
function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('base64')
    .replace(/={1,2}$/, '');
}
