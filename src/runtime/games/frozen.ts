/** Frozen rules: one version in one file, with its description in the first line. */

import { hashText } from './source-hash.ts';

export interface FrozenRules {
  readonly id: string;
  readonly version: number;
  /** The hash of the sources that the text was bundled from: 64 hex digits. */
  readonly hash: string;
  /** An ECMAScript module without imports that exports `game`. */
  readonly text: string;
}

const MARK = '// matchd:rules ';

/** The file: a first line with the description and the hash of the rest, then the module. */
export function makeFrozen({ id, version, hash, text }: FrozenRules): string {
  return `${MARK}${JSON.stringify({ id, version, hash, text: hashText(text) })}\n${text}`;
}

/** The rules, or the fault of the file. */
export function parseFrozen(content: string): FrozenRules | string {
  const end = content.indexOf('\n');
  const first = content.slice(0, end).trimEnd();
  const text = content.slice(end + 1);
  if (!first.startsWith(MARK)) return 'it was not made by "matchd games freeze"';
  const head = parseHead(first.slice(MARK.length));
  if (head === null) return 'its first line cannot be read';
  if (head.text !== hashText(text)) return 'it was changed since it was frozen';
  return { ...head, text };
}

/** `text` is the hash of the text. Null for what `makeFrozen` does not write. */
function parseHead(json: string): FrozenRules | null {
  try {
    const { id, version, hash, text } = JSON.parse(json) as Record<string, unknown>;
    const isSound = typeof id === 'string' && Number.isSafeInteger(version) && isHash(hash);
    return isSound && isHash(text) ? { id, version: Number(version), hash, text } : null;
  } catch {
    return null;
  }
}

function isHash(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}
