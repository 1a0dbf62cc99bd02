/**
 * Secrets in a real store: never in plain text, under the newest key after each start, and lost
 * with it.
 */

import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { auditOf, T0, TENANT } from '../../store/contract/stage.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { NewWebhook } from '../../store/webhooks.ts';
import type { Store } from '../../store/whole-store.ts';
import { makeTempFolder, removeFolder } from '../../testing/temp-folder.ts';
import { systemRandomness } from '../system.ts';
import { giveUpLost } from './give-up.ts';
import { openSeal } from './open-seal.ts';
import { countSecrets, judgeSecrets } from './reseal.ts';
import { makeSealedStore, purposeOf, SealingKeyError } from './sealed-store.ts';
import { makeSealer } from './sealer.ts';
import { replaceSealingKeys, sealingKeyFile } from './sealing-key.ts';

const root = makeTempFolder();
afterAll(() => removeFolder(root));

let folder: string;
let store: Store;
let folders = 0;
beforeEach(async () => {
  folder = join(root, `${folders++}`);
  mkdirSync(folder);
  store = await openSqliteStore(join(folder, 'matchd.db'));
});
afterEach(() => store.close());

const [KEY, NEW_KEY, OTHER_KEY] = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
];
const TOKEN = {
  kid: 'kid-a',
  secret: new TextEncoder().encode('the-secret-that-signs-all-tokens'),
};
const TEXTS = ['whsec_the-newest-of-them', 'whsec_the-older-of-them'] as const;
const SECRETS = [
  { text: TEXTS[0], expiresAt: null },
  { text: TEXTS[1], expiresAt: T0 + 5 },
];

function webhookOf(id: string): NewWebhook {
  const fields = { mode: 'live', url: 'https://a.example/', description: '', types: [] } as const;
  const webhook = { id, tenant: TENANT, ...fields, secrets: SECRETS, createdAt: T0 };
  return { webhook, webhooksMax: 9, audit: auditOf('webhook.created'), idempotency: null };
}

const start = (settingKeys: readonly Uint8Array[] | null) =>
  openSeal({ store, dataDir: folder, settingKeys, randomness: systemRandomness });

async function fill(into: Store): Promise<void> {
  for (const id of ['whk_1', 'whk_2']) await into.createWebhook(webhookOf(id));
  await into.signingSecret(() => TOKEN);
}

/** Database files that contain one of the secrets, in any encoding in which it is stored. */
function filesWithSecrets(): string[] {
  const secret = Buffer.from(TOKEN.secret);
  const texts = [...TEXTS, secret.toString(), secret.toString('base64')];
  return readdirSync(folder)
    .filter((name) => name.startsWith('matchd.db'))
    .filter((name) => texts.some((text) => readFileSync(join(folder, name)).includes(text)));
}

test('[D12] a secret is encrypted on writing, decrypted on reading, and nowhere in plain text', async () => {
  const sealed = makeSealedStore(store, (await start([KEY])).sealer);
  await fill(sealed);
  expect(filesWithSecrets()).toEqual([]);
  expect((await sealed.findWebhook(TENANT, 'whk_1'))?.secrets).toEqual(SECRETS);
  const filter = { tenant: TENANT, mode: 'live', before: null, limit: 9 } as const;
  for (const list of [await sealed.listWebhooks(filter), await sealed.listActiveWebhooks('', 9)]) {
    expect(list.map(({ secrets }) => secrets)).toEqual([SECRETS, SECRETS]);
  }
  expect(await sealed.signingSecret(() => ({ ...TOKEN, kid: 'kid-b' }))).toEqual(TOKEN);
  const rotated = [{ text: 'whsec_rotated-by-now', expiresAt: null }];
  const write = { audit: auditOf('webhook.rotated'), idempotency: null };
  await sealed.updateWebhook({ id: 'whk_1', tenant: TENANT, secrets: rotated, ...write });
  expect((await sealed.findWebhook(TENANT, 'whk_1'))?.secrets).toEqual(rotated);
  expect(readFileSync(join(folder, 'matchd.db-wal')).includes('whsec_')).toBe(false);
});

test('[D12][E2] the replacement of secrets that were read is stored only if they are unchanged', async () => {
  const sealed = makeSealedStore(store, (await start([KEY])).sealer);
  await fill(sealed);
  const write = { audit: auditOf('webhook.rotated'), idempotency: null };
  const secrets = [{ text: 'whsec_rotated-by-now', expiresAt: null }];
  const rotate = () =>
    sealed.updateWebhook({ id: 'whk_1', tenant: TENANT, secrets, replaces: SECRETS, ...write });
  expect([await rotate(), await rotate()]).toEqual([true, false]);
  expect((await sealed.findWebhook(TENANT, 'whk_1'))?.secrets).toEqual(secrets);
});

test('[D12] a start seals secrets that an older version stored in plain text, and wipes them', async () => {
  await fill(store);
  expect(filesWithSecrets()).not.toEqual([]);
  const { sealer, sealedNow, counts } = await start([KEY]);
  expect([sealedNow, counts.webhook.clear, counts.token.clear]).toEqual([3, 2, 1]);
  expect(filesWithSecrets()).toEqual([]);
  const sealed = makeSealedStore(store, sealer);
  expect((await sealed.findWebhook(TENANT, 'whk_2'))?.secrets).toEqual(SECRETS);
  expect(await sealed.signingSecret(() => TOKEN)).toEqual(TOKEN);
  expect((await start([KEY])).sealedNow).toBe(0);
});

