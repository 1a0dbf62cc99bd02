/** Who may open a socket: decided by the token's tenant and key, and by the origin. */

import { describe, expect, test } from 'bun:test';
import type { Account, Membership } from '../../accounts/account.ts';
import type { AccountStore } from '../../store/accounts.ts';
import { auditOf, keyOf, TENANT, tenantOf } from '../../store/contract/stage.ts';
import { openMemoryStore } from '../../store/sqlite/memory-store.ts';
import type { CoreStore } from '../../store/store.ts';
import type { ManualClock } from '../../testing/manual-clock.ts';
import { makeManualClock } from '../../testing/manual-clock.ts';
import type { AccessCheck, AccessDecision } from './access.ts';
import { makeAccessCheck } from './access.ts';
import type { TenancyWatch } from './tenancy-watch.ts';
import { makeTenancyWatch } from './tenancy-watch.ts';
import type { TokenClaims } from './tokens.ts';

const OWN = 'https://play.example';
const ALLOWED = 'https://a.example';

type Check = (claims: TokenClaims, origin: string | null) => Promise<AccessDecision>;

interface Stage {
  readonly store: CoreStore;
  readonly clock: ManualClock;
  readonly access: AccessCheck & { readonly check: Check };
  readonly tenancy: TenancyWatch;
}

/** Nobody has an account. */
const NO_ACCOUNTS: Pick<AccountStore, 'findAccount' | 'listMemberships'> = {
  findAccount: async () => null,
  listMemberships: async () => [],
};

async function setUp(
  store: CoreStore = openMemoryStore(),
  accounts: Pick<AccountStore, 'findAccount' | 'listMemberships'> = NO_ACCOUNTS,
): Promise<Stage> {
  const clock = makeManualClock();
  await store.createTenant(tenantOf(TENANT, { limits: { sockets: 7 } }), auditOf('tenant.create'));
  await store.createKey(keyOf('key_1'), { id: 'secret01', hash: 'x' }, auditOf('key.create'));
  const made = makeAccessCheck({ ...store, ...accounts }, clock, OWN);
  const access = {
    ...made,
    check: async (claims: TokenClaims, origin: string | null) =>
      (await made.accessOf(claims))(origin),
  };
  const tenancy = makeTenancyWatch(store, [access]);
  await tenancy.look();
  return { store, clock, access, tenancy };
}

function claimsOf(fields: Partial<TokenClaims> = {}): TokenClaims {
  return {
    scope: 'session',
    tenant: TENANT,
    mode: 'test',
    player: 'ann',
    session: 'ses_1',
    key: 'key_1',
    exp: 0,
    ...fields,
  };
}

const OK = { ok: true, socketsMax: 7 } as const;
const NO_TOKEN = { ok: false, reason: 'token' } as const;
const NO_ORIGIN = { ok: false, reason: 'origin' } as const;

