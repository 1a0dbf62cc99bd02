/** What the log of a match that another process held says it lost. */

import { expect, test } from 'bun:test';
import { makeManualClock } from '../testing/manual-clock.ts';
import { logOf, openMatch, openWorld, settle } from '../testing/match-world.ts';

const ID = 'ses_time01';

// The store was away from all nodes between 1 s and 11 s. The holder died, and was taken over at 26 s.
test.each([
  ['after it', 20_000, 16_000],
  ['in it', 8_000, 25_000],
  ['before it', 500, 25_500],
])(
  '[N2][P6] an outage and the time without a holder, who died %s, are both charged to nobody, once',
  async (_, heardMs, lostMs) => {
    const [a] = await openMatch(ID);
    const from = a.clock.now();
    const clock = makeManualClock(from + 26_000);
    const fellows = { isElsewhere: async () => false, heardAt: async () => from + heardMs };
    const b = await openWorld({ kept: a.kept, clock, node: 'nod_2', fellows });
    b.downtimes.add({ from: from + 1_000, to: from + 11_000 });
    await b.host.recover();
    await settle();
    const owned = (await logOf(b, ID)).at(-1)!;
    expect(owned.record).toMatchObject({ k: 'owned', lostMs });
  },
);
