/**
 * What several nodes on one PostgreSQL share: webhooks, each served by one node, and notice of each
 * other's events.
 */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { EventWorld, NewEvent } from '../../events/event.ts';
import { migratedDatabase } from '../../testing/servers/migrated-database.ts';
import { isPostgresHere } from '../../testing/servers/postgres.ts';
import { type EmptyingDatabase, openEmptying } from '../../testing/servers/postgres-place.ts';
import { eventually } from '../../testing/webhooks/webhook-world.ts';
import { times } from '../contract/area.ts';
import { CLAIM_NODES, claimCases } from '../contract/claim-cases.ts';
import { auditOf, T0, TENANT } from '../contract/stage.ts';
import { openPostgresStore, type PostgresStore } from './postgres-store.ts';

const LIVE: EventWorld = { tenant: TENANT, mode: 'live' };
const WRITE = { audit: auditOf('x'), idempotency: null };

describe.skipIf(!isPostgresHere())('several nodes', () => {
  let emptying: EmptyingDatabase;
  let url = '';
  let stores: PostgresStore[] = [];

  beforeAll(async () => {
    url = await migratedDatabase();
    emptying = await openEmptying(url);
  }, 60_000);
  afterAll(() => emptying?.close());
  beforeEach(async () => {
    stores = [];
    for (const node of CLAIM_NODES) stores.push(await openPostgresStore({ url, node }));
    await emptying.empty();
  }, 60_000);
  afterEach(async () => {
    for (const store of stores) await store.close();
  });

  const lease = (node: string, ms: number, isDraining: boolean) =>
    emptying.rows(`INSERT INTO node (id, lease_until, draining)
      VALUES ('${node}', (extract(epoch FROM clock_timestamp()) * 1000)::bigint + ${ms}, ${isDraining})
      ON CONFLICT (id) DO UPDATE
        SET lease_until = excluded.lease_until, draining = excluded.draining`);
  const emit = (store: PostgresStore, n: number) => {
    const id = `evt_${n}`;
    const event: NewEvent = { id, ...LIVE, type: 'move.made', session: null, at: T0, data: '{}' };
    return store.triggerEvent(event, WRITE);
  };

  for (const { title, run } of claimCases) test(title, () => run({ stores, lease }));

  test('[N12] events of another node are noticed within a second, where somebody watches', async () => {
    const [writer, reader] = [stores[0]!, stores[1]!];
    const told: [EventWorld, number][] = [];
    let watched: EventWorld[] = [];
    reader.onEvents(
      (world, head) => void told.push([world, head]),
      () => watched,
    );
    await emit(writer, 1);
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(told).toEqual([]);
    watched = [LIVE];
    await eventually(() => told.length > 0, 1_000);
    expect(told).toEqual([[LIVE, 1]]);
    await times(20, (n) => emit(n % 2 === 0 ? writer : reader, n + 2));
    await eventually(() => told.at(-1)?.[1] === 21, 1_000);
    const heads = told.map(([, head]) => head);
    // Never backwards, and nothing twice.
    expect(heads).toEqual([...new Set(heads)].sort((a, b) => a - b));
    expect(await reader.readEvents(LIVE, 0, 99)).toHaveLength(21);
  });
});
