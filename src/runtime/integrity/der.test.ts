/** DER has one valid form; anything else is refused. */

import { expect, test } from 'bun:test';
import { Buffer } from 'node:buffer';
import { generateKeyPairSync } from 'node:crypto';
import { extension, makeCertificate, octets } from '../../testing/devices/der-writer.ts';
import { findExtension, readDer } from './der.ts';

const OID = '2a864886f763640802';
const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });

function certificateWith(...extensions: readonly Uint8Array[]): Buffer {
  return makeCertificate({
    subject: 'a',
    issuer: 'b',
    publicKey: keys.publicKey,
    signedBy: keys.privateKey,
    notBefore: 0,
    notAfter: 0,
    isAuthority: false,
    extensions,
  });
}
const find = (certificate: Uint8Array) => findExtension(certificate, Buffer.from(OID, 'hex'));
const hex = (text: string) => readDer(Buffer.from(text, 'hex'));

test('[I5] a sequence of values is read to the last byte', () => {
  expect(hex('')).toEqual([]);
  expect(hex('0201050400')?.map(({ tag }) => tag)).toEqual([2, 4]);
  const long = Buffer.concat([Buffer.from('0481c8', 'hex'), Buffer.alloc(200)]);
  expect(readDer(long)?.[0]?.content).toHaveLength(200);
});

test('[I5] lengths that are truncated, indefinite or not the shortest are refused', () => {
  for (const text of [
    '02', // No length.
    '020205', // Cut short.
    '0280', // Endless.
    `028105${'00'.repeat(5)}`, // Five, in two bytes.
    `02820080${'00'.repeat(128)}`, // 128, in three.
    '02840000000100', // Four bytes of length.
    '0281', // The length itself is cut.
    '1f0100', // A tag of more than one byte.
  ]) {
    expect([text, hex(text)]).toEqual([text, null]);
  }
  expect(hex('0400'.repeat(64))).toHaveLength(64);
  expect(hex('0400'.repeat(65))).toBeNull();
});

test('[I5] an extension is found when it is present once', () => {
  const value = octets(Buffer.from('value'));
  expect(find(certificateWith(extension(OID, value)))).toEqual(value);
  expect(find(certificateWith())).toBeNull();
  expect(find(certificateWith(extension('2a864886f763640803', value)))).toBeNull();
  const twice = certificateWith(extension(OID, value), extension(OID, value));
  expect(find(twice)).toBeNull();
});

test('[I5] anything but a whole certificate has no extension, wherever it is cut', () => {
  const certificate = certificateWith(extension(OID, octets(Buffer.from('value'))));
  for (let length = 0; length < certificate.length; length++) {
    expect(find(certificate.subarray(0, length))).toBeNull();
  }
  expect(find(Buffer.concat([certificate, certificate]))).toBeNull();
  expect(find(Buffer.from('3003020105', 'hex'))).toBeNull();
});
