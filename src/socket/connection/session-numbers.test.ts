/** Numbers of sessions on a socket against a simple list. */

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { TEST_SEED } from '../../testing/test-seed.ts';
import { SessionNumbers } from './session-numbers.ts';

test(`[P12] a session keeps its number while it is shown, and no other gets it (seed ${TEST_SEED})`, () => {
  const step = fc.record({ session: fc.nat(40).map((n) => `ses_${n}`), isDrop: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const numbers = new SessionNumbers();
      const model: string[] = [];
      for (const { session, isDrop } of steps) {
        const known = model.indexOf(session);
        if (isDrop) {
          numbers.drop(session);
          if (known >= 0) model[known] = '';
        } else expect(numbers.of(session)).toBe(known >= 0 ? known : model.push(session) - 1);
        expect(model.map((_, n) => numbers.sessionAt(n))).toEqual(model);
        expect(numbers.sessionAt(model.length)).toBeUndefined();
      }
    }),
    { seed: TEST_SEED },
  );
});
