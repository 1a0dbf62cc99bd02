/** Signatures of the installation: derived from its sealing keys, verified with public keys only. */

import { expect, test } from 'bun:test';
import { systemRandomness } from '../system.ts';
import { checkSignature, makeSigner, readPublicKey } from './signer.ts';

const newKey = (): Uint8Array => systemRandomness.bytes(32);

test('[D13] a signature is valid for its text and purpose, with the public key only', () => {
  const signer = makeSigner([newKey()]);
  const signature = signer.sign('replay', 'text');
  const keys = JSON.parse(JSON.stringify(signer.publicKeys)).map(readPublicKey);
  expect(keys).toEqual([...signer.publicKeys]);
  expect(checkSignature(keys, 'replay', 'text', signature)).toBe('valid');
  expect(checkSignature(keys, 'replay', 'texts', signature)).toBe('invalid');
  expect(checkSignature(keys, 'session-seal', 'text', signature)).toBe('invalid');
  for (const value of ['', 'A', `${signature.value}=`, `B${signature.value.slice(1)}`]) {
    if (value === signature.value) continue;
    expect(checkSignature(keys, 'replay', 'text', { ...signature, value })).toBe('invalid');
  }
  expect(makeSigner([newKey()]).check('replay', 'text', signature)).toBe('unknown_key');
});

test('[D13] equal sealing keys sign equally; older ones still verify', () => {
  const [older, newer] = [newKey(), newKey()];
  const before = makeSigner([older]);
  const signature = before.sign('audit-head', 'head');
  expect(makeSigner([older]).sign('audit-head', 'head')).toEqual(signature);
  const both = makeSigner([newer, older]);
  expect(both.keyId).not.toBe(before.keyId);
  expect(both.publicKeys.map(({ kid }) => kid)).toEqual([both.keyId, before.keyId]);
  expect(both.check('audit-head', 'head', signature)).toBe('valid');
  expect(makeSigner([newer]).check('audit-head', 'head', signature)).toBe('unknown_key');
});

test('[D13] a mark needs the secret of its key, which stays while the sealing key does', () => {
  const [older, newer] = [newKey(), newKey()];
  const before = makeSigner([older]);
  const mark = before.mark(before.keyId, 'ann');
  const both = makeSigner([newer, older]);
  expect(both.mark(before.keyId, 'ann')).toBe(mark);
  expect(both.mark(before.keyId, 'ben')).not.toBe(mark);
  expect(both.mark(both.keyId, 'ann')).not.toBe(mark);
  expect(makeSigner([newer]).mark(before.keyId, 'ann')).toBeNull();
});

test('[D13] RFC 8037 A.3: a key has its thumbprint, and no other', () => {
  const x = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';
  const kid = 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k';
  const jwk = { kty: 'OKP', crv: 'Ed25519', x };
  expect(readPublicKey(jwk)?.kid).toBe(kid);
  expect(readPublicKey({ ...jwk, kid: 'other' })).toBeNull();
  expect(readPublicKey({ ...jwk, crv: 'X25519' })).toBeNull();
  expect(readPublicKey({ ...jwk, x: x.slice(1) })).toBeNull();
  expect(readPublicKey(null)).toBeNull();
});
