/** A node that stops during a transaction blocks the others for seconds, not forever. */

// @alone: it measures times, which parallel tests would stretch.

import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { freshDatabase, isPostgresHere } from '../../testing/servers/postgres.ts';
import { holdBar } from '../../testing/time-bar.ts';
import { created, sessionOf, TENANT } from '../contract/stage.ts';
import { openCounter } from '../rows/open-counter.ts';
import { countAll } from '../scripts/shared/counters.ts';
import { scriptTx } from './commits/script-tx.ts';
import { openDatabase } from './connect/database.ts';
import { openPostgresStore } from './postgres-store.ts';

setDefaultTimeout(60_000);

/** The server ends such a transaction after 5 s. Milliseconds. */
const HELD_UP_MS_MAX = 7_000;

describe.skipIf(!isPostgresHere())('a node that stops', () => {
  test('[STORE-PG14] the server takes its locks away and rolls it back', async () => {
    const url = await freshDatabase();
    const store = await openPostgresStore({ url, node: 'nod_b' });
    await created(store, 1);
    const stopped = openDatabase({ url, max: 1, name: 'stopped', onHead: () => {} });
    let resume = (): void => {};
    const pause = new Promise<void>((resolve) => {
      resume = resolve;
    });
    let hasLock = (): void => {};
    const locked = new Promise<void>((resolve) => {
      hasLock = resolve;
    });
    const transaction = stopped
      .transaction(async (tx) => {
        const count = () =>
          countAll(scriptTx(tx), [{ tenant: TENANT, name: openCounter({ mode: 'live' }) }]);
        await count();
        hasLock();
        await pause;
        await count();
      })
      .catch(String);
    await locked;
    const began = performance.now();
    // It uses the same counter: one session is open, and there is room for one more.
    const made = await store.createSession(sessionOf(2, { quota: { openSessionsMax: 2 } }));
    const heldUpMs = performance.now() - began;
    expect(made).toEqual({ names: [] });
    expect(heldUpMs).toBeGreaterThan(1_000);
    holdBar('held up by one that stands still, ms', heldUpMs, HELD_UP_MS_MAX);
    resume();
    expect(await transaction).toContain('StoreUnavailable');
    await stopped.close();
    await store.close();
  });
});
