/** Parallel requests to erase a player. */

import { expect, test } from 'bun:test';
import { TENANT } from '../contract/stage.ts';
import { WORLDS } from '../world.ts';
import { makeErasing } from './erasing.ts';

test('[R2] of many parallel requests to erase one player, each is answered by a walk that began after it, shared by all that wait', async () => {
  let walks = 0;
  const gate = Promise.withResolvers<void>();
  const { forgetAnswersOf } = makeErasing<never>({
    together: 9,
    isKnown: () => true,
    async forgetAnswers() {
      walks += 1;
      await gate.promise;
      return null;
    },
    erase: async () => true,
  });
  const first = forgetAnswersOf(TENANT, WORLDS, 'ann', 1);
  await Promise.resolve();
  await Promise.resolve();
  const others = [2, 3, 4].map((now) => forgetAnswersOf(TENANT, WORLDS, 'ann', now));
  const another = forgetAnswersOf(TENANT, WORLDS, 'ben', 5);
  gate.resolve();
  const all = await Promise.all([first, ...others, another]);
  expect(all.map(({ since }) => since)).toEqual([1, 2, 2, 2, 5]);
  expect(walks).toBe(2);
});
