/** Seals plain secrets, and secrets under an older key, with the first key; reports what no key opens. */

import { Buffer } from 'node:buffer';
import type { SecretChange, SecretStore, StoredSecret } from '../../store/secrets.ts';
import type { WebhookSecret } from '../../webhooks/signature.ts';
import {
  isSealed,
  isTextCurrent,
  openText,
  purposeOf,
  SEALED_MARK,
  sealText,
} from './sealed-store.ts';
import type { Sealer } from './sealer.ts';

/** A row's state: under the first key, under an older one, not sealed, or lost. */
export type SecretState = 'current' | 'older' | 'clear' | 'lost';

export interface JudgedSecret {
  readonly read: StoredSecret;
  /** The worst state of the row's secrets. */
  readonly state: SecretState;
}

export type SecretCounts = Readonly<
  Record<StoredSecret['kind'], Readonly<Record<SecretState, number>>>
>;

export async function judgeSecrets(
  store: Pick<SecretStore, 'listSecrets'>,
  sealer: Sealer,
): Promise<readonly JudgedSecret[]> {
  return (await store.listSecrets()).map((read) => {
    const states = textsOf(read).map((text) =>
      stateOf(sealer, purposeOf[read.kind](read.id), text),
    );
    return { read, state: WORST_FIRST.find((state) => states.includes(state)) ?? 'current' };
  });
}

export function countSecrets(judged: readonly JudgedSecret[]): SecretCounts {
  const none = () => ({ current: 0, older: 0, clear: 0, lost: 0 });
  const counts = { webhook: none(), token: none(), totp: none() };
  for (const { read, state } of judged) counts[read.kind][state] += 1;
  return counts;
}

/** Returns how many rows were written. What no key opens stays: its key may come back. */
export async function reseal(
  store: SecretStore,
  judged: readonly JudgedSecret[],
  sealer: Sealer,
): Promise<number> {
  const changes = judged
    .filter(({ state }) => state !== 'current')
    .map(({ read }): SecretChange => ({ read, text: sealRow(sealer, read) }))
    .filter(({ read, text }) => text !== read.text);
  return store.replaceSecrets(changes);
}

const WORST_FIRST: readonly SecretState[] = ['lost', 'clear', 'older'];

function stateOf(sealer: Sealer, purpose: string, kept: string): SecretState {
  if (!isSealed(kept)) return 'clear';
  if (isTextCurrent(sealer, purpose, kept)) return 'current';
  return openText(sealer, purpose, kept) === null ? 'lost' : 'older';
}

function sealRow(sealer: Sealer, read: StoredSecret): string {
  const purpose = purposeOf[read.kind](read.id);
  const texts = textsOf(read);
  const renewed = texts.map((kept) => {
    const text = isTextCurrent(sealer, purpose, kept) ? null : openText(sealer, purpose, kept);
    return text === null ? kept : sealText(sealer, purpose, text);
  });
  return renewed.every((text, i) => text === texts[i]) ? read.text : withTexts(read, renewed);
}

// ── what a row's text holds ────────────────────────────────────────────────────────────────────

/**
 * The secrets in a row, each sealed separately or plain. A plain token secret is base64; a one-time code's was
 * never plain and has no mark.
 */
function textsOf({ kind, text }: StoredSecret): readonly string[] {
  if (kind === 'webhook') return (JSON.parse(text) as WebhookSecret[]).map((each) => each.text);
  if (kind === 'totp') return [SEALED_MARK + text];
  const kept = Buffer.from(text, 'base64').toString('latin1');
  return [isSealed(kept) ? kept : text];
}

/** The same row with these secrets; all of them are sealed. */
function withTexts({ kind, text }: StoredSecret, texts: readonly string[]): string {
  if (kind === 'totp') return texts[0]!.slice(SEALED_MARK.length);
  if (kind === 'token') return Buffer.from(texts[0]!).toString('base64');
  const secrets = (JSON.parse(text) as WebhookSecret[]).map(({ expiresAt }, i) => ({
    text: texts[i]!,
    expiresAt,
  }));
  return JSON.stringify(secrets);
}
