/** PostgreSQL, tested against the contracts of all areas. */

import { afterAll, beforeAll, describe, setDefaultTimeout } from 'bun:test';
import { freshDatabase, isPostgresHere } from '../../testing/servers/postgres.ts';
import { type EmptyingDatabase, openEmptying } from '../../testing/servers/postgres-place.ts';
import { storeContractSuite } from '../contract/contract-suite.ts';
import { wholeStoreSuite } from '../contract/whole-suite.ts';
import type { AuditRow } from '../store.ts';
import { openPostgresStore } from './postgres-store.ts';

/** Each case waits for the disk hundreds of times. */
setDefaultTimeout(180_000);

const AUDIT = 'SELECT tenant, actor, act, object, at::float8 FROM audit ORDER BY tenant, n';

describe.skipIf(!isPostgresHere())('PostgreSQL', () => {
  let url = '';
  let emptying: EmptyingDatabase;
  let nodes = 0;
  const open = () => {
    nodes += 1;
    return openPostgresStore({ url, node: `nod_${nodes}` });
  };
  beforeAll(async () => {
    url = await freshDatabase();
    await (await open()).close();
    emptying = await openEmptying(url);
  });
  afterAll(() => emptying.close());

  storeContractSuite('postgres', {
    async open() {
      await emptying.empty();
      return await open();
    },
    openAgain: open,
    dump: () => emptying.dump(),
    audit: () => emptying.rows<AuditRow>(AUDIT),
  });
  wholeStoreSuite('postgres', async () => {
    await emptying.empty();
    // The process that the cases use is alive.
    await emptying.rows(
      "INSERT INTO node (id, lease_until, keys_audit) VALUES ('nod_a', 1e15::bigint, TRUE)",
    );
    return { open, remove: () => emptying.empty() };
  });
});
