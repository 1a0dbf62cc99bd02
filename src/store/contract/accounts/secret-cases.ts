/** Encrypted secrets: each is listed as stored, and replaced only if unchanged. */

import { expect } from 'bun:test';
import { Buffer } from 'node:buffer';
import type { Account } from '../../../accounts/account.ts';
import type { StoredSecret } from '../../secrets.ts';
import type { NewWebhook } from '../../webhooks.ts';
import type { Store } from '../../whole-store.ts';
import type { AreaCase } from '../area.ts';
import { auditOf, T0, TENANT } from '../stage.ts';

const TOKEN = { kid: 'kid-a', secret: Uint8Array.from({ length: 32 }, (_, i) => 255 - i) };
const SECRETS = [
  { text: 'sealed:ü', expiresAt: null },
  { text: 'whsec_old', expiresAt: T0 },
];

function webhookOf(id: string, secrets: NewWebhook['webhook']['secrets']): NewWebhook {
  const fields = { mode: 'live', url: 'https://a.example/', description: '', types: [] } as const;
  const webhook = { id, tenant: TENANT, ...fields, secrets, createdAt: T0 };
  return { webhook, webhooksMax: 9, audit: auditOf('webhook.created'), idempotency: null };
}

const ACCOUNT: Account = {
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

/** One of each kind, and a webhook that has none. */
async function fill(store: Store): Promise<void> {
  await store.createWebhook(webhookOf('whk_1', SECRETS));
  await store.createWebhook(webhookOf('whk_2', []));
  await store.signingSecret(() => TOKEN);
  const whom = { tenant: null, role: null, email: null };
  const link = { id: 'lnk_a', kind: 'setup', ...whom, createdAt: T0, expiresAt: T0 + 9 } as const;
  await store.putLink(link, 'hash', null);
  await store.useSetupLink('hash', ACCOUNT, auditOf('account.created'));
  await store.setTotp(ACCOUNT.id, ACCOUNT, { secret: 'abc', step: 1 }, ['r'], []);
}

const byKind = (list: readonly StoredSecret[], kind: StoredSecret['kind']): StoredSecret =>
  list.find((each) => each.kind === kind)!;

export const secretCases: readonly AreaCase[] = [
  {
    title: '[STORE-10] secrets of every kind are listed as stored',
    async run({ store }) {
      expect(await store.listSecrets()).toEqual([]);
      await fill(store);
      const list = await store.listSecrets();
      expect(list.length).toBe(3);
      const webhook = byKind(list, 'webhook');
      expect([webhook.id, JSON.parse(webhook.text)]).toEqual(['whk_1', SECRETS]);
      const text = Buffer.from(TOKEN.secret).toString('base64');
      expect(byKind(list, 'token')).toEqual({ kind: 'token', id: TOKEN.kid, text });
      expect(byKind(list, 'totp')).toEqual({ kind: 'totp', id: ACCOUNT.id, text: 'abc' });
    },
  },
  {
    title: '[STORE-10] replacing a secret changes nothing else in its row',
    async run({ store }) {
      await fill(store);
      const list = await store.listSecrets();
      const before = await store.findWebhook(TENANT, 'whk_1');
      const secrets = [{ text: 'sealed:new', expiresAt: null }];
      const token = Buffer.from('sealed:token').toString('base64');
      const changes = [
        { read: byKind(list, 'webhook'), text: JSON.stringify(secrets) },
        { read: byKind(list, 'token'), text: token },
        { read: byKind(list, 'totp'), text: 'def' },
      ];
      expect(await store.replaceSecrets(changes)).toBe(3);
      expect(await store.findWebhook(TENANT, 'whk_1')).toEqual({ ...before!, secrets });
      const kept = await store.signingSecret(() => TOKEN);
      expect([kept.kid, Buffer.from(kept.secret).toString()]).toEqual([TOKEN.kid, 'sealed:token']);
      expect(await store.findAccount(ACCOUNT.id)).toMatchObject({ totpSecret: 'def', totpStep: 1 });
      expect(await store.countRecoveryCodes(ACCOUNT.id)).toBe(1);
    },
  },
  {
    title:
      '[STORE-10] a secret that changed since it was read is skipped, and the others are replaced',
    async run({ store }) {
      await fill(store);
      const list = await store.listSecrets();
      const rotated = [{ text: 'sealed:rotated', expiresAt: null }];
      const write = { audit: auditOf('webhook.rotated'), idempotency: null };
      await store.updateWebhook({ id: 'whk_1', tenant: TENANT, secrets: rotated, ...write });
      const changes = [
        { read: byKind(list, 'webhook'), text: '[]' },
        { read: byKind(list, 'totp'), text: 'def' },
      ];
      expect(await store.replaceSecrets(changes)).toBe(1);
      expect((await store.findWebhook(TENANT, 'whk_1'))?.secrets).toEqual(rotated);
      expect((await store.findAccount(ACCOUNT.id))?.totpSecret).toBe('def');
      expect(await store.replaceSecrets([])).toBe(0);
    },
  },
];
