/** Bodies in chunks, up to their limit. */

import { expect, test } from 'bun:test';
import { makeSeededChance } from '../testing/seeded-chance.ts';
import { TEST_SEED } from '../testing/test-seed.ts';
import { gatherBody } from './gathered-body.ts';

const BYTES_MAX = 5_000;

test(`[H1] chunks of any size make the whole, up to the limit and no further (seed ${TEST_SEED})`, () => {
  const chance = makeSeededChance(TEST_SEED);
  for (let round = 0; round < 200; round += 1) {
    const body = gatherBody(BYTES_MAX);
    const all: number[] = [];
    for (let fits = true; fits; ) {
      const size = Math.floor(chance() ** 3 * 2_000);
      const piece = Uint8Array.from({ length: size }, () => Math.floor(chance() * 256));
      fits = body.add(piece);
      expect(fits).toBe(all.length + size <= BYTES_MAX);
      if (fits) all.push(...piece);
      // The reader may reuse the buffer that was passed in.
      piece.fill(0);
    }
    const whole = body.whole();
    expect([...whole]).toEqual(all);
    expect(whole.buffer.byteLength).toBe(all.length);
  }
});

test('[H1] an empty body, and one of exactly the limit', () => {
  const body = gatherBody(3);
  expect(body.whole()).toEqual(new Uint8Array());
  expect([body.add(new Uint8Array([1, 2, 3])), body.add(new Uint8Array([4]))]).toEqual([
    true,
    false,
  ]);
  expect(body.whole()).toEqual(new Uint8Array([1, 2, 3]));
});
