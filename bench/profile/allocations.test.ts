/** Reading JavaScriptCore's reports about its heaps. */

import { expect, test } from 'bun:test';
import { makeAllocationLog } from './allocations.ts';

const request = (bytes: number): string =>
  `Requesting GC because bytes allocated this cycle: ${bytes} exceed bytes allowed: 8388608\n`;
const collected = (heap: string): string =>
  `[GC<${heap}>: START M 9131kb => EdenCollection, v=0kb => 8730kb, p=2.1ms (max 2.1), cycle 2.0ms END]\nGC END!\n`;

test('[BENCH] allocated bytes are summed by heap, within the spans, however the text is cut', () => {
  let now = 0;
  const log = makeAllocationLog(() => now);
  const text = [
    request(5),
    collected('0xaa'),
    request(100),
    collected('0xbb'),
    request(30),
    collected('0xaa'),
    request(40),
    collected('0xaa'),
    collected('0xaa'),
  ].join('');
  for (const [i, letter] of [...text].entries()) {
    if (i === request(5).length + collected('0xaa').length) now = 10;
    log.take(letter);
  }
  expect(log.within([{ fromMs: 10, toMs: 20 }])).toEqual([
    { bytes: 100, collections: 1, uncounted: 0 },
    { bytes: 70, collections: 3, uncounted: 1 },
  ]);
});
