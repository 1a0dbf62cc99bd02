/** Real attestations and assertions, if this machine has them: we may not redistribute them. */

import { Buffer } from 'node:buffer';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { AttestationExpectation } from '../../runtime/integrity/app-attest.ts';
import { readRoots, verifyAttestation } from '../../runtime/integrity/app-attest.ts';
import { APPLE_APP_ATTEST_ROOT } from '../../runtime/integrity/apple-root.ts';
import { readCborMap } from '../../runtime/integrity/strict-cbor.ts';

const FOLDER =
  process.env['MATCHD_TEST_APP_ATTEST'] ??
  path.join(import.meta.dirname, '../../../../shared/data/integrity');

/** Why their tests are skipped; null if the files exist. */
export const VECTORS_MISSING = existsSync(path.join(FOLDER, 'attestation'))
  ? null
  : `no real App Attest objects: MATCHD_TEST_APP_ATTEST names their folder`;

export interface AttestationVector {
  readonly name: string;
  readonly attestation: Buffer;
  readonly keyId: string;
  readonly appId: string;
  readonly clientDataHash: Buffer;
  readonly environment: 'production' | 'development';
  readonly verifyAt: number;
  readonly validationCategory?: number;
  readonly bundleVersion?: string;
}

export interface AssertionVector {
  readonly name: string;
  readonly assertion: Buffer;
  readonly clientData: Buffer;
  readonly publicKeyPem: string;
  readonly expectedCounter: number;
  readonly appId: string;
}

type Fields = Readonly<Record<string, string>> & {
  readonly expectedCounter: number;
  readonly validationCategory?: number;
};

function readAll(kind: string): Fields[] {
  if (VECTORS_MISSING !== null) return [];
  const folder = path.join(FOLDER, kind);
  return readdirSync(folder)
    .sort()
    .map((file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Fields);
}

const base64 = (text: string | undefined): Buffer => Buffer.from(text ?? '', 'base64');
const appIdOf = ({ teamId, bundleId }: Fields): string => `${teamId}.${bundleId}`;

export function readAttestationVectors(): AttestationVector[] {
  return readAll('attestation').map((each) => ({
    name: each['name']!,
    attestation: base64(each['attestation']),
    keyId: each['keyId']!,
    appId: appIdOf(each),
    clientDataHash: base64(each['clientDataHash']),
    environment: each['environment'] as AttestationVector['environment'],
    verifyAt: Date.parse(each['verifyAt']!),
    ...(each.validationCategory === undefined
      ? null
      : { validationCategory: each.validationCategory }),
    ...(each['bundleVersion'] === undefined ? null : { bundleVersion: each['bundleVersion'] }),
  }));
}

export function readAssertionVectors(): AssertionVector[] {
  return readAll('assertion').map((each) => ({
    name: each['name']!,
    assertion: base64(each['assertion']),
    clientData: base64(each['clientData']),
    publicKeyPem: each['publicKeyPem']!,
    expectedCounter: each.expectedCounter,
    appId: appIdOf(each),
  }));
}

/** What a vector requires: its app, its data, its date, under Apple's root. */
export function expectationOf(vector: AttestationVector): AttestationExpectation {
  return {
    roots: readRoots(APPLE_APP_ATTEST_ROOT),
    appId: vector.appId,
    environments: ['production', 'development'],
    clientDataHash: vector.clientDataHash,
    now: vector.verifyAt,
  };
}

/**
 * Flips bits of an attestation one at a time and returns which changes were accepted, as
 * `<byte>.<bit>`. The receipt is left out: Apple's steps do not cover it.
 */
export function findAcceptedChanges(
  vector: AttestationVector,
  bitsAt: (byte: number) => readonly number[],
): string[] {
  const { attestation } = vector;
  const expected = expectationOf(vector);
  const statement = readCborMap(attestation)!.get('attStmt') as Map<string, Uint8Array>;
  const receipt = Buffer.from(statement.get('receipt')!);
  const receiptAt = attestation.indexOf(receipt);
  const accepted: string[] = [];
  for (let at = 0; at < attestation.length; at++) {
    if (at >= receiptAt && at < receiptAt + receipt.length) continue;
    for (const bit of bitsAt(at)) {
      const changed = Buffer.from(attestation);
      changed[at]! ^= 1 << bit;
      if (verifyAttestation(changed, expected).ok) accepted.push(`${at}.${bit}`);
    }
  }
  return accepted;
}
