/** Searches any text that left the server for a match's secret, and for values derived from it. */

import { createHmac } from 'node:crypto';

/** Consecutive characters of the secret, in any encoding, that count as a leak. */
const PART = 12;
/** A longer leak contains one of the parts, which begin at this distance. */
const STRIDE = 6;
/** Random values from the match's first on, including future ones. */
const DRAWS = 1_000;
/** Smaller numbers are too common: they would be found by chance. */
const NUMBER_MIN = 1_000_000;

export interface Secret {
  /** The seed as it is revealed at the end: hex. */
  readonly seed: string;
  readonly entropy: string;
}

/** Returns a description of the leaked part; null for none. */
export function makeSecretSearch(secret: Secret): (text: string) => string | null {
  const parts = partsOf(secret.seed);
  const { hex, words, numbers } = drawsOf(secret);
  return (text) => {
    const lower = text.toLowerCase();
    const part = parts.find((each) => text.includes(each) || lower.includes(each));
    if (part !== undefined) return `a part of the seed: ${part}`;
    for (const [token] of lower.matchAll(/\b[0-9a-f]{8,}\b/g)) {
      if (words.has(token) || hex.has(token.slice(0, 16))) return `a random value: ${token}`;
    }
    for (const [token] of text.matchAll(/(?<![\d.])\d{7,10}(?![\d.])/g)) {
      if (numbers.has(Number(token))) return `a random value: ${token}`;
    }
    return null;
  };
}

/** In hex, base64 and base64url, of the bytes and of the text, at every alignment. */
function partsOf(seed: string): readonly string[] {
  const bytes = Buffer.from(seed, 'hex');
  const aligned = [bytes, Buffer.from(seed)].flatMap((each) =>
    [0, 1, 2].flatMap((from) => {
      const rest = each.subarray(from);
      return [rest.toString('base64'), rest.toString('base64url')];
    }),
  );
  return [...new Set([seed, ...aligned].flatMap(windowsOf))];
}

function windowsOf(text: string): readonly string[] {
  const count = Math.floor((text.length - PART) / STRIDE) + 1;
  return Array.from({ length: count }, (_, n) => text.slice(n * STRIDE, n * STRIDE + PART));
}

/** Rule S9's values, computed here from the rule only: whole, and as the 32 bits that a game gets. */
function drawsOf({ seed, entropy }: Secret): {
  readonly hex: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
  readonly numbers: ReadonlySet<number>;
} {
  const macs = Array.from({ length: DRAWS }, (_, n) =>
    createHmac('sha256', seed).update(`${entropy}:${n}`).digest('hex'),
  );
  const words = macs.map((mac) => mac.slice(0, 8));
  return {
    hex: new Set(macs.map((mac) => mac.slice(0, 16))),
    words: new Set(words),
    numbers: new Set(words.map((word) => Number.parseInt(word, 16)).filter((n) => n >= NUMBER_MIN)),
  };
}
