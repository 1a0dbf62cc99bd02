/** JSON as the samples show it. */

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { TEST_SEED } from '../../../src/testing/test-seed.ts';
import { formatJson } from './json-text.ts';

test('[WEB] short lists and objects are on one line, the outermost is not', () => {
  expect(formatJson({ t: 'act', action: { position: 4 }, board: [null, 'X'], none: [] })).toBe(
    [
      '{',
      '  "t": "act",',
      '  "action": { "position": 4 },',
      '  "board": [null, "X"],',
      '  "none": []',
      '}',
    ].join('\n'),
  );
});

test('[WEB] long values are broken into lines', () => {
  const long = 'x'.repeat(44);
  expect(formatJson({ a: [long] })).toBe(`{\n  "a": [\n    "${long}"\n  ]\n}`);
  const board = Array.from({ length: 9 }, () => null);
  expect(formatJson(board).split('\n')).toEqual([
    '[',
    '  null, null, null, null, null, null, null,',
    '  null, null',
    ']',
  ]);
});

test('[WEB] the text parses to the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.stringify(JSON.parse(formatJson(value)))).toBe(JSON.stringify(value));
    }),
    { seed: TEST_SEED },
  );
});
