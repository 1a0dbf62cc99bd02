/** Discards secrets that no key opens, so that a service can start again without the key (rule D12). */

import { Buffer } from 'node:buffer';
import type { SecretChange, SecretStore, StoredSecret } from '../../store/secrets.ts';
import type { WebhookSecret } from '../../webhooks/signature.ts';
import type { Randomness } from '../ports.ts';
import { type JudgedSecret, judgeSecrets } from './reseal.ts';
import { openText, purposeOf, sealBytes } from './sealed-store.ts';
import type { Sealer } from './sealer.ts';
import type { SharableStore } from './serving.ts';

/** Of the secret that signs tokens. */
export const TOKEN_SECRET_BYTES = 32;

export interface GivenUp {
  /** Webhooks without a secret any more, by id. */
  readonly webhooks: readonly string[];
  /** Token secrets that were created again. */
  readonly tokens: number;
  /** Accounts whose one-time codes stop working. Their rows stay: a key may come back. */
  readonly accounts: readonly string[];
}

/** What would be discarded; changes nothing. */
export async function findLost(
  store: Pick<SecretStore, 'listSecrets'>,
  sealer: Sealer,
): Promise<GivenUp> {
  return describe(await listLost(store, sealer));
}

/**
 * Returns the number of serving nodes if there are any: then nothing is discarded. A store in a folder must belong
 * to this process alone.
 */
export async function giveUpLost(
  store: SharableStore,
  sealer: Sealer,
  randomness: Randomness,
): Promise<GivenUp | number> {
  const lost = await listLost(store, sealer);
  const changes = lost.flatMap(({ read }) => replacementOf(read, sealer, randomness));
  const serving = await store.replaceUnserved?.(changes);
  if (serving === undefined) await store.replaceSecrets(changes);
  return serving || describe(lost);
}

async function listLost(
  store: Pick<SecretStore, 'listSecrets'>,
  sealer: Sealer,
): Promise<readonly JudgedSecret[]> {
  return (await judgeSecrets(store, sealer)).filter(({ state }) => state === 'lost');
}

function describe(lost: readonly JudgedSecret[]): GivenUp {
  const idsOf = (kind: string) =>
    lost.filter(({ read }) => read.kind === kind).map(({ read }) => read.id);
  return { webhooks: idsOf('webhook'), tokens: idsOf('token').length, accounts: idsOf('totp') };
}

function replacementOf(
  read: StoredSecret,
  sealer: Sealer,
  randomness: Randomness,
): readonly SecretChange[] {
  if (read.kind === 'totp') return [];
  if (read.kind === 'webhook') {
    const left = (JSON.parse(read.text) as WebhookSecret[]).filter(
      ({ text }) => openText(sealer, purposeOf.webhook(read.id), text) !== null,
    );
    return [{ read, text: JSON.stringify(left) }];
  }
  const made = { kid: read.id, secret: randomness.bytes(TOKEN_SECRET_BYTES) };
  return [{ read, text: Buffer.from(sealBytes(sealer, made)).toString('base64') }];
}
