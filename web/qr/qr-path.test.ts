/** Tests of QR codes: they can be read, and the path contains every module with the quiet zone. */

import { expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { encode } from 'uqr';
import { makeQrPath } from './qr-path.ts';

function digest(text: string): string {
  // The mask of the recorded code: readers accept any mask.
  const { data } = encode(text, { ecc: 'M', boostEcc: false, maskPattern: 0, border: 0 });
  const drawn = data.map((row) => row.map((isDark) => (isDark ? '#' : '.')).join('')).join('\n');
  return createHash('sha256').update(drawn).digest('hex').slice(0, 16);
}

/** Codes of a number of `x`, recorded when jsQR 1.4 decoded them correctly. */
const READ: Readonly<Record<number, string>> = {
  1: '941ef525a045c90c',
  14: '87bae821693809a1',
  15: '11b905ddb9f83c32',
  100: '79076e2d3a0990ae',
  110: '3ac2e800e192685e',
  122: 'cca45b0d68d2b686',
  123: '09477ed789cee308',
  180: 'da2d371b971d44d3',
  213: '5b61c982b56d2523',
};

test('[D5] a QR code equals, module by module, the one that a reader has decoded', () => {
  const drawn = Object.keys(READ).map((length) => [length, digest('x'.repeat(Number(length)))]);
  expect(Object.fromEntries(drawn)).toEqual(READ);
});

test('[D5] the path has every dark module, and four modules of white around them', async () => {
  const text = 'https://play.example/join?code=ABC234';
  const { size, d } = await makeQrPath(text);
  const { data } = encode(text, { ecc: 'M', border: 0 });
  expect(size).toBe(data.length + 8);
  const modules = Array.from(d.matchAll(/M(\d+) (\d+)h1v1h-1z/g), ([, x, y]) => [+x! - 4, +y! - 4]);
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [[x, y]] : [])));
  expect(modules).toEqual(dark);
});

test('[D5] a text too long for any code is rejected', async () => {
  await expect(makeQrPath('x'.repeat(3_000))).rejects.toThrow('too long');
});
