/** The simulated store keeps the contract of the real ones. */

import { test } from 'bun:test';
import { runOn, type StorePlace } from '../../src/store/contract/area.ts';
import { queueCases } from '../../src/store/contract/queue-cases.ts';
import { ticketCases } from '../../src/store/contract/ticket-cases.ts';
import { webhookCases } from '../../src/store/contract/webhook-cases.ts';
import { storeContractSuite } from '../../src/store/contract-suite.ts';
import type { AuditRow } from '../../src/store/store.ts';
import type { Store } from '../../src/store/whole-store.ts';
import { makeMemoryTenancy } from '../../src/testing/memory-tenancy.ts';
import { makeSimStore } from './sim-store.ts';
import { makeTables } from './tables.ts';
import type { Wire } from './wire.ts';

/** A wire on which every call arrives: commits a turn of the runtime later. */
const wire: Wire = {
  send: (act, done) => void setImmediate(() => done({ kind: 'answered', value: act() })),
  call: async (act) => act(),
  callOnTime: async (act) => act(),
};

/** Opens stores on one database; without a cluster presence lives and dies with the process. */
function makePlace(audit: AuditRow[] = []): StorePlace {
  const tables = makeTables();
  const tenancy = makeMemoryTenancy(audit);
  return {
    async open(): Promise<Store> {
      tables.presence.clear();
      return makeSimStore({ tables, tenancy, wire, node: 'nod_a' });
    },
    async remove() {},
  };
}

const audits = new WeakMap<object, AuditRow[]>();

storeContractSuite('simulated store', {
  async open() {
    const audit: AuditRow[] = [];
    const store = await makePlace(audit).open();
    audits.set(store, audit);
    return store;
  },
  audit: async (store) => audits.get(store)!,
});

for (const { title, run } of ticketCases) {
  test(title, async () => {
    const place = makePlace();
    await run(await place.open(), () => place.open());
  });
}

/** The audit is not simulated, nor what players' pages and boards read. */
const isSimulated = ({ title }: { readonly title: string }): boolean =>
  !title.includes('audited') && !title.startsWith('[L1] ratings outlive');

for (const each of webhookCases.filter(isSimulated)) {
  test(each.title, () => runOn(makePlace(), each));
}

for (const { title, run } of queueCases.filter(isSimulated)) {
  test(title, async () => run(await makePlace().open()));
}
