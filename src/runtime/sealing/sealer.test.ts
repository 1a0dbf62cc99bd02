/** The seal: one key and one purpose open a text, and older keys still do. */

import { expect, test } from 'bun:test';
import { systemRandomness } from '../system.ts';
import { makeSealer } from './sealer.ts';

const newKey = (): Uint8Array => systemRandomness.bytes(32);

test('[D5][D12] a sealed text opens with the same key, for the same purpose and unchanged only', () => {
  const sealer = makeSealer([newKey()], systemRandomness);
  const sealed = sealer.seal('totp acc_1', 'secret');
  expect(sealed).not.toContain('secret');
  expect(sealer.open('totp acc_1', sealed)).toBe('secret');
  expect(sealer.open('totp acc_2', sealed)).toBeNull();
  const letter = sealed.startsWith('A') ? 'B' : 'A';
  expect(sealer.open('totp acc_1', `${letter}${sealed.slice(1)}`)).toBeNull();
  expect(sealer.open('totp acc_1', '')).toBeNull();
  const other = makeSealer([newKey()], systemRandomness);
  expect(other.open('totp acc_1', sealed)).toBeNull();
});

test('[D12] the first key encrypts, older ones still decrypt, and the caller learns which one did', () => {
  const [older, newer] = [newKey(), newKey()];
  const before = makeSealer([older], systemRandomness).seal('webhook whk_1', 'secret');
  const both = makeSealer([newer, older], systemRandomness);
  expect(both.open('webhook whk_1', before)).toBe('secret');
  expect(both.isCurrent('webhook whk_1', before)).toBe(false);
  const after = both.seal('webhook whk_1', 'secret');
  expect(both.isCurrent('webhook whk_1', after)).toBe(true);
  const alone = makeSealer([newer], systemRandomness);
  expect([alone.open('webhook whk_1', after), alone.open('webhook whk_1', before)]).toEqual([
    'secret',
    null,
  ]);
});
