/** A store that seals secrets on write and opens them on read (decision 0023). */

import { Buffer } from 'node:buffer';
import { isDeepStrictEqual } from 'node:util';
import type { ServiceStore, SigningSecret } from '../../store/store.ts';
import type { Webhook, WebhookStore } from '../../store/webhooks.ts';
import type { WebhookSecret } from '../../webhooks/signature.ts';
import type { Sealer } from './sealer.ts';

/** The prefix of a sealed secret, where an older plain one may stand as well. */
export const SEALED_MARK = 'sealed:';

/** A secret is bound to its row: moved to another row, it does not open. */
export const purposeOf = {
  webhook: (id: string) => `webhook ${id}`,
  token: (kid: string) => `signing_secret ${kid}`,
  totp: (account: string) => `totp ${account}`,
};

export function isSealed(text: string): boolean {
  return text.startsWith(SEALED_MARK);
}

export function sealText(sealer: Sealer, purpose: string, text: string): string {
  return SEALED_MARK + sealer.seal(purpose, text);
}

/** A plain secret is its own text; null for what no key opens. */
export function openText(sealer: Sealer, purpose: string, kept: string): string | null {
  return isSealed(kept) ? sealer.open(purpose, kept.slice(SEALED_MARK.length)) : kept;
}

/** Is it sealed, with the first key? */
export function isTextCurrent(sealer: Sealer, purpose: string, kept: string): boolean {
  return isSealed(kept) && sealer.isCurrent(purpose, kept.slice(SEALED_MARK.length));
}

/** Thrown when tokens cannot be signed: the caller says what to do. */
export class SealingKeyError extends Error {
  override readonly name = 'SealingKeyError';
}

/** A webhook's secrets that no key opens are left out: it has to be rotated. */
export function makeSealedStore<S extends WebhookStore & Pick<ServiceStore, 'signingSecret'>>(
  store: S,
  sealer: Sealer,
): S {
  const sealSecrets = (id: string, secrets: readonly WebhookSecret[]): readonly WebhookSecret[] =>
    secrets.map(({ text, expiresAt }) => ({
      text: sealText(sealer, purposeOf.webhook(id), text),
      expiresAt,
    }));
  const open = (webhook: Webhook): Webhook => ({
    ...webhook,
    secrets: webhook.secrets.flatMap(({ text: kept, expiresAt }) => {
      const text = openText(sealer, purposeOf.webhook(webhook.id), kept);
      return text === null ? [] : [{ text, expiresAt }];
    }),
  });
  const sealed: Partial<WebhookStore & Pick<ServiceStore, 'signingSecret'>> = {
    createWebhook(created) {
      const { webhook } = created;
      const secrets = sealSecrets(webhook.id, webhook.secrets);
      return store.createWebhook({ ...created, webhook: { ...webhook, secrets } });
    },
    async updateWebhook(change) {
      const { id, tenant, secrets, replaces } = change;
      if (secrets === undefined) return store.updateWebhook(change);
      const sealedChange = { ...change, secrets: sealSecrets(id, secrets) };
      if (replaces === undefined) return store.updateWebhook(sealedChange);
      // Each sealing of a text differs: the plain texts are compared, then the stored ones.
      const kept = await store.findWebhook(tenant, id);
      if (kept === null || !isDeepStrictEqual(open(kept).secrets, replaces)) return false;
      return store.updateWebhook({ ...sealedChange, replaces: kept.secrets });
    },
    async findWebhook(tenant, id) {
      const found = await store.findWebhook(tenant, id);
      return found === null ? null : open(found);
    },
    listWebhooks: async (filter) => (await store.listWebhooks(filter)).map(open),
    listActiveWebhooks: async (after, limit) =>
      (await store.listActiveWebhooks(after, limit)).map(open),
    async signingSecret(make) {
      const { kid, secret } = await store.signingSecret(() => {
        const made = make();
        return { kid: made.kid, secret: sealBytes(sealer, made) };
      });
      const opened = openBytes(sealer, kid, secret);
      if (opened !== null) return { kid, secret: opened };
      throw new SealingKeyError('the secret that signs tokens was sealed with another key');
    },
  };
  return { ...store, ...sealed };
}

/** The stored form: the bytes of the sealed text. */
export function sealBytes(sealer: Sealer, { kid, secret }: SigningSecret): Uint8Array {
  const text = Buffer.from(secret).toString('base64');
  return Uint8Array.from(Buffer.from(sealText(sealer, purposeOf.token(kid), text)));
}

function openBytes(sealer: Sealer, kid: string, kept: Uint8Array): Uint8Array | null {
  const text = Buffer.from(kept).toString('latin1');
  if (!isSealed(text)) return kept;
  const opened = openText(sealer, purposeOf.token(kid), text);
  return opened === null ? null : Uint8Array.from(Buffer.from(opened, 'base64'));
}