test('[D12] with a new first key a start reseals everything, and the older key is no longer needed', async () => {
  const before = (await start([KEY])).sealer;
  await fill(makeSealedStore(store, before));
  const codes = before.seal(purposeOf.totp(ACCOUNT.id), 'codes');
  await addAccount(codes);
  const both = await start([NEW_KEY, KEY]);
  expect([both.sealedNow, both.counts.webhook.older, both.counts.totp.older]).toEqual([4, 2, 1]);
  const alone = await start([NEW_KEY]);
  expect(alone.sealedNow).toBe(0);
  const sealed = makeSealedStore(store, alone.sealer);
  expect((await sealed.findWebhook(TENANT, 'whk_1'))?.secrets).toEqual(SECRETS);
  expect(await sealed.signingSecret(() => TOKEN)).toEqual(TOKEN);
  const totp = (await store.findAccount(ACCOUNT.id))?.totpSecret ?? '';
  expect(alone.sealer.open(purposeOf.totp(ACCOUNT.id), totp)).toBe('codes');
});

test('[D12] a secret that is moved to another row cannot be opened there', async () => {
  const sealed = makeSealedStore(store, (await start([KEY])).sealer);
  await fill(sealed);
  const secrets = (await store.findWebhook(TENANT, 'whk_1'))!.secrets;
  const write = { audit: auditOf('webhook.updated'), idempotency: null };
  await store.updateWebhook({ id: 'whk_2', tenant: TENANT, secrets, ...write });
  expect((await sealed.findWebhook(TENANT, 'whk_2'))?.secrets).toEqual([]);
});

test('[D12] with a wrong key, or none, nothing starts, and no other key is created', async () => {
  await fill(makeSealedStore(store, (await start([KEY])).sealer));
  const refusal = await start([OTHER_KEY]).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(SealingKeyError);
  expect(`${refusal}`).toContain('MATCHD_SEALING_KEY');
  const none = await start(null).catch((error: unknown) => error);
  expect(none).toBeInstanceOf(SealingKeyError);
  expect(`${none}`).toContain(sealingKeyFile(folder));
  expect(existsSync(sealingKeyFile(folder))).toBe(false);
  expect((await start([OTHER_KEY, KEY])).sealedNow).toBe(3);
});

test('[D12] the first start creates the file, which stays unchanged; an invalid file is refused', async () => {
  const { sealer, keys } = await start(null);
  expect(keys).toMatchObject({ file: sealingKeyFile(folder) });
  await fill(makeSealedStore(store, sealer));
  expect((await start(null)).keys).toEqual(keys);
  replaceSealingKeys(sealingKeyFile(folder), [NEW_KEY, ...keys.keys]);
  expect((await start(null)).sealedNow).toBe(3);
  writeFileSync(sealingKeyFile(folder), 'no key\n');
  expect(`${await start(null).catch((error: unknown) => error)}`).toContain('is no key');
  rmSync(sealingKeyFile(folder));
});

test('[D12] lost secrets are given up: tokens get a new one, webhooks have none, codes stay', async () => {
  const before = (await start([KEY])).sealer;
  await fill(makeSealedStore(store, before));
  await addAccount(before.seal(purposeOf.totp(ACCOUNT.id), 'codes'));
  const sealer = makeSealer([OTHER_KEY], systemRandomness);
  const given = await giveUpLost(store, sealer, systemRandomness);
  expect(given).toEqual({ webhooks: ['whk_1', 'whk_2'], tokens: 1, accounts: [ACCOUNT.id] });
  const sealed = makeSealedStore(store, (await start([OTHER_KEY])).sealer);
  expect((await sealed.findWebhook(TENANT, 'whk_1'))?.secrets).toEqual([]);
  const { kid, secret } = await sealed.signingSecret(() => TOKEN);
  expect([kid, secret.length]).toEqual([TOKEN.kid, 32]);
  expect(secret).not.toEqual(TOKEN.secret);
  // The key of the codes may still be found.
  const counts = countSecrets(await judgeSecrets(store, sealer));
  expect([counts.totp.lost, counts.token.lost, counts.webhook.lost]).toEqual([1, 0, 0]);
  const again = await giveUpLost(store, sealer, systemRandomness);
  expect(again).toMatchObject({ webhooks: [], tokens: 0 });
});

const ACCOUNT = {
  id: 'acc_a',
  email: 'ann@example.org',
  name: 'Ann',
  passwordHash: 'phc',
  isOperator: true,
  totpSecret: null,
  totpStep: 0,
  passkeyRevision: 0,
  createdAt: T0,
};

async function addAccount(totpSecret: string): Promise<void> {
  const whom = { tenant: null, role: null, email: null };
  const times = { createdAt: T0, expiresAt: T0 + 9 };
  await store.putLink({ id: 'lnk_a', kind: 'setup', ...whom, ...times }, 'hash', null);
  await store.useSetupLink('hash', { ...ACCOUNT, totpSecret }, auditOf('account.created'));
}
