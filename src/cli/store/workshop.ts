/** What the commands that change things work with: the store of a data folder, time and ids. */

import { existsSync, mkdirSync } from 'node:fs';
import { deriveAuditKeys } from '../../accounts/audit-key.ts';
import type { Config, Environment } from '../../config.ts';
import { databaseFile, rawSetting, readConfig, SETTINGS } from '../../config.ts';
import type { MakeId } from '../../runtime/ids.ts';
import { makeIds } from '../../runtime/ids.ts';
import type { Clock, Randomness } from '../../runtime/ports.ts';
import { readSealingKeys } from '../../runtime/sealing/sealing-key.ts';
import { makeSystemClock, systemRandomness } from '../../runtime/system.ts';
import { parseStoreUrl } from '../../setting-values.ts';
import { type ServeLock, takeServeLock } from '../../store/sqlite/file/serve-lock.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { AuditRow, CoreStore } from '../../store/store.ts';
import type { Store } from '../../store/whole-store.ts';
import type { Tenant } from '../../tenancy/tenant.ts';
import type { Answer, Refusal } from '../terminal/answer.ts';
import { failed, isRefusal, wrongUsage } from '../terminal/answer.ts';

export interface Workshop {
  readonly store: Store;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly makeId: MakeId;
  /**
   * Those of the setting, else of the data folder; none if there are none. Audit rows need them.
   */
  readonly sealingKeys: readonly Uint8Array[];
  /** Is the database one that several nodes share? */
  readonly isShared: boolean;
  /**
   * Keeps every service from starting on the data folder, until it is released. Null when one serves
   * from it, or when the database is shared.
   */
  takeServeLock(): ServeLock | null;
}

/** Only the service's own user can read the data folder. */
const FOLDER_MODE = 0o700;

/** The data folder, from `--data`, else the environment, else by default. */
export function readDataDir(env: Environment, data: string | undefined): string | Refusal {
  // The other settings are not for these commands, and may be wrong without stopping them.
  const reading = readConfig(
    { MATCHD_DATA: env['MATCHD_DATA'] },
    data === undefined ? {} : { dataDir: data },
  );
  return reading.ok ? reading.config.dataDir : wrongUsage(reading.problems.join('\n'));
}

/** The data folder, and the keys that seal the database's secrets. */
export function readSealConfig(
  env: Environment,
  data: string | undefined,
): Pick<Config, 'dataDir' | 'sealingKeys'> | Refusal {
  const { env: sealing } = SETTINGS.sealingKeys;
  const reading = readConfig(
    { MATCHD_DATA: env['MATCHD_DATA'], [sealing]: env[sealing] },
    data === undefined ? {} : { dataDir: data },
  );
  return reading.ok ? reading.config : wrongUsage(reading.problems.join('\n'));
}

/** Where the data is. */
export interface Place {
  readonly dataDir: string;
  /** The database that several nodes share; null: the data folder's own. */
  readonly store: string | null;
  readonly allowUnsafeStore: boolean;
  /** From the setting; null: those of the data folder. */
  readonly sealingKeys: readonly Uint8Array[] | null;
}

/** A data folder that was typed is meant, whatever the environment says of a shared database. */
export function readPlace(
  env: Environment,
  options: { readonly data?: string; readonly store?: string },
): Place | Refusal {
  const dataDir = readDataDir(env, options.data);
  if (typeof dataDir !== 'string') return dataDir;
  const isFolderMeant = options.data !== undefined && options.store === undefined;
  const flags = options.store === undefined ? {} : { store: options.store };
  const { text, source } = rawSetting(env, flags, 'store');
  const store = isFolderMeant || text === '' ? null : parseStoreUrl(text);
  // The URL contains a password, so it is not shown.
  if (store === undefined) return wrongUsage(`${source}: expected ${SETTINGS.store.expects}`);
  const { text: unsafe } = rawSetting(env, {}, 'allowUnsafeStore');
  const seal = readSealConfig(env, options.data);
  if ('error' in seal) return seal;
  const { sealingKeys } = seal;
  return { dataDir, store, allowUnsafeStore: unsafe === '1', sealingKeys };
}

/** Does the work on the store of a place; `make` makes one that is not there yet. */
export async function withWorkshop(
  place: Place,
  whenMissing: 'make' | 'refuse',
  work: (workshop: Workshop) => Promise<Answer | null>,
): Promise<Answer | null> {
  const clock = makeSystemClock();
  const randomness = systemRandomness;
  const makeId = makeIds(clock, randomness);
  const store = await openStore(place, whenMissing, makeId);
  if (isRefusal(store)) return store;
  try {
    const sealingKeys = sealingKeysOf(place);
    await store.useAuditKeys(deriveAuditKeys(sealingKeys));
    return await work({
      store,
      clock,
      randomness,
      makeId,
      sealingKeys,
      isShared: place.store !== null,
      takeServeLock: () =>
        place.store === null ? takeServeLock(databaseFile(place.dataDir), 0) : null,
    });
  } finally {
    await store.close();
  }
}

/** None before the first start of a service has made one. */
export function sealingKeysOf({
  dataDir,
  sealingKeys,
}: Pick<Place, 'dataDir' | 'sealingKeys'>): readonly Uint8Array[] {
  return sealingKeys ?? readSealingKeys(dataDir)?.keys ?? [];
}

async function openStore(
  { dataDir, store: url, allowUnsafeStore: allowUnsafe }: Place,
  whenMissing: 'make' | 'refuse',
  makeId: MakeId,
): Promise<Store | Refusal> {
  if (url !== null) {
    // Loaded when there is one: the driver takes its time.
    const { openSharedStore } = await import('./shared-store.ts');
    return await openSharedStore({ url, node: makeId('nod'), allowUnsafe, whenMissing });
  }
  const file = databaseFile(dataDir);
  if (!existsSync(file)) {
    if (whenMissing === 'refuse') {
      return failed(`There is no database at ${file}: check --data`);
    }
    mkdirSync(dataDir, { recursive: true, mode: FOLDER_MODE });
  }
  return await openSqliteStore(file, { isBrief: true });
}

/** The audit entry of an action of this command line. */
export function makeAudit(tenant: string, act: string, object: string, at: number): AuditRow {
  return { tenant, actor: 'cli', act, object, at };
}

/** A tenant by its id or its slug. */
export async function findTenant(
  store: Pick<CoreStore, 'findTenant' | 'listTenants'>,
  name: string,
): Promise<Tenant | Refusal> {
  const found = await store.findTenant(name);
  if (found !== null) return found;
  const bySlug = (await store.listTenants()).find(({ slug }) => slug === name);
  return bySlug ?? failed(`There is no tenant ${JSON.stringify(name)}`);
}

const NAME_CHARS_MAX = 64;

/** A display name to read, without white space around it. */
export function parseName(text: string): string | Refusal {
  const name = text.trim();
  const isName = name !== '' && [...name].length <= NAME_CHARS_MAX && !/\p{C}/u.test(name);
  return isName
    ? name
    : wrongUsage(`A name is 1 to ${NAME_CHARS_MAX} characters, no control characters among them`);
}
