/** On the real store: known keys are answered at once, and changes take effect in time. */

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { AuditRow, CoreStore, KeyUse, NewKeySecret } from '../../store/store.ts';
import { type KeyText, makeKeyText, parseKeyText } from '../../tenancy/key-text.ts';
import type { ApiKey, Tenant } from '../../tenancy/tenant.ts';
import { makeIds } from '../ids.ts';
import type { Clock } from '../ports.ts';
import { systemRandomness } from '../system.ts';
import { KEY_LIFE_MS, type KeyRing, makeKeyRing, TOUCH_INTERVAL_MS } from './key-ring.ts';
import { makeTenancyWatch, type TenancyWatch } from './tenancy-watch.ts';

let now = 1_763_640_000_000;
const clock: Clock = { now: () => now, after: () => () => {} };
const makeId = makeIds(clock, systemRandomness);
const audit: AuditRow = { tenant: 't', actor: 'cli', act: 'test', object: 'o', at: 0 };

let folder: string;
let store: CoreStore;
/** The store as the ring sees it, with its calls counted and, on request, delayed or failing. */
let lookUps = 0;
let touches: KeyUse[] = [];
let gate: Promise<void> | null = null;
let isDown = false;
let ring: KeyRing;
let tenancy: TenancyWatch;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'matchd-key-ring-'));
  store = await openSqliteStore(path.join(folder, 'matchd.db'));
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  ring = makeKeyRing({ store: watched(), clock, textsMax: 20 });
  tenancy = makeTenancyWatch(store, [ring]);
  lookUps = 0;
  touches = [];
});
afterEach(() => {
  gate = null;
  isDown = false;
});

/** As the service does each second. */
async function refresh(): Promise<void> {
  await tenancy.look();
  await ring.recordUses();
}

function watched(): Parameters<typeof makeKeyRing>[0]['store'] {
  const check = (): void => {
    if (isDown) throw new Error('The store is down');
  };
  return {
    async findKeyBySecret(id) {
      check();
      lookUps += 1;
      const found = await store.findKeyBySecret(id);
      await gate;
      return found;
    },
    async touchKeys(used) {
      check();
      touches.push(...used);
      await store.touchKeys(used);
    },
  };
}

async function makeKey(
  change: Partial<ApiKey> = {},
): Promise<{ key: ApiKey; tenant: Tenant; text: string }> {
  const id = makeId('ten');
  const tenant: Tenant = {
    id,
    slug: id,
    name: 'Acme',
    plan: 'pro',
    active: true,
    limits: {},
    createdAt: now,
  };
  await store.createTenant(tenant, audit);
  const made = newText();
  const key: ApiKey = {
    id: makeId('key'),
    tenant: id,
    mode: 'live',
    name: 'a',
    scopes: null,
    origins: [],
    requireOrigin: false,
    hint: made.hint,
    createdAt: now,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    ...change,
  };
  await store.createKey(key, secretOf(made), audit);
  return { key, tenant, text: made.text };
}

function newText(): KeyText {
  return makeKeyText('live', (count) => randomBytes(count));
}

function secretOf({ id, hash }: KeyText): NewKeySecret {
  return { id, hash };
}

test('[K1] a key is found by its text, and from then on known without waiting or a look-up', async () => {
  const { key, tenant, text } = await makeKey();
  expect(ring.peek(text)).toBeUndefined();
  const found = await ring.find(text);
  expect(found).toMatchObject({ key, tenant, limits: { requestsPerMinute: 600 } });
  expect(ring.peek(text)).toBe(found);
  expect(ring.find(text)).toBe(found); // The key itself, not a promise.
  expect(lookUps).toBe(1);
});

test('[K1] a mistyped key is refused without a look-up', async () => {
  const { text } = await makeKey();
  const wrong = text.slice(0, -1) + (text.endsWith('0') ? '1' : '0');
  for (const junk of [wrong, '', 'mk_live_', 'x'.repeat(10_000)]) {
    expect(await ring.find(junk)).toBeNull();
  }
  expect(lookUps).toBe(0);
});

