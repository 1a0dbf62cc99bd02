/** Encrypted secrets in SQLite: no copy of replaced texts is left in the file or its log. */

import { afterAll, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTempFolder, removeFolder } from '../../testing/temp-folder.ts';
import { auditOf, T0, TENANT } from '../contract/stage.ts';
import { openSqliteStore } from './sqlite-store.ts';

const folder = makeTempFolder();
afterAll(() => removeFolder(folder));

test('[STORE-10] replaced secrets are in no page of the file and not in its log', async () => {
  const store = await openSqliteStore(join(folder, 'wiped.db'));
  const found = (): string[] =>
    readdirSync(folder).filter(
      (name) =>
        name.startsWith('wiped.db') && readFileSync(join(folder, name)).includes('whsec_wi'),
    );
  const fields = { mode: 'live', url: 'https://a.example/', description: '', types: [] } as const;
  // One that fits into a row, and one that needs overflow pages.
  for (const [id, text] of [
    ['whk_1', 'whsec_wi'],
    ['whk_2', 'whsec_wi'.repeat(2_000)],
  ] as const) {
    const webhook = { id, tenant: TENANT, ...fields, secrets: [{ text, expiresAt: null }] };
    const write = { audit: auditOf('webhook.created'), idempotency: null };
    await store.createWebhook({ webhook: { ...webhook, createdAt: T0 }, webhooksMax: 9, ...write });
  }
  expect(found()).not.toEqual([]);
  const changes = (await store.listSecrets()).map((read) => ({ read, text: '[]' }));
  expect(await store.replaceSecrets(changes)).toBe(2);
  expect(found()).toEqual([]);
  await store.close();
});
