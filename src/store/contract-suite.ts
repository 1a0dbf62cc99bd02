/** The contract of `store.ts`, as tests that every implementation runs. */

import { afterEach, beforeEach, describe, test } from 'bun:test';
import { batchCases } from './contract/batch-cases.ts';
import { checkCases } from './contract/check-cases.ts';
import { createCases } from './contract/create-cases.ts';
import { erasingCases } from './contract/erasing-cases.ts';
import { keepCases } from './contract/keep-cases.ts';
import { listCases } from './contract/list-cases.ts';
import { logCases } from './contract/log-cases.ts';
import { serviceCases } from './contract/service-cases.ts';
import { sleepCases } from './contract/sleep-cases.ts';
import type { StoreMaker } from './contract/stage.ts';
import { tenancyCases } from './contract/tenancy-cases.ts';
import type { CoreStore } from './store.ts';

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
