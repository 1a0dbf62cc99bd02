/** Reads of counts over all tenants. */

import type { CensusStore } from '../census.ts';
import { COUNT_SESSIONS, COUNT_WAITING, toCensus } from '../rows/census-rows.ts';
import type { Runner } from './shared/script.ts';

export function makeCensusStore({ sql }: Pick<Runner, 'sql'>): CensusStore {
  return {
    takeCensus: async () => toCensus(await sql.all(COUNT_SESSIONS), await sql.all(COUNT_WAITING)),
  };
}
