/** How a client evaluates the chain of frames it is shown. */

import { expect, test } from 'bun:test';
import { makeChain } from './chain.ts';

test('[SIM] a chain of frames begins with a state and has no gap', () => {
  const chain = makeChain();
  expect(chain.take({ t: 'update', v: 4, prev: 3 })).toBe('unfounded');
  expect(chain.take({ t: 'state', v: 4, prev: 3 })).toBe('next');
  expect(chain.take({ t: 'update', v: 5, prev: 4 })).toBe('next');
  expect(chain.take({ t: 'emote', v: 5, prev: 5 })).toBe('known');
  expect(chain.take({ t: 'update', v: 7, prev: 6 })).toBe('gap');
  expect(chain.take({ t: 'update', v: 9, prev: 6 })).toBe('torn');
});

test('[SIM] after the state of a tick match the previous frame may be an older one', () => {
  const chain = makeChain();
  chain.take({ t: 'state', v: 20, prev: 3, ticks: { next: 40, at: null } });
  expect(chain.take({ t: 'presence', v: 21, prev: 3 })).toBe('next');
});