test('[K1] the id of a key with another secret is refused', async () => {
  const { text } = await makeKey();
  const id = text.slice(8, 16);
  // The first draw is the id, whose characters are bytes below 62.
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const idBytes = Uint8Array.from([...id].map((char) => alphabet.indexOf(char)));
  let draws = 0;
  const forged = makeKeyText('live', (count) => (draws++ === 0 ? idBytes : randomBytes(count)));
  expect(forged.id).toBe(id);
  expect(await ring.find(forged.text)).toBeNull();
  expect(ring.peek(forged.text)).toBeNull();
  expect(lookUps).toBe(1);
});

test('[K5] the text of a restricted key that has lost its scopes is refused', async () => {
  const restricted = makeKeyText('live', (count) => randomBytes(count), true);
  const { key } = await makeKey();
  const lost = { ...key, id: makeId('key'), hint: restricted.hint };
  await store.createKey(lost, secretOf(restricted), audit);
  expect(await ring.find(restricted.text)).toBeNull();
  const whole = makeKeyText('live', (count) => randomBytes(count), true);
  const scopes = ['read'] as const;
  const kept = { ...key, id: makeId('key'), hint: whole.hint, scopes };
  await store.createKey(kept, secretOf(whole), audit);
  expect((await ring.find(whole.text))?.key.scopes).toEqual(scopes);
});

test('[K1] unknown keys are cached for a while, and their number is limited', async () => {
  const texts = Array.from({ length: 30 }, () => newText().text);
  for (const text of texts) expect(await ring.find(text)).toBeNull();
  expect(texts.filter((text) => ring.peek(text) === null)).toEqual(texts.slice(10));
  now += KEY_LIFE_MS;
  expect(texts.filter((text) => ring.peek(text) === null)).toEqual([]);
});

test('[K1] many unknown keys do not evict active ones', async () => {
  const { text } = await makeKey();
  await ring.find(text);
  for (let i = 0; i < 100; i++) await ring.find(newText().text);
  expect(ring.peek(text)).not.toBeUndefined();
});

test('[K1] concurrent requests share one look-up', async () => {
  const { text } = await makeKey();
  const found = await Promise.all(Array.from({ length: 50 }, () => ring.find(text)));
  expect(new Set(found).size).toBe(1);
  expect(lookUps).toBe(1);
});

test('[K2] a known key is read again after 30 s', async () => {
  const { text } = await makeKey();
  await ring.find(text);
  now += KEY_LIFE_MS - 1;
  expect(ring.peek(text)).not.toBeUndefined();
  now += 1;
  expect(ring.peek(text)).toBeUndefined();
  expect(await ring.find(text)).not.toBeNull();
  expect(lookUps).toBe(2);
});

test('[K2] a revocation by any process takes effect with the next refresh', async () => {
  const { key, text } = await makeKey();
  await refresh();
  await ring.find(text);
  await refresh();
  expect(ring.peek(text)).not.toBeUndefined();
  const other = await openSqliteStore(path.join(folder, 'matchd.db'));
  await other.updateKey(key.id, { revokedAt: now }, audit);
  await other.close();
  await refresh();
  expect(ring.peek(text)).toBeUndefined();
  expect(await ring.find(text)).toBeNull();
  expect(ring.peek(text)).toBeNull();
});

test('[K2] a suspended tenant, a new plan and a new origin take effect with the next refresh', async () => {
  const { key, tenant, text } = await makeKey();
  await ring.find(text);
  await store.updateTenant(tenant.id, { plan: 'starter' }, audit);
  await store.updateKey(key.id, { origins: ['https://example.com'] }, audit);
  await refresh();
  const found = await ring.find(text);
  expect(found?.limits.requestsPerMinute).toBe(60);
  expect(found?.key.origins).toEqual(['https://example.com']);
  await store.updateTenant(tenant.id, { active: false }, audit);
  await refresh();
  expect(await ring.find(text)).toBeNull();
  await store.updateTenant(tenant.id, { active: true }, audit);
  await refresh();
  expect(await ring.find(text)).not.toBeNull();
});

