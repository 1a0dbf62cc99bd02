/** A tenant's end: it acts no more at once, is exported without secrets, and nothing of it is left. */

import { expect } from 'bun:test';
import { type ExportedRow, TENANT_PARTS } from '../tenant-removal.ts';
import type { Store } from '../whole-store.ts';
import type { AreaCase } from './area.ts';
import {
  append,
  auditOf,
  created,
  entryOf,
  keyOf,
  seatOf,
  sessionId,
  T0,
  TENANT,
  tenantOf,
} from './stage.ts';

const OTHER = 'ten_b';

async function exported(store: Store, tenant: string, limit: number): Promise<ExportedRow[]> {
  const rows: ExportedRow[] = [];
  for (const part of TENANT_PARTS) {
    let after: Parameters<typeof store.exportPart>[2] = null;
    do {
      const page = await store.exportPart(tenant, part, after, limit);
      rows.push(...page.rows);
      after = page.next;
    } while (after !== null);
  }
  return rows;
}

/** Two tenants with the same things: `OTHER`'s stay as they are. */
async function fill(store: Store): Promise<void> {
  for (const [tenant, first] of [
    [TENANT, 1],
    [OTHER, 101],
  ] as const) {
    await store.createTenant(tenantOf(tenant), { ...auditOf('tenant.created'), tenant });
    const key = keyOf(`key_${tenant}`, { tenant });
    const secret = { id: `sec${tenant}`, hash: 'a hash that opens' };
    await store.createKey(key, secret, { ...auditOf('key.created'), tenant });
    for (let n = first; n < first + 5; n++) {
      await created(store, n, {
        tenant,
        seats: [seatOf(0, `${tenant}-ann`)],
        metadata: '{"a":"b"}',
      });
      await append(store, sessionId(n), [entryOf(1)]);
    }
    const how = { method: 'POST', route: 'x', status: 200, code: null, tookMs: 1, session: null };
    await store.logRequests([{ id: 'req_1', tenant, mode: 'live', at: T0, keyId: key.id, ...how }]);
    await store.addMilestones(tenant, 'live', [{ name: 'made', at: T0 }]);
  }
}

export const removalCases: readonly AreaCase[] = [
  {
    title: '[R3] a tenant whose removal begins acts no more; one that acts again stays',
    async run({ store }) {
      await fill(store);
      const revision = await store.tenancyRevision();
      expect(await store.beginRemoval('ten_none', T0, auditOf('tenant.removed'))).toBe(false);
      expect(await store.listRemovals()).toEqual([]);
      expect(await store.tenancyRevision()).toBe(revision);
      expect(await store.beginRemoval(TENANT, T0, auditOf('tenant.removed'))).toBe(true);
      expect((await store.findTenant(TENANT))?.active).toBe(false);
      expect(await store.listRemovals()).toEqual([TENANT]);
      expect(await store.tenancyRevision()).toBeGreaterThan(revision);
      await store.updateTenant(TENANT, { name: 'New' }, auditOf('tenant.updated'));
      expect(await store.listRemovals()).toEqual([TENANT]);
      await store.updateTenant(TENANT, { active: true }, auditOf('tenant.updated'));
      expect(await store.listRemovals()).toEqual([]);
    },
  },
  {
    title: '[R3] an export has every row once, page by page, and nothing that opens anything',
    async run({ store }) {
      await fill(store);
      const all = await exported(store, TENANT, 1_000);
      const count = (table: string) => all.filter((each) => each.table === table).length;
      expect([count('session'), count('log'), count('seat'), count('player')]).toEqual([
        5, 10, 5, 1,
      ]);
      expect([count('api_key'), count('request'), count('audit')]).toEqual([1, 1, 2]);
      const text = JSON.stringify(all);
      expect(text).not.toContain('a hash that opens');
      expect(text).not.toContain(OTHER);
      const inPages = await exported(store, TENANT, 2);
      expect(inPages.map((each) => JSON.stringify(each)).sort()).toEqual(
        all.map((each) => JSON.stringify(each)).sort(),
      );
    },
  },
  {
    title: '[R3] it goes in steps, the tenant last, and nothing of another goes with it',
    async run({ store }) {
      await fill(store);
      const kept = await exported(store, OTHER, 1_000);
      await store.beginRemoval(TENANT, T0, auditOf('tenant.removed'));
      const steps: number[] = [];
      for (const part of TENANT_PARTS) {
        for (let n = 1; n > 0; ) {
          n = await store.removePart(TENANT, part, 2);
          if (part.table === 'session') steps.push(n);
        }
      }
      expect(steps).toEqual([2, 2, 1, 0]);
      expect(await exported(store, TENANT, 100)).toEqual([]);
      const audit = { ...auditOf('tenant.removed', TENANT), tenant: '' };
      expect(await store.finishRemoval(TENANT, audit)).toBe(true);
      expect(await store.finishRemoval(TENANT, audit)).toBe(false);
      expect(await store.findTenant(TENANT)).toBeNull();
      expect(await store.loadSession(sessionId(1))).toBeNull();
      expect(await store.findKeyBySecret(`sec${TENANT}`)).toBeNull();
      expect((await store.readAudit('', 0, 9)).at(-1)).toMatchObject({
        act: 'tenant.removed',
        object: TENANT,
      });
      expect(await exported(store, OTHER, 1_000)).toEqual(kept);
    },
  },
];
