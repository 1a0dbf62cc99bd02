/** Passwords as argon2id, made and checked off the main thread, one at a time (rule D2). */

import crypto from 'node:crypto';
import { addressKey, siteKey } from '../../tenancy/address.ts';
import type { Randomness } from '../ports.ts';

/** OWASP's first choice: 19 MiB, two passes, one lane. */
const MEMORY_KIB = 19_456;
const PASSES = 2;
const LANES = 1;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** Done at once: each takes a core for a while, which matches need too. */
const RUNNING_MAX = 1;
/** More than these wait no longer than anybody would; the rest is for those who are known. */
const WAITING_MAX = { all: 30, strangers: 20 };
/** Of one account, and from one address: what is left over is for the others. */
const EACH_MAX = 3;
/** Of strangers from one IPv6 site, which has many addresses. */
const SITE_MAX = 6;

/** For whom a password is worked on. */
export interface WorkFor {
  /** Somebody whom the account knows, or who has a link: he goes ahead of strangers. */
  readonly isKnown: boolean;
  /** Of what few are in line at once, and how many: his account and where he comes from. */
  readonly shares: readonly { readonly name: string; readonly max: number }[];
}

export function workFor(
  email: string,
  { address }: { readonly address: string },
  isKnown: boolean,
): WorkFor {
  const site = isKnown ? null : siteKey(address);
  const shares = [
    { name: `account ${email}`, max: EACH_MAX },
    { name: `address ${addressKey(address)}`, max: EACH_MAX },
    ...(site === null ? [] : [{ name: `site ${site}`, max: SITE_MAX }]),
  ];
  return { isKnown, shares };
}

export interface Passwords {
  /** PHC text; null when too many wait, or too many for one of those. */
  hash(password: string, whom: WorkFor): Promise<string | null>;
  /** Takes equally long whatever the answer; `phc` null stands for an account that is not there. */
  check(password: string, phc: string | null, whom: WorkFor): Promise<boolean | 'busy'>;
}

/** Throws on a Node that has no argon2. */
export function makePasswords(randomness: Randomness): Passwords {
  if (crypto.argon2 === undefined) throw new Error('Node 24.7 or newer is needed');
  const run = makeTurns();
  /** Nobody's: compared with where there is no account. */
  const nobody: Parts = {
    memory: MEMORY_KIB,
    passes: PASSES,
    lanes: LANES,
    salt: randomness.bytes(SALT_BYTES),
    hash: randomness.bytes(HASH_BYTES),
  };
  return {
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

/** The same person types the same characters in several encodings: NFKC makes them one. */
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
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '');
}

/** Lets some run, some wait in order, few of each share, and tells the rest that it is too busy. */
function makeTurns() {
  let running = 0;
  const known: (() => void)[] = [];
  const strangers: (() => void)[] = [];
  const inside = new Map<string, number>();
  const add = (name: string, n: number): void => {
    const left = (inside.get(name) ?? 0) + n;
    if (left === 0) inside.delete(name);
    else inside.set(name, left);
  };
  const isFull = (isKnown: boolean): boolean =>
    running >= RUNNING_MAX &&
    (known.length + strangers.length >= WAITING_MAX.all ||
      (!isKnown && strangers.length >= WAITING_MAX.strangers));
  const take = async (isKnown: boolean): Promise<void> => {
    if (running < RUNNING_MAX) running += 1;
    // Whoever ends hands his place over: nobody slips in between.
    else await new Promise<void>((resolve) => (isKnown ? known : strangers).push(resolve));
  };
  const leave = (): void => {
    const next = known.shift() ?? strangers.shift();
    if (next === undefined) running -= 1;
    else next();
  };
  return async <T>({ isKnown, shares }: WorkFor, work: () => Promise<T>): Promise<T | 'busy'> => {
    if (isFull(isKnown)) return 'busy';
    if (shares.some(({ name, max }) => (inside.get(name) ?? 0) >= max)) return 'busy';
    for (const { name } of shares) add(name, 1);
    await take(isKnown);
    try {
      return await work();
    } finally {
      for (const { name } of shares) add(name, -1);
      leave();
    }
  };
}
