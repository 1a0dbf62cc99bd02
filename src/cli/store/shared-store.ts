/** The PostgreSQL database that nodes share, opened for a command that is not a node itself. */

import { SETTINGS } from '../../config.ts';
import { openDatabase } from '../../store/postgres/connect/database.ts';
import { hasTables as isMade } from '../../store/postgres/migrate.ts';
import { placeOf } from '../../store/postgres/place.ts';
import { openPostgresStore } from '../../store/postgres/postgres-store.ts';
import type { Store } from '../../store/whole-store.ts';
import { failed, type Refusal } from '../terminal/answer.ts';

export interface SharedStoreOptions {
  readonly url: string;
  /** The id of this process's life. */
  readonly node: string;
  readonly allowUnsafe: boolean;
  /** One without tables: are they made, or is it the wrong one? */
  readonly whenMissing: 'make' | 'refuse';
}

export async function openSharedStore(options: SharedStoreOptions): Promise<Store | Refusal> {
  if (options.whenMissing === 'refuse' && !(await hasTables(options.url))) {
    return failed(`${placeOf(options.url)} is empty: check ${SETTINGS.store.env}`);
  }
  return await openPostgresStore(options);
}

async function hasTables(url: string): Promise<boolean> {
  const db = openDatabase({ url, max: 1, name: 'matchd', onHead: () => {} });
  try {
    return await isMade(db);
  } catch (error) {
    throw new Error(`${placeOf(url)}: ${(error as Error).message}`, { cause: error });
  } finally {
    await db.close();
  }
}
