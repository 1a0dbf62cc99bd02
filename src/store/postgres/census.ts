/** Counts over all tenants, read. */

import type { CensusStore } from '../census.ts';
import { COUNT_SESSIONS, COUNT_WAITING, toCensus } from '../rows/census-rows.ts';
import type { Sql } from './sql.ts';

export function makeCensusStore(db: Sql): CensusStore {
  return {
    takeCensus: async () => toCensus(await db.all(COUNT_SESSIONS), await db.all(COUNT_WAITING)),
  };
}
