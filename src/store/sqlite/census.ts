/** Counts over all tenants, read. */

import type { Census } from '../census.ts';
import { COUNT_SESSIONS, COUNT_WAITING, toCensus } from '../rows/census-rows.ts';
import type { Prepare } from './rows.ts';

export function makeCensusRead(all: Prepare): () => Census {
  const sessions = all(COUNT_SESSIONS);
  const waiting = all(COUNT_WAITING);
  return () => toCensus(sessions(), waiting());
}
