/** Appends to match logs without other changes: many in one statement, written specially for speed. */

import { COMMIT } from '../../scripts/sessions/commits.ts';
import type { LogRow } from '../../scripts/shared/log-rows.ts';
import type { MatchCommit } from '../../store.ts';
import { isOfData } from '../connect/connection.ts';
import type { Database, HeadListener } from '../connect/database.ts';
import { appendEvents, makeEventGatherer, toHead } from '../connect/event-append.ts';
import { doTogether, type Work } from './together.ts';

/** A commit to write. The result of a failed one is unknown. */
export interface CommitWork extends Work<MatchCommit, 'committed' | 'conflict'> {
  /** Its entries, serialized. */
  readonly rows: readonly LogRow[];
}

/**
 * Records first: a transaction that waits for the lock on an event log's head has done all other
 * writes. A version that exists fails the whole statement.
 */
const APPEND_ALL = `WITH
  logged AS (
    INSERT INTO log (session, v, at, record)
    SELECT * FROM unnest($1::text[], $2::int[], $3::bigint[], $4::text[]) RETURNING 1
  ),
  ${appendEvents(5, '(SELECT count(*) FROM logged) > 0')}`;

/** Commits of different sessions that change only their logs. Reports each result. */
export async function appendMoves(
  db: Database,
  onHead: HeadListener,
  works: readonly CommitWork[],
): Promise<void> {
  // The order in which all nodes write, against deadlocks.
  const sorted = [...works].sort((a, b) => (a.session < b.session ? -1 : 1));
  const events = makeEventGatherer();
  for (const { ask } of sorted) for (const event of ask.events ?? []) events.add(event);
  const rows = sorted.flatMap((work) => work.rows);
  try {
    const heads = await db.all(APPEND_ALL, ...columnsOf(rows), ...events.columns());
    for (const row of heads) {
      const { world, head } = toHead(row);
      onHead(world, head);
    }
    for (const { done } of works) done('committed');
  } catch (error) {
    // Most likely one of the versions exists: find out which.
    if (isOfData(error)) await doTogether(db, COMMIT, works);
    else for (const { failed } of works) failed(error);
  }
}

/** Sessions, versions, times and texts. */
function columnsOf(rows: readonly LogRow[]) {
  return [
    rows.map(({ session }) => session),
    rows.map(({ v }) => v),
    rows.map(({ at }) => at),
    rows.map(({ record }) => record),
  ] as const;
}