describe('[H7] the right to open a socket', () => {
  test("[H7] the origins of the key that issued the token decide; the service's own page is always allowed", async () => {
    const { store, access, tenancy } = await setUp();
    const from = (origin: string | null) => access.check(claimsOf(), origin);
    expect(await from(ALLOWED)).toEqual(OK);
    expect(await from('https://x.b.example')).toEqual(OK);
    expect(await from(OWN)).toEqual(OK);
    expect(await from(null)).toEqual(OK);
    for (const origin of [
      'https://a.example.evil',
      'http://a.example',
      `${ALLOWED}:8443`,
      'null',
      '',
    ]) {
      expect([origin, await from(origin)]).toEqual([origin, NO_ORIGIN]);
    }
    await store.updateKey('key_1', { requireOrigin: true }, auditOf('key.update'));
    await tenancy.look();
    expect(await from(null)).toEqual(NO_ORIGIN);
    expect(await from(OWN)).toEqual(OK);
    await store.updateKey('key_1', { origins: [], requireOrigin: false }, auditOf('key.update'));
    await tenancy.look();
    expect(await from('https://anywhere.example')).toEqual(OK);
  });

  test("[K2] a revoked or expired key's tokens open no socket any more", async () => {
    const { store, clock, access, tenancy } = await setUp();
    const check = () => access.check(claimsOf(), ALLOWED);
    expect(await check()).toEqual(OK);
    await store.updateKey('key_1', { expiresAt: clock.now() + 1_000 }, auditOf('key.update'));
    await tenancy.look();
    clock.advance(999);
    expect(await check()).toEqual(OK);
    clock.advance(1);
    expect(await check()).toEqual(NO_TOKEN);
    await store.updateKey('key_1', { expiresAt: null }, auditOf('key.update'));
    await tenancy.look();
    expect(await check()).toEqual(OK);
    await store.updateKey('key_1', { revokedAt: clock.now() }, auditOf('key.update'));
    await tenancy.look();
    expect(await check()).toEqual(NO_TOKEN);
    expect(await access.check(claimsOf({ key: 'key_x' }), ALLOWED)).toEqual(NO_TOKEN);
    expect(await access.check(claimsOf({ key: null }), ALLOWED)).toEqual(OK);
  });

  test('[H4] the tokens of an inactive or unknown tenant open no socket', async () => {
    const { store, access, tenancy } = await setUp();
    await store.updateTenant(TENANT, { active: false }, auditOf('tenant.update'));
    await tenancy.look();
    expect(await access.check(claimsOf(), ALLOWED)).toEqual(NO_TOKEN);
    expect(await access.check(claimsOf({ tenant: 'ten_x', key: null }), ALLOWED)).toEqual(NO_TOKEN);
  });

  test('[K2] a read that began before a key was revoked is not cached', async () => {
    const memory = openMemoryStore();
    let reading: Promise<void> = Promise.resolve();
    const slow: CoreStore = {
      ...memory,
      async findKey(id) {
        const found = await memory.findKey(id);
        await reading;
        return found;
      },
    };
    const { store, clock, access, tenancy } = await setUp(slow);
    let finish = (): void => {};
    reading = new Promise((resolve) => {
      finish = resolve;
    });
    const first = access.check(claimsOf(), ALLOWED);
    await new Promise(setImmediate);
    await store.updateKey('key_1', { revokedAt: clock.now() }, auditOf('key.update'));
    await tenancy.look();
    finish();
    expect(await first).toEqual(OK);
    expect(await access.check(claimsOf(), ALLOWED)).toEqual(NO_TOKEN);
  });

  test('[B3][D3][D6] a member’s token is valid while the member may create tokens', async () => {
    const ann = { id: 'acc_1', name: 'Ann', createdAt: 0, isOperator: false } as Account;
    const member: Membership = { account: ann.id, tenant: TENANT, role: 'developer', since: 0 };
    let account: Account | null = ann;
    let memberships: readonly Membership[] = [member];
    const { store, access, tenancy } = await setUp(openMemoryStore(), {
      findAccount: async (id) => (id === ann.id ? account : null),
      listMemberships: async () => memberships,
    });
    const claims = claimsOf({ scope: 'bot', session: null, key: ann.id });
    const played = claimsOf({ scope: 'lobby', session: null, key: ann.id });
    const watched = claimsOf({ scope: 'watch', player: null, mode: 'live', key: ann.id });
    const opens = async (each: TokenClaims) => (await access.check(each, ALLOWED)).ok;
    const isOpen = async (): Promise<boolean> => {
      const issuer = await access.issuerOf(claims);
      const checked = await access.check(claims, null);
      expect(checked).toEqual(issuer === null ? NO_TOKEN : OK);
      expect(await opens(played)).toBe(issuer !== null);
      return issuer !== null;
    };
    expect(await isOpen()).toBe(true);
    expect(await opens(watched)).toBe(true);
    expect((await access.issuerOf(claims))?.key).toMatchObject({ id: ann.id, mode: 'test' });
    for (const gone of [[{ ...member, role: 'support' }], [{ ...member, tenant: 'ten_x' }], []]) {
      memberships = gone as readonly Membership[];
      expect(await isOpen()).toBe(false);
      // Every role may watch.
      expect(await opens(watched)).toBe(memberships[0]?.tenant === TENANT);
    }
    account = { ...ann, isOperator: true };
    expect(await isOpen()).toBe(true);
    await store.updateTenant(TENANT, { active: false }, auditOf('tenant.update'));
    await tenancy.look();
    expect(await isOpen()).toBe(false);
    await store.updateTenant(TENANT, { active: true }, auditOf('tenant.update'));
    account = null;
    expect(await isOpen()).toBe(false);
  });
});
