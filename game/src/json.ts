/** JSON in one canonical form, so that equal values have equal hashes. */

import type { Json } from './game.ts';
import { sha256Hex } from './random.ts';

/** JSON with every object's keys in code-unit order and no white space. */
export function canonicalJson(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const object = value as { readonly [key: string]: Json };
  const fields = Object.keys(object)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(object[key] as Json)}`);
  return `{${fields.join(',')}}`;
}

/** Hex SHA-256 of a value's canonical JSON. Replays identify states by it. */
export function hashJson(value: Json): string {
  return sha256Hex(canonicalJson(value));
}
