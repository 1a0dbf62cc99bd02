/** `matchd secrets`: how the secrets in the database are sealed, with a new key, and without a lost one (D12). */

import { existsSync } from 'node:fs';
import { deriveAuditKeys } from '../../accounts/audit-key.ts';
import type { Config } from '../../config.ts';
import { databaseFile, SETTINGS } from '../../config.ts';
import { INSTALLATION } from '../../runtime/accounts/logins.ts';
import { findLost, type GivenUp, giveUpLost } from '../../runtime/sealing/give-up.ts';
import { openSeal, sourceOf } from '../../runtime/sealing/open-seal.ts';
import { countSecrets, judgeSecrets, type SecretCounts } from '../../runtime/sealing/reseal.ts';
import { makeSealer, SEALING_KEY_BYTES } from '../../runtime/sealing/sealer.ts';
import {
  KEYS_MAX,
  makeSealingKey,
  readSealingKeys,
  replaceSealingKeys,
  SEALING_KEY_FILE,
  type SealingKeys,
} from '../../runtime/sealing/sealing-key.ts';
import { countServing, nodesServe } from '../../runtime/sealing/serving.ts';
import {
  type ServeLock,
  stopTheService,
  takeServeLock,
} from '../../store/sqlite/file/serve-lock.ts';
import { openExclusively } from '../../store/sqlite/file/snapshot.ts';
import { makeAudit, type Workshop } from '../store/workshop.ts';
import { type Answer, EXIT_CODES, failed, type Refusal, type Report } from '../terminal/answer.ts';
import { printTable } from '../terminal/text-table.ts';

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
  return { ...describe(keys, counts, await countServing(store)), exit };
}

/** With the first of the available keys. */
export async function resealSecrets(
  { store, randomness, clock }: Workshop,
  { dataDir, sealingKeys }: SealConfig,
): Promise<Report> {
  const opened = await openSeal({ store, dataDir, settingKeys: sealingKeys, randomness });
  // Chains that are not keyed yet become so when a service starts.
  await store.useAuditKeys(deriveAuditKeys(opened.keys.keys));
  if ((await store.auditHeads()).some(({ mac }) => mac !== null)) {
    await store.keyChains(clock.now(), 'newest');
  }
  const sealer = makeSealer(opened.keys.keys, randomness);
  const after = describe(opened.keys, countSecrets(await judgeSecrets(store, sealer)), 0);
  return {
    json: { ...after.json, sealedNow: opened.sealedNow },
    text: `${opened.sealedNow} resealed.\n${after.text}`,
  };
}

/**
 * Keeps services away while a command changes what they have read. Null if another mechanism does
 * that.
 */
export type Hold = ServeLock | null;

/** A new key in front of those in the file; the older stay in it, for backups made before. */
export function holdToRotate(
  { dataDir, sealingKeys }: SealConfig,
  isShared: boolean,
): Hold | Refusal {
  const everywhere = `put the new key first in ${ENV} of every node, separated by a comma, restart the nodes, then run "matchd secrets reseal"`;
  if (sealingKeys !== null) return failed(`The key comes from ${ENV}: ${everywhere}`);
  // Other users of the database are unknown here.
  if (isShared) return failed(`Several nodes may share the database: ${everywhere}`);
  return hold(dataDir);
}

/** Nodes that share a database have leases, which are looked at in it. */
export function holdToForget({ dataDir }: SealConfig, isShared: boolean): Hold | Refusal {
  return isShared ? null : hold(dataDir);
}

/**
 * No service starts before the lock is released; nor does any other process have the database open
 * now.
 */
function hold(dataDir: string): Hold | Refusal {
  const file = databaseFile(dataDir);
  if (!existsSync(file)) return failed(`There is no database at ${file}: check --data`);
  const lock = takeServeLock(file, 0);
  if (lock === null) return failed(stopTheService(file));
  const held = openExclusively(file);
  if (typeof held !== 'string') {
    held.close();
    return lock;
  }
  lock.release();
  return failed(held === 'in use' ? stopTheService(file) : `${file} cannot be read`);
}

/**
 * Under `holdToRotate`. A crash in the middle leaves both keys in the file: the next start
 * continues from there.
 */
export async function rotateKey(workshop: Workshop, config: SealConfig): Promise<Answer> {
  const { dataDir } = config;
  const { store, randomness, clock } = workshop;
  const opened = await openSeal({ store, dataDir, settingKeys: null, randomness });
  const { keys, file } = opened.keys;
  if (isAnyLost(opened.counts)) {
    return failed('Some secrets are sealed with a missing key: see matchd secrets show');
  }
  const fresh = randomness.bytes(SEALING_KEY_BYTES);
  replaceSealingKeys(file!, [fresh, ...keys].slice(0, KEYS_MAX));
  const answer = await resealSecrets(workshop, config);
  await store.addAudit(makeAudit(INSTALLATION, 'secrets.key_rotated', '', clock.now()));
  const kept =
    `Keep a copy of ${file}, away from the backups. ` +
    'Its other lines are older keys, which older backups need.';
  return { json: answer.json, text: `${answer.text}\n${kept}` };
}

/**
 * Under `holdToForget`. For an operator who has lost a key: the secrets sealed with it are given
 * up, so that the service starts again. That cannot be undone, so without a confirmation it is only
 * explained.
 */
