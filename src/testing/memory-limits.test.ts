/** The limits in memory, held against what the port promises. */

import { test } from 'bun:test';
import { limitCases } from '../store/contract/limit-cases.ts';
import { makeMemoryLimits } from './memory-limits.ts';

for (const { title, run } of limitCases) {
  test(title, () => {
    const alive = new Set<string>();
    const store = makeMemoryLimits((node) => alive.has(node));
    return run({
      store,
      other: store,
      async setAlive(node, isAlive) {
        if (isAlive) alive.add(node);
        else alive.delete(node);
      },
    });
  });
}
