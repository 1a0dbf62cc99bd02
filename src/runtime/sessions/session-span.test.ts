/** A time span as ids: no match is missed, and little else is read. */

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { SessionFilter } from '../../store/store.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import { makeIds } from '../ids.ts';
import { systemRandomness } from '../system.ts';
import { withSpan } from './session-span.ts';

const FILTER: SessionFilter = {
  tenant: 'ten_a',
  mode: 'live',
  game: null,
  status: null,
  playerId: null,
  createdFrom: null,
  createdTo: null,
  before: null,
  limit: 25,
};
const T0 = Date.UTC(2026, 10, 21);

/** The id of a session created at that time. */
const idOf = (at: number): string =>
  makeIds({ now: () => at, after: () => () => {} }, systemRandomness)('ses');

test('[H9] every session of a time span has an id in the span of ids, and few others have', () => {
  const time = fc.integer({ min: T0 - 1e9, max: T0 + 1e9 });
  fc.assert(
    fc.property(time, time, time, (createdFrom, createdTo, at) => {
      const { before, notBefore } = withSpan({ ...FILTER, createdFrom, createdTo });
      const id = idOf(at);
      const isLookedAt = id < before! && id >= notBefore!;
      if (at >= createdFrom && at < createdTo) expect(isLookedAt).toBe(true);
      if (at < createdFrom - 5_001 || at > createdTo + 5_001) expect(isLookedAt).toBe(false);
    }),
    { seed: TEST_SEED },
  );
});

test('[H9] a page that begins earlier keeps its start, and without a span nothing is added', () => {
  const before = idOf(T0);
  expect(withSpan({ ...FILTER, before })).toEqual({ ...FILTER, before });
  expect(withSpan({ ...FILTER, before, createdTo: T0 + 1e6 }).before).toBe(before);
  expect(withSpan({ ...FILTER, createdTo: -5 }).before! < before).toBe(true);
});
