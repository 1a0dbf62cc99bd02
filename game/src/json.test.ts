/** Canonical JSON: one text per value, whatever the order in which it was built. */

import { describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { TEST_SEED } from '../../src/testing/test-seed.ts';
import type { Json } from './game.ts';
import { canonicalJson, hashJson } from './json.ts';

/** The same value with every object's keys inserted in reverse order. */
function reversed(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(reversed);
  const fields = Object.entries(value).map(([key, each]) => [key, reversed(each)] as const);
  return Object.fromEntries(fields.reverse());
}

const anyJson = fc.jsonValue({ stringUnit: 'binary' }) as fc.Arbitrary<Json>;

describe('canonical JSON', () => {
  test('[S7] keys are sorted at every depth and nothing is added', () => {
    const value = { b: [{ z: 1, a: null }, true], a: { y: 'x', x: -1.5 } };
    expect(canonicalJson(value)).toBe('{"a":{"x":-1.5,"y":"x"},"b":[{"a":null,"z":1},true]}');
  });

  test('[S7] keys sort by UTF-16 code units, as in RFC 8785', () => {
    const keys = ['\u20ac', '\r', '\ufb33', '1', '\u{1f600}', '\u0080', '\u00f6'];
    const value = Object.fromEntries(keys.map((key) => [key, 0]));
    expect(canonicalJson(value)).toBe(
      '{"\\r":0,"1":0,"\u0080":0,"\u00f6":0,"\u20ac":0,"\u{1f600}":0,"\ufb33":0}',
    );
  });

  test('[S7] numbers are written as in RFC 8785', () => {
    const numbers = [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 1e-27, -0];
    expect(canonicalJson(numbers)).toBe('[333333333.3333333,1e+30,4.5,0.002,1e-27,0]');
  });

  test('[S7] an own field named __proto__ is a field like any other', () => {
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"a":2}}'))).toBe(
      '{"__proto__":{"a":2},"b":1}',
    );
  });

  test(`[S7] it is JSON of the same value (seed ${TEST_SEED})`, () => {
    const property = fc.property(anyJson, (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    });
    fc.assert(property, { seed: TEST_SEED });
  });

  test(`[S7] the order of building affects neither text nor hash (seed ${TEST_SEED})`, () => {
    const property = fc.property(anyJson, (value) => {
      expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
      expect(hashJson(reversed(value))).toBe(hashJson(value));
    });
    fc.assert(property, { seed: TEST_SEED });
  });

  test('[S7] the hash is the SHA-256 of the text in UTF-8', () => {
    const hash = createHash('sha256').update('{"a":"ä🎲","b":1}').digest('hex');
    expect(hashJson({ b: 1, a: 'ä🎲' })).toBe(hash);
    expect(hashJson({ b: 1, a: 'ä' })).not.toBe(hash);
  });
});
