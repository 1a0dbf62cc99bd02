/** Tenants and their keys: created, found, changed, rotated, revoked, and noticed by every process. */

import { expect } from 'bun:test';
import type { ApiKey } from '../../../tenancy/tenant.ts';
import type { CoreStore } from '../../store.ts';
import type { Case } from '../stage.ts';
import { auditOf, failureOf, keyOf, T0, TENANT, tenantOf } from '../stage.ts';

const secretOf = (id: string) => ({ id, hash: id.repeat(8) });

export const tenancyCases: readonly Case[] = [
  {
    title: '[K2] tenants are read as they were created, and listed by id',
    async run(store) {
      const limits = { requestsPerMinute: 5, sessionsPerMonth: null };
      const tenants = [tenantOf('ten_b', { plan: 'enterprise', limits }), tenantOf('ten_a')];
      for (const tenant of tenants) await store.createTenant(tenant, auditOf('tenant.create'));
      expect(await store.findTenant('ten_b')).toEqual(tenants[0]!);
      expect(await store.findTenant('ten_c')).toBeNull();
      expect(await store.listTenants()).toEqual([tenants[1]!, tenants[0]!]);
      const again = tenantOf('ten_c', { slug: 'slug-ten_a' });
      expect(await store.createTenant(again, auditOf('tenant.create'))).toBe('slug_taken');
      const twice = tenantOf('ten_a', { slug: 'another' });
      const creating = store.createTenant(twice, auditOf('tenant.create'));
      expect(await failureOf(creating)).not.toBeNull();
      expect(await store.listTenants()).toEqual([tenants[1]!, tenants[0]!]);
    },
  },
  {
    title:
      '[K2] of tenants created at once with one slug, one succeeds, and the others are refused',
    async run(store) {
      const ids = ['ten_a', 'ten_b', 'ten_c', 'ten_d'];
      const before = await store.tenancyRevision();
      const answers = await Promise.all(
        ids.map((id) =>
          store.createTenant(tenantOf(id, { slug: 'one' }), auditOf('tenant.create')),
        ),
      );
      expect(answers.toSorted()).toEqual(['created', 'slug_taken', 'slug_taken', 'slug_taken']);
      const created = ids[answers.indexOf('created')]!;
      expect((await store.listTenants()).map(({ id }) => id)).toEqual([created]);
      expect(await store.tenancyRevision()).toBe(before + 1);
    },
  },
  {
    title: '[K2] a tenant is changed field by field',
    async run(store) {
      await store.createTenant(tenantOf(), auditOf('tenant.create'));
      const update = (change: Parameters<typeof store.updateTenant>[1]) =>
        store.updateTenant(TENANT, change, auditOf('tenant.update'));
      expect(await update({ name: 'New' })).toBe(true);
      expect(await update({ active: false, plan: 'growth', limits: { sockets: 1 } })).toBe(true);
      const changed = {
        name: 'New',
        active: false,
        plan: 'growth',
        limits: { sockets: 1 },
      } as const;
      expect(await store.findTenant(TENANT)).toEqual(tenantOf(TENANT, changed));
      expect(await update({})).toBe(true);
      expect(await store.findTenant(TENANT)).toEqual(tenantOf(TENANT, changed));
      expect(await store.updateTenant('ten_x', { name: 'X' }, auditOf('tenant.update'))).toBe(
        false,
      );
    },
  },
  {
    title: '[K9] settings belong to one mode, and do not change the others',
    async run(store) {
      await store.createTenant(tenantOf(), auditOf('tenant.create'));
      const set = (world: 'live' | 'test', rematch: 'announce' | 'create') =>
        store.putSettings(TENANT, world, { rematch }, auditOf('settings.updated'));
      expect(await store.findSettings(TENANT, 'live')).toEqual({ rematch: 'announce' });
      await set('live', 'create');
      expect(await store.findSettings(TENANT, 'live')).toEqual({ rematch: 'create' });
      expect(await store.findSettings(TENANT, 'test')).toEqual({ rematch: 'announce' });
      await set('test', 'create');
      await set('live', 'announce');
      expect(await store.findSettings(TENANT, 'live')).toEqual({ rematch: 'announce' });
      expect(await store.findSettings(TENANT, 'test')).toEqual({ rematch: 'create' });
      expect(await store.findSettings('ten_x', 'test')).toEqual({ rematch: 'announce' });
    },
  },
  {
    title:
      '[K1] a key is found by its id and by the id in its text, with the digest and the tenant',
    async run(store) {
      const key = keyOf('key_1', { expiresAt: T0 + 9 });
      await store.createTenant(tenantOf(), auditOf('tenant.create'));
      await store.createKey(key, secretOf('abcd1234'), auditOf('key.create'));
      expect(await store.findKey('key_1')).toEqual(key);
      expect(await store.findKey('abcd1234')).toBeNull();
      expect(await store.findKeyBySecret('abcd1234')).toEqual({
        key,
        tenant: tenantOf(),
        secret: {
          id: 'abcd1234',
          hash: 'abcd1234'.repeat(8),
          expiresAt: null,
          lastUsedAt: null,
        },
      });
      expect(await store.findKeyBySecret('ABCD1234')).toBeNull();
      expect(await store.findKeyBySecret('key_1')).toBeNull();
      const clash = keyOf('key_2');
      const create = store.createKey(clash, secretOf('abcd1234'), auditOf('key.create'));
      expect(await failureOf(create)).not.toBeNull();
      expect(await store.findKey('key_2')).toBeNull();
    },
  },
  {
    title: "[K2] a tenant's keys are listed newest first, and only its own",
    async run(store) {
      for (const id of ['key_1', 'key_3', 'key_2']) {
        await store.createKey(keyOf(id), secretOf(`${id}xxx`), auditOf('key.create'));
      }
      const other = keyOf('key_4', { tenant: 'ten_b' });
      await store.createKey(other, secretOf('zzzzzzzz'), auditOf('key.create'));
      const ids = (await store.listKeys(TENANT)).map(({ id }) => id);
      expect(ids).toEqual(['key_3', 'key_2', 'key_1']);
    },
  },
  {
    title: '[K2] rotation keeps the old secret valid for an overlap, which never grows',
    async run(store) {
      await store.createTenant(tenantOf(), auditOf('tenant.create'));
      await store.createKey(keyOf('key_1'), secretOf('secret01'), auditOf('key.create'));
      const rotate = (id: string, overlapUntil: number) =>
        store.rotateKey('key_1', secretOf(id), `hint ${id}`, overlapUntil, auditOf('key.rotate'));
      const expiries = async () => {
        const found = await Promise.all(
          ['secret01', 'secret02', 'secret03'].map((id) => store.findKeyBySecret(id)),
        );
        return found.map((each) => each?.secret.expiresAt);
      };
      expect(await rotate('secret02', T0 + 1_000)).toBe(true);
      expect(await expiries()).toEqual([T0 + 1_000, null, undefined]);
      expect((await store.findKey('key_1'))?.hint).toBe('hint secret02');
      expect(await rotate('secret03', T0 + 5_000)).toBe(true);
      expect(await expiries()).toEqual([T0 + 1_000, T0 + 5_000, null]);
      const none = store.rotateKey('key_x', secretOf('secret04'), 'h', T0, auditOf('key.rotate'));
      expect(await none).toBe(false);
      expect(await store.findKeyBySecret('secret04')).toBeNull();
    },
  },
  {
    title: '[K5] a restricted key keeps its scopes and never gets the text of an unrestricted one',
    async run(store) {
      const scopes = ['read', 'sessions'] as const;
      const key = keyOf('key_1', { scopes, hint: 'mrk_test_abcd1234' });
      await store.createTenant(tenantOf(), auditOf('tenant.create'));
      await store.createKey(key, secretOf('abcd1234'), auditOf('key.create'));
      const rotate = (id: string, hint: string) =>
        store.rotateKey('key_1', secretOf(id), hint, T0, auditOf('key.rotate'));
      // As a node does that does not know scopes.
      expect(await failureOf(rotate('secret02', 'mk_test_secret02'))).not.toBeNull();
      expect(await store.findKeyBySecret('secret02')).toBeNull();
      expect(await store.findKey('key_1')).toEqual(key);
      const hint = 'mrk_test_secret03';
      expect(await rotate('secret03', hint)).toBe(true);
      expect((await store.findKeyBySecret('secret03'))?.key).toEqual({ ...key, hint });
      expect((await store.listKeys(TENANT))[0]?.scopes).toEqual(scopes);
    },
  },
  {
    title: '[K2] a key is changed field by field, revoked and restored',
    async run(store) {
      await store.createKey(keyOf('key_1'), secretOf('secret01'), auditOf('key.create'));
      const update = (change: Parameters<typeof store.updateKey>[1]) =>
        store.updateKey('key_1', change, auditOf('key.update'));
      expect(await update({ name: 'N', origins: [], requireOrigin: true })).toBe(true);
      expect(await update({ expiresAt: T0 + 1, revokedAt: T0 + 2 })).toBe(true);
      const changed = {
        name: 'N',
        origins: [],
        requireOrigin: true,
        expiresAt: T0 + 1,
        revokedAt: T0 + 2,
      };
      expect(await store.findKey('key_1')).toEqual(keyOf('key_1', changed));
      expect(await update({ expiresAt: null })).toBe(true);
      expect(await store.findKey('key_1')).toEqual(keyOf('key_1', { ...changed, expiresAt: null }));
      expect(await store.updateKey('key_x', { name: 'X' }, auditOf('key.update'))).toBe(false);
    },
  },
  {
    title:
      '[D1] of keys created at once at most as many succeed as the cap allows, both modes together',
    async run(store, maker) {
      const other = (await maker.openAgain?.(store)) ?? store;
      const make = (
        i: number,
        fields: Partial<ApiKey> = {},
        max: number | null = 3,
        by: Pick<CoreStore, 'createKey'> = store,
      ) => {
        const key = keyOf(`key_${i}`, { mode: i % 4 < 2 ? 'live' : 'test', ...fields });
        const secret = secretOf(`secret${String(i).padStart(2, '0')}`);
        return by.createKey(key, secret, auditOf('key.create'), max);
      };
      await make(90, { revokedAt: T0 }, null);
      const outcomes = await Promise.all(Array.from({ length: 8 }, (_, i) => make(i)));
      expect(outcomes.filter((each) => each === 'created')).toHaveLength(3);
      expect(outcomes.filter((each) => each === 'full')).toHaveLength(5);
      expect(await store.listKeys(TENANT)).toHaveLength(4);
      const full = String(outcomes.indexOf('full')).padStart(2, '0');
      expect(await store.findKeyBySecret(`secret${full}`)).toBeNull();
      const revision = await store.tenancyRevision();
      for (const by of [store, other]) expect(await make(10, {}, 3, by)).toBe('full');
      expect(await store.tenancyRevision()).toBe(revision);
      expect(await make(11, { tenant: 'ten_b' })).toBe('created');
      const gone = `key_${outcomes.indexOf('created')}`;
      await store.updateKey(gone, { revokedAt: T0 }, auditOf('key.revoked'));
      expect(await make(12)).toBe('created');
      expect(await make(13, {}, null)).toBe('created');
      if (other !== store) await other.close();
    },
  },
  {
    title: '[K2] last uses are recorded together and do not raise the revision',
    async run(store) {
      await store.createTenant(tenantOf(), auditOf('tenant.create'));
      await store.createKey(keyOf('key_1'), secretOf('secret01'), auditOf('key.create'));
      await store.createKey(keyOf('key_2'), secretOf('secret02'), auditOf('key.create'));
      const revision = await store.tenancyRevision();
      const used = [
        { id: 'key_1', secret: 'secret01', at: T0 + 4 },
        { id: 'key_1', secret: 'secret03', at: T0 + 1 },
        { id: 'key_2', secret: 'secret02', at: T0 + 2 },
        { id: 'key_x', secret: 'secret0x', at: T0 + 3 },
      ];
      await store.touchKeys(used);
      expect((await store.findKey('key_1'))?.lastUsedAt).toBe(T0 + 4);
      expect((await store.findKey('key_2'))?.lastUsedAt).toBe(T0 + 2);
      const usedAt = async (secret: string) =>
        (await store.findKeyBySecret(secret))?.secret.lastUsedAt;
      expect([await usedAt('secret01'), await usedAt('secret02')]).toEqual([T0 + 4, T0 + 2]);
      expect(await store.tenancyRevision()).toBe(revision);
    },
  },
  {
    title:
      '[K2] replaced secrets are listed while they are valid, with their last use, and can be ended',
    async run(store) {
      await store.createTenant(tenantOf(), auditOf('tenant.create'));
      await store.createKey(keyOf('key_1'), secretOf('secret01'), auditOf('key.create'));
      await store.createKey(keyOf('key_2'), secretOf('secret09'), auditOf('key.create'));
      const rotate = (key: string, id: string, overlapUntil: number) =>
        store.rotateKey(key, secretOf(id), `hint ${id}`, overlapUntil, auditOf('key.rotate'));
      await rotate('key_1', 'secret02', T0 + 1_000);
      await rotate('key_1', 'secret03', T0 + 5_000);
      await rotate('key_2', 'secret10', T0 + 9_000);
      await store.touchKeys([{ id: 'key_1', secret: 'secret02', at: T0 + 7 }]);
      const old = (
        id: string,
        key: string,
        expiresAt: number,
        lastUsedAt: number | null = null,
      ) => ({
        id,
        key,
        expiresAt,
        lastUsedAt,
      });
      expect(await store.listOldSecrets(TENANT, T0)).toEqual([
        old('secret01', 'key_1', T0 + 1_000),
        old('secret02', 'key_1', T0 + 5_000, T0 + 7),
        old('secret09', 'key_2', T0 + 9_000),
      ]);
      expect(await store.listOldSecrets('ten_x', T0)).toEqual([]);
      const ids = async (now: number) =>
        (await store.listOldSecrets(TENANT, now)).map(({ id }) => id);
      expect(await ids(T0 + 1_000)).toEqual(['secret02', 'secret09']);
      const revision = await store.tenancyRevision();
      const end = (key: string, at: number) =>
        store.endOverlap(key, { ...auditOf('key.overlap_ended'), at });
      expect(await end('key_1', T0 + 500)).toBe(true);
      expect(await store.tenancyRevision()).toBeGreaterThan(revision);
      expect(await ids(T0 + 500)).toEqual(['secret09']);
      expect((await store.findKeyBySecret('secret03'))?.secret.expiresAt).toBeNull();
      const after = await store.tenancyRevision();
      expect([await end('key_1', T0 + 600), await end('key_x', T0)]).toEqual([false, false]);
      expect(await store.tenancyRevision()).toBe(after);
    },
  },
  {
    title: '[K2] the revision rises with every change, by any process, and with nothing else',
    async run(store, maker) {
      const other = (await maker.openAgain?.(store)) ?? store;
      let last = await store.tenancyRevision();
      const rises = async (change: Promise<unknown>, by: boolean): Promise<void> => {
        await change;
        const revision = await store.tenancyRevision();
        expect(await other.tenancyRevision()).toBe(revision);
        expect(revision > last).toBe(by);
        last = revision;
      };
      await rises(other.createTenant(tenantOf(), auditOf('1')), true);
      await rises(other.createKey(keyOf('key_1'), secretOf('secret01'), auditOf('2')), true);
      await rises(store.updateTenant(TENANT, { active: false }, auditOf('3')), true);
      await rises(other.updateKey('key_1', { revokedAt: T0 }, auditOf('4')), true);
      await rises(store.rotateKey('key_1', secretOf('secret02'), 'h', T0, auditOf('5')), true);
      await rises(store.updateTenant('ten_x', { active: false }, auditOf('6')), false);
      await rises(store.updateKey('key_x', { revokedAt: T0 }, auditOf('7')), false);
      await rises(store.rotateKey('key_x', secretOf('secret03'), 'h', T0, auditOf('8')), false);
      await rises(store.findTenant(TENANT), false);
      if (other !== store) await other.close();
    },
  },
  {
    title: '[K3] every change is audited in the same transaction, and nothing else is',
    async run(store, maker) {
      await store.createTenant(tenantOf(), auditOf('tenant.create', TENANT));
      await store.createTenant(tenantOf(), auditOf('tenant.create', 'twice')).catch(() => {});
      await store.createKey(keyOf('key_1'), secretOf('secret01'), auditOf('key.create', 'key_1'));
      await store.updateKey('key_1', { name: 'N' }, auditOf('key.update', 'key_1'));
      await store.updateKey('key_x', { name: 'N' }, auditOf('key.update', 'key_x'));
      await store.rotateKey('key_1', secretOf('secret02'), 'h', T0, auditOf('key.rotate', 'key_1'));
      const clash = store.rotateKey('key_1', secretOf('secret02'), 'h', T0, auditOf('clash'));
      await clash.catch(() => {});
      const audit = await maker.audit?.(store);
      if (audit === undefined) return;
      expect(audit).toEqual([
        auditOf('tenant.create', TENANT),
        auditOf('key.create', 'key_1'),
        auditOf('key.update', 'key_1'),
        auditOf('key.rotate', 'key_1'),
      ]);
    },
  },
];
