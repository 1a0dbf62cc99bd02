/** Every bit of a real attestation, one after another. */

import { expect, test } from 'bun:test';
import {
  findAcceptedChanges,
  readAttestationVectors,
  VECTORS_MISSING,
} from '../../testing/devices/attest-vectors.ts';

const ALL_BITS = [0, 1, 2, 3, 4, 5, 6, 7];

test.skipIf(VECTORS_MISSING !== null)(
  `[I5] no bit of a real attestation can be changed outside the receipt ${VECTORS_MISSING ?? ''}`,
  () => {
    for (const name of ['apple-guide-2026', 'veehaitch-ios-14.2']) {
      const vector = readAttestationVectors().find((each) => each.name === name)!;
      expect(findAcceptedChanges(vector, () => ALL_BITS)).toEqual([]);
    }
  },
  300_000,
);
