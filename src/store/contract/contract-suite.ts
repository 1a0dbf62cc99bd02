/** The contract of `store.ts`, as tests that every implementation runs. */

import { afterEach, beforeEach, describe, test } from 'bun:test';
import type { CoreStore } from '../store.ts';
import { checkCases } from './accounts/check-cases.ts';
import { tenancyCases } from './accounts/tenancy-cases.ts';
import { batchCases } from './batch-cases.ts';
import { createCases } from './create-cases.ts';
import { erasingCases } from './erasing-cases.ts';
import { keepCases } from './keep-cases.ts';
import { listCases } from './list-cases.ts';
import { logCases } from './log-cases.ts';
import { serviceCases } from './service-cases.ts';
import { sleepCases } from './sleep-cases.ts';
import type { StoreMaker } from './stage.ts';

const GROUPS = {
  logs: logCases,
  batches: batchCases,
  creating: createCases,
  listing: listCases,
  sleeping: sleepCases,
  checking: checkCases,
  keeping: keepCases,
  erasing: erasingCases,
  tenancy: tenancyCases,
  service: serviceCases,
};

/** Registers the suite. Each case gets its own store. */
export function storeContractSuite(name: string, maker: StoreMaker): void {
  for (const [group, cases] of Object.entries(GROUPS)) {
    describe(`${name}: ${group}`, () => {
      let store: CoreStore;
      beforeEach(async () => {
        store = await maker.open();
      });
      afterEach(() => store.close());
      for (const each of cases) test(each.title, () => each.run(store, maker));
    });
  }
}
