/** The index of sessions' metadata, for `listSessions`. */

import type { PairRow } from '../../rows/metadata-pairs.ts';
import type { Sql } from './script.ts';

const GIVEN = '@given(tenant text, mode text, pair text, game text, session text)';

export async function insertPairs(sql: Sql, pairs: readonly PairRow[]): Promise<void> {
  if (pairs.length === 0) return;
  await sql.run(
    `INSERT INTO session_metadata (tenant, mode, pair, game, session)
     SELECT tenant, mode, pair, game, session FROM ${GIVEN} WHERE TRUE ON CONFLICT DO NOTHING`,
    { given: pairs },
  );
}

/** By the whole primary key, which follows from the session's row: no index on the session is needed. */
export async function removePairs(sql: Sql, pairs: readonly PairRow[]): Promise<void> {
  if (pairs.length === 0) return;
  await sql.run(
    `DELETE FROM session_metadata WHERE (tenant, mode, pair, game, session) IN (
       SELECT tenant, mode, pair, game, session FROM ${GIVEN})`,
    { given: pairs },
  );
}
