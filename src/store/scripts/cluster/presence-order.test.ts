/** Presence reported and rewritten at the same time. */

import { expect, test } from 'bun:test';
import { makePresenceRunner } from './presence.test-kit.ts';
import { makePresenceStore } from './presence.ts';

/** A presence table; each statement takes effect when the test lets it through. */
function makeTable() {
  const rows = new Set<string>();
  const waiting: { readonly what: 'write' | 'again'; readonly go: () => void }[] = [];
  const statement = (what: 'write' | 'again', act: () => void): Promise<void> =>
    new Promise((done) =>
      waiting.push({
        what,
        go() {
          act();
          done();
        },
      }),
    );
  const runner = makePresenceRunner((said, isAgain) =>
    statement(isAgain ? 'again' : 'write', () => {
      for (const { playerId, isConnected } of said) {
        if (isConnected) rows.add(playerId);
        else rows.delete(playerId);
      }
    }),
  );
  return { rows, waiting, runner };
}

const settle = async () => {
  for (let n = 0; n < 10; n++) await new Promise(setImmediate);
};

test('[N21] a player who leaves while presence is rewritten after a lost lease is gone', async () => {
  const { rows, waiting, runner } = makeTable();
  const store = makePresenceStore(runner);
  const say = (playerId: string, isConnected: boolean) =>
    void store.setPresence({ tenant: 'ten_a', mode: 'live', playerId, node: 'nod_a', isConnected });
  say('ann', true);
  await settle();
  waiting.shift()!.go();
  await settle();
  // The lease was lost and is back, during a storm of players.
  say('p1', true);
  await settle();
  say('p2', true); // waits for the write of p1
  store.renewPresence();
  say('p3', true); // goes with p2
  await settle();
  waiting.shift()!.go(); // p1
  await settle();
  say('p4', true); // waits for the write of p2 and p3
  waiting.shift()!.go(); // p2, p3
  await settle();
  say('ann', false);
  // Writes of single players are fast, the rewrite of all is slow.
  while (waiting.some(({ what }) => what === 'write')) {
    waiting
      .splice(
        waiting.findIndex(({ what }) => what === 'write'),
        1,
      )[0]!
      .go();
    await settle();
  }
  while (waiting.length > 0) {
    waiting.shift()!.go();
    await settle();
  }
  store.stopRetrying();
  expect(rows.has('ann')).toBe(false);
});
