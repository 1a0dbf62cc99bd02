/** Removing a tenant: it stops at once, is exported without secrets, and nothing of it is left. */

import { expect } from 'bun:test';
import { type ExportedRow, TENANT_PARTS } from '../../tenant-removal.ts';
import type { Store } from '../../whole-store.ts';
import type { AreaCase } from '../area.ts';
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
} from '../stage.ts';
import { accountOf, inviteOf, join, linkOf, loginOf } from './account-stage.ts';

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

/** Two tenants with the same data: `OTHER`'s stays unchanged. */
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

/** An account with everything an account can have, in these tenants. */
async function settle(store: Store, name: string, tenants: readonly string[]): Promise<void> {
  const account = accountOf(name);
  for (const tenant of tenants) {
    const hash = `join-${name}-${tenant}`;
    await store.putLink(inviteOf(hash, name, { tenant }), hash, null);
    const isKnown = (await store.findAccount(account.id)) !== null;
    const guest = isKnown ? { id: account.id } : account;
    const audit = { ...auditOf('member.joined', account.id), tenant };
    expect(await store.useInvitation(hash, guest, audit)).toBe('done');
  }
  await store.setTotp(account.id, account, { secret: 'totp', step: 1 }, ['code'], []);
  const guarded = { ...account, totpSecret: 'totp' };
  const passkey = { id: `psk_${name}`, account: account.id, credential: name, name };
  const unused = { publicKey: 'cose', counter: 0, createdAt: T0, lastUsedAt: null };
  expect(await store.addPasskey({ ...passkey, ...unused }, guarded, [], [])).toBe('added');
  const proven = { ...guarded, passkeyRevision: 1 };
  expect(await store.beginLogin(loginOf(`lgn_${name}`, proven), null, [])).toBe(true);
  await store.putLink(
    linkOf(`lnk_${name}`, { kind: 'reset', email: account.email }),
    `reset-${name}`,
    null,
  );
}

/** What is stored of an account: itself, a login, recovery codes, a reset link, memberships. */
async function storedOf(store: Store, name: string) {
  const id = accountOf(name).id;
  return [
    (await store.findAccount(id)) !== null,
    (await store.findAccountByEmail(accountOf(name).email)) !== null,
    (await store.findLogin(`hash-lgn_${name}`)) !== null,
    (await store.listLogins(id)).length,
    await store.countRecoveryCodes(id),
    (await store.listPasskeys(id)).length,
    (await store.findLink(`reset-${name}`, T0)) !== null,
    (await store.listMemberships(id)).map(({ tenant }) => tenant).sort(),
  ];
}

const whole = (...tenants: string[]) => [true, true, true, 1, 1, 1, true, tenants];

export const removalCases: readonly AreaCase[] = [
  {
    title:
      '[R3] members of this tenant only are removed with all their data; others and operators stay',
    async run({ store }) {
      for (const tenant of [TENANT, OTHER]) {
        await store.createTenant(tenantOf(tenant), { ...auditOf('tenant.created'), tenant });
      }
      const owner = accountOf('owner', { isOperator: true });
      await store.putLink(linkOf('lnk_setup'), 'setup', null);
      expect(await store.useSetupLink('setup', owner, auditOf('setup'))).toBe('done');
      await join(store, owner, 'owner');
      await settle(store, 'ann', [TENANT]);
      await settle(store, 'ben', [TENANT, OTHER]);
      await settle(store, 'cem', [OTHER]);
      // Another tenant's invitation belongs to that tenant, whomever it is for.
      await store.putLink(inviteOf('lnk_later', 'ann', { tenant: OTHER }), 'later', null);
      expect(await storedOf(store, 'ann')).toEqual(whole(TENANT));
      await store.beginRemoval(TENANT, T0, auditOf('tenant.removed'));
      expect(await store.removePeople(TENANT)).toBe(1);
      expect(await store.removePeople(TENANT)).toBe(0);
      for (const part of TENANT_PARTS) while ((await store.removePart(TENANT, part, 2)) > 0);
      expect(await storedOf(store, 'ann')).toEqual([false, false, false, 0, 0, 0, false, []]);
      expect(await storedOf(store, 'ben')).toEqual(whole(OTHER));
      expect(await storedOf(store, 'cem')).toEqual(whole(OTHER));
      expect(await store.findAccount(owner.id)).toMatchObject({ isOperator: true });
      expect(await store.listMemberships(owner.id)).toEqual([]);
      expect(await store.findLink('later', T0)).not.toBeNull();
      // A member of two tenants is removed with the last of them.
      expect(await store.removePeople(OTHER)).toBe(2);
      expect((await storedOf(store, 'ben')).slice(0, -1)).toEqual([
        false,
        false,
        false,
        0,
        0,
        0,
        false,
      ]);
    },
  },
  {
    title: '[R3] a tenant whose removal begins is suspended; activating it cancels the removal',
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
    title: '[R3] an export has every row once, page by page, and nothing that grants access',
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
    title: '[R3] it is removed in steps, the tenant last, and nothing of another tenant',
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
