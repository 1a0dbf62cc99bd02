/** Opens the seal at startup: its keys, and every stored secret under the first of them. */

import type { Randomness } from '../ports.ts';
import { countSecrets, judgeSecrets, reseal, type SecretCounts } from './reseal.ts';
import { SealingKeyError } from './sealed-store.ts';
import { makeSealer, type Sealer } from './sealer.ts';
import {
  makeSealingKey,
  readSealingKeys,
  type SealingKeys,
  sealingKeyFile,
} from './sealing-key.ts';
import { countServing, nodesServe, type SharableStore } from './serving.ts';

export interface SealDeps {
  readonly store: SharableStore;
  readonly dataDir: string;
  /** From the setting; null: the key file of the data folder is used, and created if missing. */
  readonly settingKeys: readonly Uint8Array[] | null;
  readonly randomness: Randomness;
}

export interface OpenedSeal {
  readonly sealer: Sealer;
  readonly keys: SealingKeys;
  /** Rows sealed by this start: plain before, or under an older key. */
  readonly sealedNow: number;
  /** Unchanged rows. */
  readonly counts: SecretCounts;
}

/** Throws a `SealingKeyError` when no key fits the sealed secrets, or not the one that opens tokens. */
export async function openSeal(deps: SealDeps): Promise<OpenedSeal> {
  const { store, randomness } = deps;
  const keys = await findKeys(deps);
  const sealer = makeSealer(keys.keys, randomness);
  const judged = await judgeSecrets(store, sealer);
  const counts = countSecrets(judged);
  if (counts.token.lost > 0) {
    throw new SealingKeyError(
      `the secrets in the database were sealed with another key than that of ${sourceOf(keys)}: ${await todoOf(store, 'put the right one there')}`,
    );
  }
  return { sealer, keys, sealedNow: await reseal(store, judged, sealer), counts };
}

/** While nodes serve, the key is not lost: nobody may discard what they still open. */
async function todoOf(store: SharableStore, otherwise: string): Promise<string> {
  const serving = await countServing(store);
  return serving === 0
    ? `${otherwise}, or give them up with "matchd secrets forget"`
    : `${nodesServe(serving)} with the right one; give this one the same MATCHD_SEALING_KEY`;
}

/** The source of keys, in words. */
export function sourceOf({ file }: SealingKeys): string {
  return file ?? 'MATCHD_SEALING_KEY';
}

async function findKeys({
  store,
  dataDir,
  settingKeys,
  randomness,
}: SealDeps): Promise<SealingKeys> {
  if (settingKeys !== null) return { keys: settingKeys, file: null };
  const kept = readSealingKeys(dataDir);
  if (kept !== null) return kept;
  // A new key beside another's secrets would only hide that the other is missing.
  const judged = await judgeSecrets(store, makeSealer([], randomness));
  if (judged.some(({ state }) => state === 'lost')) {
    throw new SealingKeyError(
      `the secrets in the database are sealed, and there is no ${sealingKeyFile(dataDir)}: ${await todoOf(store, 'put your copy of it there, set MATCHD_SEALING_KEY')}`,
    );
  }
  return makeSealingKey(dataDir, randomness);
}
