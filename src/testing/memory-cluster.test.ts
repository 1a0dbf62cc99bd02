/** The cluster in memory keeps the contract that PostgreSQL's keeps. */

import { clusterContractSuite } from '../store/contract/cluster-cases.ts';
import { makeManualClock } from './manual-clock.ts';
import { makeMemoryCluster } from './memory-cluster.ts';

clusterContractSuite('memory', async () => {
  const clock = makeManualClock();
  const holders = new Map<string, string | null>();
  const wakeAts = new Map<string, number>();
  const ended = new Set<string>();
  return {
    store: makeMemoryCluster(clock, {
      holder: (session) => holders.get(session) ?? null,
      hasEnded: (session) => ended.has(session),
      heldBy: (node) => [...holders].flatMap(([id, holder]) => (holder === node ? [id] : [])),
      hold(session, node) {
        if (holders.has(session)) holders.set(session, node);
        return wakeAts.get(session) ?? null;
      },
      erasures: () => 0,
      erasedIn: () => [],
      forgetAnswers: () => undefined,
    }),
    async pass(ms) {
      clock.advance(ms);
    },
    async makeHeld(node) {
      const id = `ses_${holders.size}`;
      holders.set(id, node);
      return id;
    },
    async makeAsleep(wakeAt) {
      const id = `ses_${holders.size}`;
      wakeAts.set(id, wakeAt);
      holders.set(id, null);
      return id;
    },
    async makeEnded() {
      const id = `ses_${holders.size}`;
      holders.set(id, null);
      ended.add(id);
      return id;
    },
    close: async () => undefined,
  };
});
