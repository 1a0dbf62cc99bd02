/** Assertions that throw a plain Error, so that every test runner shows them alike. */

import type { Json } from '../game.ts';
import { canonicalJson } from '../json.ts';

/** Longer values are cut in messages. Characters. */
const SHOWN_CHARS_MAX = 600;

export function ensure(holds: boolean, fault: string): asserts holds {
  if (!holds) throw new Error(fault);
}

/** Throws unless both values have the same JSON. */
export function ensureSame(found: unknown, wanted: unknown, what: string): void {
  const texts = [canonicalJson(found as Json), canonicalJson(wanted as Json)] as const;
  if (texts[0] !== texts[1]) {
    throw new Error(`${what}: got ${clip(texts[0])}, expected ${clip(texts[1])}`);
  }
}

/** Throws unless JSON gives the value back unchanged. It does not for -0, NaN, undefined, holes and class instances. */
export function ensureJson(value: unknown, what: string): asserts value is Json {
  const fault = jsonFault(value, what);
  if (fault !== null) throw new Error(fault);
}

export function isJson(value: unknown): value is Json {
  return jsonFault(value, '') === null;
}

/** The path and kind of the first value that JSON does not keep; null if there is none. */
function jsonFault(value: unknown, path: string): string | null {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return null;
  if (typeof value === 'number') {
    const isKept = Number.isFinite(value) && !Object.is(value, -0);
    return isKept ? null : `${path} is ${Object.is(value, -0) ? '-0' : value}, which is not JSON`;
  }
  if (typeof value !== 'object') return `${path} is of type ${typeof value}, which is not JSON`;
  const isList = Array.isArray(value);
  if (!isList && Object.getPrototypeOf(value) !== Object.prototype) {
    return `${path} is a class instance, which is not JSON`;
  }
  // An array's `entries` includes its holes.
  for (const [key, each] of isList ? value.entries() : Object.entries(value)) {
    const fault = jsonFault(each, isList ? `${path}[${key}]` : `${path}.${key}`);
    if (fault !== null) return fault;
  }
  return null;
}

export function clip(text: string): string {
  return text.length <= SHOWN_CHARS_MAX ? text : `${text.slice(0, SHOWN_CHARS_MAX)}…`;
}
