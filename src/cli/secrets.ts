/** `matchd secrets`: how the secrets in the database are sealed, with a new key, and without a lost one (D12). */

import { existsSync } from 'node:fs';
import type { Config } from '../config.ts';
import { databaseFile, SETTINGS } from '../config.ts';
import { INSTALLATION } from '../runtime/accounts/logins.ts';
import { giveUpLost } from '../runtime/sealing/give-up.ts';
import { openSeal, sourceOf } from '../runtime/sealing/open-seal.ts';
import { countSecrets, judgeSecrets, type SecretCounts } from '../runtime/sealing/seal-anew.ts';
import { makeSealer, SEALING_KEY_BYTES } from '../runtime/sealing/sealer.ts';
import {
  KEYS_MAX,
  makeSealingKey,
  readSealingKeys,
  replaceSealingKeys,
  SEALING_KEY_FILE,
  type SealingKeys,
} from '../runtime/sealing/sealing-key.ts';
import { holdAlone } from '../store/sqlite/snapshot.ts';
import { type Answer, EXIT_CODES, failed, type Refusal, type Report } from './answer.ts';
import { printTable } from './text-table.ts';
import { makeAudit, type Workshop } from './workshop.ts';

export type SealConfig = Pick<Config, 'dataDir' | 'sealingKeys'>;

const ENV = SETTINGS.sealingKeys.env;

/** Changes nothing. Fails when something is lost. */
export async function showSecrets(
  { store, randomness }: Workshop,
  config: SealConfig,
): Promise<Answer> {
  const keys = findKeys(config);
  const counts = countSecrets(await judgeSecrets(store, makeSealer(keys?.keys ?? [], randomness)));
  const exit = isAnyLost(counts) ? EXIT_CODES.failed : EXIT_CODES.done;
  return { ...describe(keys, counts), exit };
}

/** With the first of the keys that are there. */
export async function resealSecrets(
  { store, randomness }: Workshop,
  { dataDir, sealingKeys }: SealConfig,
): Promise<Report> {
  const opened = await openSeal({ store, dataDir, settingKeys: sealingKeys, randomness });
  const sealer = makeSealer(opened.keys.keys, randomness);
  const after = describe(opened.keys, countSecrets(await judgeSecrets(store, sealer)));
  return {
    json: { ...after.json, sealedNow: opened.sealedNow },
    text: `${opened.sealedNow} sealed anew.\n${after.text}`,
  };
}

/** A new key in front of those in the file; the older stay in it, for backups made before. */
export function mayRotate({ dataDir, sealingKeys }: SealConfig, isShared: boolean): null | Refusal {
  const everywhere = `put a new one before it, with a comma, in ${ENV} of every node; restart them; then "matchd secrets reseal"`;
  if (sealingKeys !== null) return failed(`The key comes from ${ENV}: ${everywhere}`);
  // Who else uses the database is not known here.
  if (isShared) return failed(`Several nodes may share the database: ${everywhere}`);
  const file = databaseFile(dataDir);
  if (!existsSync(file)) return failed(`There is no database at ${file}: is --data right?`);
  // A service that runs has read the older key alone.
  const held = holdAlone(file);
  if (typeof held === 'string') {
    return failed(
      held === 'in use'
        ? `A process has ${file} open: stop the service first`
        : `${file} cannot be read`,
    );
  }
  held.close();
  return null;
}

/** After `mayRotate`. A crash in the middle leaves both keys in the file: every start goes on from there. */
export async function rotateKey(workshop: Workshop, config: SealConfig): Promise<Answer> {
  const { dataDir } = config;
  const { store, randomness, clock } = workshop;
  const opened = await openSeal({ store, dataDir, settingKeys: null, randomness });
  const { keys, file } = opened.keys;
  if (isAnyLost(opened.counts)) {
    return failed('Some secrets are sealed with a key that is not there: see matchd secrets show');
  }
  const fresh = randomness.bytes(SEALING_KEY_BYTES);
  replaceSealingKeys(file!, [fresh, ...keys].slice(0, KEYS_MAX));
  const answer = await resealSecrets(workshop, config);
  await store.addAudit(makeAudit(INSTALLATION, 'secrets.key_rotated', '', clock.now()));
  const kept =
    `Keep a copy of ${file}, away from the backups. ` +
    'Its other lines are the older keys: backups from before need them.';
  return { json: answer.json, text: `${answer.text}\n${kept}` };
}

/** For who has lost a key: what it sealed is given up, so that the service starts again. */
export async function forgetSecrets(workshop: Workshop, config: SealConfig): Promise<Answer> {
  const { store, randomness, clock } = workshop;
  const keys = findKeys(config) ?? makeSealingKey(config.dataDir, randomness);
  const sealer = makeSealer(keys.keys, randomness);
  const given = await giveUpLost(store, sealer, randomness);
  if (given.webhooks.length + given.tokens + given.accounts.length === 0) {
    return { json: { ...given }, text: 'Every secret opens: nothing was given up.' };
  }
  await store.addAudit(makeAudit(INSTALLATION, 'secrets.forgotten', '', clock.now()));
  const lines = [
    given.tokens > 0
      ? 'All tokens of players and bots end; their pages and programs get new ones.'
      : null,
    given.webhooks.length > 0
      ? `To be rotated, until then they fail with secret_lost: ${given.webhooks.join(', ')}`
      : null,
    given.accounts.length > 0
      ? `One-time codes that no longer count (a recovery code, else matchd accounts reset): ${given.accounts.join(', ')}`
      : null,
    'Start the service again: one that runs has the older keys.',
  ];
  return { json: { ...given }, text: lines.filter((line) => line !== null).join('\n') };
}

function findKeys({ dataDir, sealingKeys }: SealConfig): SealingKeys | null {
  return sealingKeys === null ? readSealingKeys(dataDir) : { keys: sealingKeys, file: null };
}

function isAnyLost(counts: SecretCounts): boolean {
  return Object.values(counts).some(({ lost }) => lost > 0);
}

const NAMES = { webhook: 'webhooks', token: 'tokens', totp: 'one-time codes' } as const;

function describe(keys: SealingKeys | null, counts: SecretCounts): { json: object; text: string } {
  const rows = (Object.keys(NAMES) as (keyof typeof NAMES)[]).map((kind) => {
    const { current, older, clear, lost } = counts[kind];
    return [NAMES[kind], ...[current, older, clear, lost].map(String)];
  });
  const from = keys === null ? null : sourceOf(keys);
  const head =
    keys === null
      ? `Keys: none, neither ${ENV} nor ${SEALING_KEY_FILE} in the data folder`
      : `Keys: ${keys.keys.length}, from ${from}`;
  const table = printTable(['SECRETS OF', 'SEALED', 'OLDER KEY', 'IN CLEAR', 'LOST'], rows, '');
  return {
    json: { from, keys: keys?.keys.length ?? 0, secrets: counts },
    text: [head, table, ...lostWords(counts)].join('\n'),
  };
}

/** What there is to do where no key opens something; nothing for no such case. */
export function lostWords(counts: SecretCounts): readonly string[] {
  if (!isAnyLost(counts)) return [];
  const { webhook, token, totp } = counts;
  return [
    `No key opens the secrets of ${webhook.lost} webhooks, ${token.lost === 0 ? 'no' : 'all'} tokens, ${totp.lost} accounts' one-time codes.`,
    `Put your copy of ${SEALING_KEY_FILE} into the data folder, or set ${ENV}.`,
    'Who has none: "matchd secrets forget". All tokens then end, these webhooks have to be rotated, these accounts need a recovery code or "matchd accounts reset".',
  ];
}
