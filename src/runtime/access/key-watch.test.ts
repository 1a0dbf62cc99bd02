/**
 * Rule K6 through the whole HTTP side: which use of a key raises an alert, on which node and how
 * often.
 */

import { afterEach, beforeEach, expect, test } from 'bun:test';
import type { Tenant } from '../../tenancy/tenant.ts';
import { type Asking, makeAsking } from '../../testing/service/asking.ts';
import { type HttpService, openHttpService } from '../../testing/service/http-service.ts';
import { makeKeyWatch } from './key-watch.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let world: HttpService;
let tenant: Tenant;
let ask: Asking;

beforeEach(async () => {
  world = await openHttpService();
  tenant = await world.makeTenant();
  ask = makeAsking(world.app, await world.makeKey(tenant, 'live'));
});
afterEach(() => world.close());

const use = async (address = '203.0.113.7', asking = ask): Promise<void> => {
  await asking('/v1/whoami', { address });
  await world.keyWatch.look();
};
/** The reported kinds, oldest first, each with its details. */
const told = async (): Promise<readonly (readonly [string, object])[]> => {
  const events = await world.store.readEvents({ tenant: tenant.id, mode: 'live' }, 0, 100);
  return events
    .map(({ data }) => JSON.parse(data) as { kind: string; details: object })
    .map(({ kind, details }) => [kind, details] as const);
};

test('[K6] a new network is reported once; no address is stored', async () => {
  await use('203.0.113.7');
  world.clock.skip(DAY_MS);
  await use('203.0.113.99');
  expect(await told()).toEqual([]);
  await use('198.51.100.7');
  await use('198.51.100.8');
  await use('192.0.2.1');
  expect(await told()).toEqual([['new_network', { networksKnown: 1 }]]);
  world.clock.skip(DAY_MS);
  await use('2001:db8:7:1::5');
  await use('2001:db8:7:2::5');
  expect(await told()).toHaveLength(2);
  const kept = world.texts().then((texts) => texts.join(' '));
  for (const part of ['203.0.113', '198.51.100', '192.0.2.', '2001:db8']) {
    expect(await kept).not.toContain(part);
  }
  expect(world.keyWatch.tally().find(({ kind }) => kind === 'new_network')?.count).toBe(2);
});

test('[K6] a key used again after 90 days is reported, a new key is not', async () => {
  await use();
  expect(await told()).toEqual([]);
  await world.refreshKeys();
  const lastUsedAt = new Date(world.clock.now()).toISOString();
  world.clock.skip(90 * DAY_MS);
  await use();
  expect((await told()).slice(-1)).toEqual([['dormant_key', { lastUsedAt }]]);
  await world.refreshKeys();
  await use();
  expect(await told()).toHaveLength(1);
});

test('[K6] many refusals for scope or origin are reported as a burst, a few are not', async () => {
  const origins = ['https://a.example'];
  const restricted = await world.makeKey(tenant, 'live', { scopes: ['read'], origins });
  const asking = makeAsking(world.app, restricted);
  const knock = async (times: number): Promise<void> => {
    for (let i = 0; i < times; i++) {
      if (i % 2 === 0) await asking('/v1/bots/bot_x', { method: 'DELETE' });
      else await asking('/v1/whoami', { headers: { origin: 'https://evil.example' } });
    }
    await world.keyWatch.look();
  };
  await knock(99);
  expect(await told()).toEqual([]);
  await knock(1);
  await knock(200);
  expect(await told()).toEqual([['refusals', { refused: 100, requests: 100 }]]);
});

test('[K6] a rate is compared with the hours of the days before', async () => {
  const many = async (times: number): Promise<void> => {
    for (let i = 0; i < times; i++) await ask('/v1/whoami');
    await world.keyWatch.look();
  };
  await many(700);
  for (const _ of [1, 2, 3]) {
    world.clock.skip(2 * DAY_MS);
    await many(60);
  }
  world.clock.skip(2 * DAY_MS);
  await many(600);
  expect(await told()).toEqual([]);
  await many(1);
  expect(await told()).toEqual([['request_rate', { requests: 601, busiestHour: 60 }]]);
});

test('[K6] an old secret is reported in the last hour of its overlap', async () => {
  const [key] = await world.store.listKeys(tenant.id);
  const audit = { tenant: tenant.id, actor: 'cli', act: 'key.rotated', object: key!.id, at: 0 };
  const endsAt = world.clock.now() + 3 * HOUR_MS;
  await world.store.rotateKey(key!.id, { id: 'newsecre', hash: 'x' }, 'h', endsAt, audit);
  await world.refreshKeys();
  await use();
  expect(await told()).toEqual([]);
  world.clock.skip(2 * HOUR_MS);
  await use();
  await use();
  expect(await told()).toEqual([['old_secret', { endsAt: new Date(endsAt).toISOString() }]]);
});

test('[K6] two nodes raise one alert; what could not be written is evaluated in the next round', async () => {
  await use();
  world.clock.skip(DAY_MS);
  let isAway = true;
  const { store, clock, tokens } = world;
  const other = makeKeyWatch({
    store: {
      ...store,
      noteKeyUses: (...uses) =>
        isAway ? Promise.reject(new Error('away')) : store.noteKeyUses(...uses),
    },
    clock,
    makeId: () => 'evt_other',
    tokens,
  });
  const [key] = await store.listKeys(tenant.id);
  const secret = { id: '', lastUsedAt: null, hash: '', expiresAt: null };
  other.note({ key: key!, secret }, '198.51.100.7', true);
  await expect(other.look()).rejects.toThrow('away');
  other.note({ key: key!, secret }, '198.51.100.8', false);
  isAway = false;
  await other.look();
  await use('192.0.2.1');
  expect(await told()).toEqual([['new_network', { networksKnown: 1 }]]);
  const [facts] = await store.noteKeyUses(
    [{ tenant: tenant.id, key: key!.id, requests: 0, refused: 0, networks: [] }],
    clock.now(),
    50,
  );
  expect(facts).toMatchObject({ requests: 3, refused: 1 });
});