export async function forgetSecrets(
  workshop: Workshop,
  config: SealConfig,
  isAgreed: boolean,
): Promise<Answer> {
  const { store, randomness, clock } = workshop;
  const found = findKeys(config);
  const lost = await findLost(store, makeSealer(found?.keys ?? [], randomness));
  if (lost.webhooks.length + lost.tokens + lost.accounts.length === 0) {
    return {
      json: { ...lost, isGivenUp: false },
      text: 'Every secret can be opened. Nothing was deleted.',
    };
  }
  const serving = await countServing(store);
  if (serving > 0) return leaveToNodes(serving);
  if (!isAgreed) return describeLost(lost);
  const { keys } = found ?? makeSealingKey(config.dataDir, randomness);
  const given = await giveUpLost(store, makeSealer(keys, randomness), randomness);
  if (typeof given === 'number') return leaveToNodes(given);
  // Rows under a lost key are chained only from now on.
  await store.useAuditKeys(deriveAuditKeys(keys));
  await store.keyChains(clock.now(), 'any');
  await store.addAudit(makeAudit(INSTALLATION, 'secrets.forgotten', '', clock.now()));
  const lines = [
    given.tokens > 0
      ? 'All tokens of players and bots end. Their pages and programs get new ones.'
      : null,
    given.webhooks.length > 0
      ? `Webhooks to rotate (deliveries fail with secret_lost until then): ${given.webhooks.join(', ')}`
      : null,
    given.accounts.length > 0
      ? `Accounts without a second factor (use a recovery code or matchd accounts reset): ${given.accounts.join(', ')}`
      : null,
    'Restart the service: a running one still has the older keys.',
  ];
  const text = lines.filter((line) => line !== null).join('\n');
  return { json: { ...given, isGivenUp: true }, text };
}

/** They have a key, and its secrets would be lost for all of them. */
function leaveToNodes(serving: number): Refusal {
  return failed(
    `${nodesServe(serving)} on this database, and their key may open these secrets. Set the same ${ENV} for this command. Secrets that it does not open either can be deleted after all nodes have stopped and their leases have expired. Nothing was changed`,
  );
}

function describeLost(lost: GivenUp): Answer {
  const text = [
    `No key here opens ${lostText(lost.webhooks.length, lost.tokens, lost.accounts.length)}.`,
    'They would be deleted permanently. Nothing was changed.',
    'If the key is only misplaced or mistyped, restore it. To delete them, use --yes.',
  ].join('\n');
  return { json: { ...lost, isGivenUp: false }, text, exit: EXIT_CODES.failed };
}

function findKeys({ dataDir, sealingKeys }: SealConfig): SealingKeys | null {
  return sealingKeys === null ? readSealingKeys(dataDir) : { keys: sealingKeys, file: null };
}

function isAnyLost(counts: SecretCounts): boolean {
  return Object.values(counts).some(({ lost }) => lost > 0);
}

const NAMES = { webhook: 'webhooks', token: 'tokens', totp: 'one-time codes' } as const;

/** `serving`: how many nodes serve from the store. */
function describe(
  keys: SealingKeys | null,
  counts: SecretCounts,
  serving: number,
): { json: object; text: string } {
  const rows = (Object.keys(NAMES) as (keyof typeof NAMES)[]).map((kind) => {
    const { current, older, clear, lost } = counts[kind];
    return [NAMES[kind], ...[current, older, clear, lost].map(String)];
  });
  const from = keys === null ? null : sourceOf(keys);
  const head =
    keys === null
      ? `Keys: none in ${ENV}, and no ${SEALING_KEY_FILE} in the data folder`
      : `Keys: ${keys.keys.length}, from ${from}`;
  const table = printTable(['SECRETS OF', 'SEALED', 'OLDER KEY', 'IN CLEAR', 'LOST'], rows, '');
  return {
    json: { from, keys: keys?.keys.length ?? 0, secrets: counts },
    text: [head, table, ...lostWords(counts, serving)].join('\n'),
  };
}

/**
 * What there is to do where no key opens something; nothing for no such case. `serving`: how many nodes
 * serve from the store, and so have a key.
 */
export function lostWords(counts: SecretCounts, serving = 0): readonly string[] {
  if (!isAnyLost(counts)) return [];
  const { webhook, token, totp } = counts;
  return [
    `No key opens ${lostText(webhook.lost, token.lost, totp.lost)}.`,
    // An operator with the right key who lost something else is not helped by giving up secrets.
    ...(serving > 0 && token.lost > 0
      ? [`Use the ${ENV} of the nodes: ${nodesServe(serving)} on this database.`]
      : todoWords()),
  ];
}

function lostText(webhooks: number, tokens: number, accounts: number): string {
  return `the secrets of ${webhooks} webhooks, ${tokens === 0 ? 'no' : 'all'} tokens, ${accounts} accounts' one-time codes`;
}

function todoWords(): readonly string[] {
  return [
    `Copy ${SEALING_KEY_FILE} back into the data folder, or set ${ENV}.`,
    'Without a copy, run "matchd secrets forget". All tokens then end, these webhooks must be rotated, and these accounts need a recovery code or "matchd accounts reset".',
  ];
}