test('[K2] a look-up that began before a change is not cached after it', async () => {
  const { key, text } = await makeKey();
  await refresh();
  const { promise, resolve } = Promise.withResolvers<void>();
  gate = promise;
  const looking = ring.find(text);
  while (lookUps === 0) await Bun.sleep(1);
  await Bun.sleep(5);
  await store.updateKey(key.id, { revokedAt: now }, audit);
  await refresh();
  gate = null;
  const after = ring.find(text);
  resolve();
  expect(await looking).not.toBeNull(); // The request came while the key was still valid.
  expect(await after).toBeNull();
  expect(ring.peek(text)).toBeNull();
});

test('[K2] an expiry takes effect at its time, even for a cached key', async () => {
  const { text } = await makeKey({ expiresAt: now + 5_000 });
  expect(await ring.find(text)).not.toBeNull();
  now += 4_999;
  expect(ring.peek(text)).not.toBeNull();
  now += 1;
  expect(ring.peek(text)).toBeNull();
});

test('[K2] after a rotation both secrets are valid until the overlap ends', async () => {
  const { key, text } = await makeKey();
  await ring.find(text);
  const next = newText();
  await store.rotateKey(key.id, secretOf(next), next.hint, now + 10_000, audit);
  await refresh();
  expect((await ring.find(text))?.key.id).toBe(key.id);
  expect((await ring.find(next.text))?.key.hint).toBe(next.hint);
  now += 10_000;
  expect(ring.peek(text)).toBeNull();
  expect(ring.peek(next.text)?.key.id).toBe(key.id);
});

test('[K2] ending an overlap ends only the older secret', async () => {
  const { key, text } = await makeKey();
  const next = newText();
  await store.rotateKey(key.id, secretOf(next), next.hint, now + 10_000, audit);
  await ring.find(text);
  await ring.find(next.text);
  now += 1;
  expect(await store.endOverlap(key.id, { ...audit, at: now })).toBe(true);
  await refresh();
  expect(await ring.find(text)).toBeNull();
  expect((await ring.find(next.text))?.key.id).toBe(key.id);
});

test('[K2] the last use is written at most once a minute, for each secret of a key', async () => {
  const { key, text } = await makeKey();
  const next = newText();
  await store.rotateKey(key.id, secretOf(next), next.hint, now + 10 * TOUCH_INTERVAL_MS, audit);
  const began = now;
  for (let second = 0; second < 150; second++) {
    await ring.find(text);
    await ring.find(next.text);
    await refresh();
    now += 1_000;
  }
  const [old, fresh] = [parseKeyText(text)!.id, next.id];
  expect(touches).toEqual(
    [0, 60, 120].flatMap((s) => [
      { id: key.id, secret: old, at: began + s * 1_000 },
      { id: key.id, secret: fresh, at: began + s * 1_000 },
    ]),
  );
  expect((await store.findKey(key.id))?.lastUsedAt).toBe(began + 120_000);
});

test('[K2] another process’s record of the last use counts too', async () => {
  const { key, text } = await makeKey();
  const { id: secret } = parseKeyText(text)!;
  await store.touchKeys([{ id: key.id, secret, at: now - 30_000 }]);
  await ring.find(text);
  await refresh();
  expect(touches).toEqual([]);
  now += 30_000;
  await ring.find(text);
  await refresh();
  expect(touches).toHaveLength(1);
});

test('[K2] a refused request does not count as use', async () => {
  const { text } = await makeKey({ revokedAt: now });
  expect(await ring.find(text)).toBeNull();
  await refresh();
  expect(touches).toEqual([]);
});

test('[K2] a store failure is reported, nothing false is cached, and uses are written later', async () => {
  const { key, text } = await makeKey();
  isDown = true;
  await expect(Promise.resolve(ring.find(text))).rejects.toThrow('down');
  isDown = false;
  expect(await ring.find(text)).not.toBeNull();
  isDown = true;
  await expect(refresh()).rejects.toThrow('down');
  isDown = false;
  await refresh();
  expect(touches).toEqual([{ id: key.id, secret: parseKeyText(text)!.id, at: now }]);
});
