/** A process that stops during a sweep waits for one step, whatever kind is in progress. */

import { expect, test } from 'bun:test';
import { startChores } from '../chores.ts';
import { makeManualClock } from '../testing/manual-clock.ts';

test('[R1] a process that stops while the store is unavailable does not ask it again for each kind of row', async () => {
  const clock = makeManualClock();
  const gates: PromiseWithResolvers<never>[] = [];
  const nothing = async (): Promise<void> => {};
  const store = {
    heartbeat: nothing,
    tenancyRevision: async () => 0,
    // Five seconds each, when no connection is available.
    listTenants: () => {
      const gate = Promise.withResolvers<never>();
      gates.push(gate);
      return gate.promise;
    },
  };
  const chores = startChores({
    store,
    host: { recover: async () => 0, maintain: nothing },
    keys: { forget() {}, recordUses: nothing },
    access: { forget() {} },
    webhooks: { forget() {} },
    streams: { maintain: nothing },
    limits: { maintain() {}, sweep: async () => 0 },
    accounts: { sweep: async () => 0 },
    audit: { maintain: async () => undefined },
    requests: { flush: nothing, sweep: store.listTenants },
    sockets: { maintain: nothing },
    clock,
    log: { info() {}, error() {} },
    node: 'nod_test',
  } as never);
  for (let n = 0; n < 70; n++) {
    await Bun.sleep(0);
    clock.advance(1_000);
    await Bun.sleep(0);
  }
  expect(gates.length).toBe(1);
  let isStopped = false;
  const stopped = chores.stop().then(() => {
    isStopped = true;
  });
  for (let n = 0; n < 10; n++) {
    gates.at(-1)!.reject(new Error('timeout exceeded when trying to connect'));
    await Bun.sleep(1);
  }
  expect([gates.length, isStopped]).toEqual([1, true]);
  await stopped;
});
