/** The cluster in memory keeps the contract that PostgreSQL's keeps. */

import { clusterContractSuite } from '../store/contract/cluster-cases.ts';
import { makeManualClock } from './manual-clock.ts';
import { makeMemoryCluster } from './memory-cluster.ts';

clusterContractSuite('memory', async () => {
  const clock = makeManualClock();
  const holders = new Map<string, string>();
  return {
    store: makeMemoryCluster(clock, (session) => holders.get(session) ?? null),
    async pass(ms) {
      clock.advance(ms);
    },
    async makeHeld(node) {
      const id = `ses_${holders.size}`;
      holders.set(id, node);
      return id;
    },
    close: async () => undefined,
  };
});
