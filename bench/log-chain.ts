/**
 * The cost of the log's hash chain per record, and of a signature per end (decision 0032): `npx bun
 * bench/log-chain.ts`.
 */

import { extendChain, startChain } from '../src/runtime/signing/log-chain.ts';
import { makeSigner } from '../src/runtime/signing/signer.ts';

const ROUNDS = 200_000;
const record = {
  k: 'action',
  seat: 1,
  id: 'c_0123456789abcdef',
  action: { from: [2, 3], to: [3, 4], path: [[1, 2]] },
} as const;

function measure(name: string, rounds: number, work: (i: number) => void): void {
  for (let i = 0; i < rounds / 10; i++) work(i);
  const from = performance.now();
  for (let i = 0; i < rounds; i++) work(i);
  const each = ((performance.now() - from) / rounds) * 1_000;
  process.stdout.write(`${name}: ${each.toFixed(2)} us\n`);
}

let head = startChain({ id: 'ses_0', tenant: 'ten_0', mode: 'live' });
const signer = makeSigner([new Uint8Array(32)]);
measure('JSON of a record', ROUNDS, (i) => void JSON.stringify([i, i, record]));
measure('link of a record, its JSON included', ROUNDS, (i) => {
  head = extendChain(head, [{ v: i, at: i, record }]);
});
measure('signature', ROUNDS / 100, () => void signer.sign('session-seal', head));
