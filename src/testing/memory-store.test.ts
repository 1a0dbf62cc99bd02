/** The memory store keeps the same contract as the real ones. */

import { storeContractSuite } from '../store/contract-suite.ts';
import { makeMemoryStore } from './memory-store.ts';

storeContractSuite('memory', { open: async () => makeMemoryStore() });
