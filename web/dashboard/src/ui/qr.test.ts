/** QR codes as they were when jsQR 1.4 read all versions of them right, in their fixed parts too. */

import { expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { makeQr } from './qr.ts';

function digest(text: string): string {
  const rows = makeQr(text)!;
  const drawn = rows.map((row) => row.map((isDark) => (isDark ? '#' : '.')).join('')).join('\n');
  return createHash('sha256').update(drawn).digest('hex').slice(0, 16);
}

test('[D5] a QR code is module by module what a reader has read', () => {
  expect(makeQr('x'.repeat(14))).toHaveLength(21);
  expect(makeQr('x'.repeat(213))).toHaveLength(57);
  expect(makeQr('x'.repeat(214))).toBeNull();
  const lengths = [1, 14, 15, 100, 110, 122, 123, 180, 213];
  expect(lengths.map((length) => digest('x'.repeat(length)))).toEqual(DIGESTS);
});

const DIGESTS = [
  '941ef525a045c90c',
  '87bae821693809a1',
  '11b905ddb9f83c32',
  '79076e2d3a0990ae',
  '3ac2e800e192685e',
  'cca45b0d68d2b686',
  '09477ed789cee308',
  'da2d371b971d44d3',
  '5b61c982b56d2523',
];
