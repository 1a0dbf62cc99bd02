/** Arrivals and departures when writes are slow or fail. tickets.test.ts shows what depends on them. */

import { expect, test } from 'bun:test';
import { makePresenceRunner } from './presence.test-kit.ts';
import { makePresenceStore } from './presence.ts';

/** A database of presence; each write waits for `go`, and fails on demand. */
function makeSlow() {
  const here = new Set<string>();
  const waiting: ((isLost: boolean) => void)[] = [];
  const writes: number[] = [];
  const store = makePresenceStore(
    makePresenceRunner(async (rows) => {
      if (await new Promise<boolean>((go) => waiting.push(go))) throw new Error('lost');
      writes.push(rows.length);
      for (const { playerId, isConnected } of rows) here[isConnected ? 'add' : 'delete'](playerId);
    }),
  );
  return {
    here,
    writes,
    waiting,
    renew: store.renewPresence,
    say: (playerId: string, isConnected: boolean) =>
      store.setPresence({ tenant: 'ten_a', mode: 'live', playerId, node: 'nod_a', isConnected }),
    async go(isLost = false) {
      while (waiting.length === 0) await Bun.sleep(1);
      waiting.shift()!(isLost);
    },
  };
}

test('[P2][N21] all arrivals during a write go with the next one', async () => {
  const { say, go, here, writes } = makeSlow();
  const first = say('first', true);
  await Bun.sleep(1);
  const others = Array.from({ length: 500 }, (_, n) => say(`player ${n}`, true));
  await go();
  await first;
  await go();
  await Promise.all(others);
  expect(writes).toEqual([1, 500]);
  expect(here.size).toBe(501);
});

test('[P2][N21] of several reports about a player during a write the last counts, and all callers are answered', async () => {
  const { say, go, here, writes } = makeSlow();
  const said = [say('ann', true)];
  await Bun.sleep(1);
  said.push(say('ann', false), say('ann', true), say('ann', false), say('bob', true));
  await go();
  await go();
  await Promise.all(said);
  expect(writes).toEqual([1, 2]);
  expect([...here]).toEqual(['bob']);
});

test('[P2][N21] a failed arrival is reported; a departure is written later, unless the player is back', async () => {
  const { say, go, here } = makeSlow();
  const came = say('ann', true);
  await go();
  await came;
  const lost = Promise.allSettled([say('ann', false), say('bob', false), say('cyd', true)]);
  await go(true);
  expect((await lost).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect([...here]).toEqual(['ann']);
  const back = say('bob', true);
  // Ann's departure goes with it.
  await go();
  await back;
  expect([...here]).toEqual(['bob']);
});

test('[P2][N21] a failed departure is retried by itself', async () => {
  const { say, go, here } = makeSlow();
  const came = say('ann', true);
  await go();
  await came;
  const gone = say('ann', false).catch(() => 'lost');
  await go(true);
  expect(await gone).toBe('lost');
  await go();
  await Bun.sleep(1);
  expect(here.size).toBe(0);
});

test('[P2][N21] presence is written again until it succeeds, without players who left meanwhile', async () => {
  const { say, renew, go, here } = makeSlow();
  const came = [say('ann', true), say('bob', true), say('cyd', true)];
  await go();
  await Promise.all(came);
  here.clear();
  const wentBefore = say('cyd', false);
  renew();
  await go();
  await wentBefore;
  // It fails, and bob leaves before the retry.
  await go(true);
  const wentAfter = say('bob', false);
  await go();
  await wentAfter;
  await go();
  await Bun.sleep(1);
  expect([...here]).toEqual(['ann']);
});
