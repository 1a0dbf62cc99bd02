/** Real attestations and assertions are valid at their time, and any changed one is refused. */

import { describe, expect, test } from 'bun:test';
import { createPublicKey, hash } from 'node:crypto';
import {
  expectationOf,
  findAcceptedChanges,
  readAssertionVectors,
  readAttestationVectors,
  VECTORS_MISSING,
} from '../../testing/devices/attest-vectors.ts';
import type { AttestationExpectation } from './app-attest.ts';
import { readRoots, verifyAssertion, verifyAttestation } from './app-attest.ts';
import { APPLE_APP_ATTEST_ROOT } from './apple-root.ts';

const roots = readRoots(APPLE_APP_ATTEST_ROOT);
const attestations = readAttestationVectors();
const assertions = readAssertionVectors();
const DAY_MS = 24 * 60 * 60_000;

const pointOf = (pem: string): string =>
  createPublicKey(pem).export({ type: 'spki', format: 'der' }).subarray(-65).toString('base64');

test('[I5] the pinned root is Apple’s', () => {
  expect(roots.map(({ fingerprint256 }) => fingerprint256.replaceAll(':', ''))).toEqual([
    '1CB9823BA28BA6AD2D33A006941DE2AE4F513EF1D4E831B9F7E0FA7B6242C932',
  ]);
});

test('[I5] roots are refused when the text has none, or one is not a CA', () => {
  expect(() => readRoots('nothing')).toThrow('no certificate');
});

describe.skipIf(VECTORS_MISSING !== null)(`real objects ${VECTORS_MISSING ?? ''}`, () => {
  test('[I5] every real attestation is valid at its date, with its contents', () => {
    expect(attestations.length).toBeGreaterThan(0);
    for (const vector of attestations) {
      const proof = verifyAttestation(vector.attestation, expectationOf(vector));
      const { validationCategory, bundleVersion } = vector;
      expect([vector.name, proof]).toMatchObject([
        vector.name,
        {
          ok: true,
          keyId: vector.keyId,
          environment: vector.environment,
          extensions: validationCategory === undefined ? {} : { validationCategory, bundleVersion },
        },
      ]);
    }
  });

  test('[I5] every real attestation is refused at another date, for another app, or over other data', () => {
    for (const vector of attestations) {
      const refusalWith = (change: Partial<AttestationExpectation>) => {
        const proof = verifyAttestation(vector.attestation, {
          ...expectationOf(vector),
          ...change,
        });
        return proof.ok ? 'ok' : proof.reason;
      };
      const others = (['production', 'development'] as const).filter(
        (name) => name !== vector.environment,
      );
      expect(refusalWith({ now: vector.verifyAt + 400 * DAY_MS })).toBe('certificate_expired');
      expect(refusalWith({ now: vector.verifyAt - 4 * DAY_MS })).toBe('certificate_expired');
      expect(refusalWith({ appId: `${vector.appId}x` })).toBe('app_id_mismatch');
      expect(refusalWith({ clientDataHash: Buffer.alloc(32) })).toBe('nonce_mismatch');
      expect(refusalWith({ environments: others })).toBe('environment_not_allowed');
      expect(refusalWith({ roots: [] })).toBe('untrusted_chain');
    }
  });

  test('[I5] no byte of a real attestation can be changed outside the receipt', () => {
    const vector = attestations.find(({ name }) => name === 'apple-guide-2026')!;
    // Every bit of every byte: app-attest.slow.ts.
    expect(findAcceptedChanges(vector, (at) => [at % 8])).toEqual([]);
  }, 30_000);

  test('[I5] every real assertion is valid, and raises the counter', () => {
    expect(assertions.length).toBeGreaterThan(0);
    for (const vector of assertions) {
      const clientDataHash = hash('sha256', vector.clientData, 'buffer');
      const publicKey = pointOf(vector.publicKeyPem);
      const { appId, assertion, expectedCounter } = vector;
      const proof = verifyAssertion(assertion, { appId, publicKey, clientDataHash });
      expect([vector.name, proof]).toEqual([
        vector.name,
        { ok: true, counter: expectedCounter, extensions: {} },
      ]);
      const other = { appId: `${appId}x`, publicKey, clientDataHash };
      expect(verifyAssertion(assertion, other)).toEqual({ ok: false, reason: 'app_id_mismatch' });
    }
  });

  test('[I5] no bit of a real assertion can be changed', () => {
    for (const { assertion, appId, publicKeyPem, clientData } of assertions) {
      const clientDataHash = hash('sha256', clientData, 'buffer');
      const expected = { appId, publicKey: pointOf(publicKeyPem), clientDataHash };
      for (let bit = 0; bit < assertion.length * 8; bit++) {
        const changed = Buffer.from(assertion);
        changed[bit >> 3]! ^= 1 << (bit & 7);
        expect(verifyAssertion(changed, expected).ok).toBe(false);
      }
    }
  });

  test('[I5] a truncated attestation is malformed, wherever it is cut', () => {
    const vector = attestations[0]!;
    for (let length = 0; length < vector.attestation.length; length += 7) {
      const proof = verifyAttestation(
        vector.attestation.subarray(0, length),
        expectationOf(vector),
      );
      expect(proof).toEqual({ ok: false, reason: 'malformed_token' });
    }
    const longer = Buffer.concat([vector.attestation, Buffer.from([0])]);
    expect(verifyAttestation(longer, expectationOf(vector)).ok).toBe(false);
  });
});
