/** An installation's key, the same in every test. */

import { makeSeals } from '../runtime/signing/seals.ts';
import { makeSigner } from '../runtime/signing/signer.ts';

export const testSigner = makeSigner([new Uint8Array(32).fill(7)]);

/** For an installation that has sealed from its beginning. */
export const testSeals = makeSeals(testSigner, 0);
