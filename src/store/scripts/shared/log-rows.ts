/** Records of sessions as rows of the log. */

import type { Entry } from '../../../match/record.ts';
import type { Tx } from './script.ts';

export interface LogRow {
  readonly session: string;
  readonly v: number;
  readonly at: number;
  /** JSON. */
  readonly record: string;
}

/** Throws for what cannot be written down. */
export function toLogRows(session: string, entries: readonly Entry[]): readonly LogRow[] {
  return entries.map(({ v, at, record }) => ({ session, v, at, record: JSON.stringify(record) }));
}

const INSERT = `INSERT INTO log (session, v, at, record)
  SELECT session, v, at, record FROM @given(session text, v int, at bigint, record text) WHERE TRUE`;
const INSERT_NEW = `${INSERT} ON CONFLICT DO NOTHING`;

/** Rejects when one of the versions is there already. */
export async function insertRecords(tx: Tx, given: readonly LogRow[]): Promise<void> {
  if (given.length > 0) await tx.run(INSERT, { given });
}

/** Passes over versions that are there already; answers the sessions of the others. */
export async function insertUnlessThere(
  tx: Tx,
  given: readonly LogRow[],
): Promise<ReadonlySet<string>> {
  // Of one it is told by the number.
  if (given.length === 1) {
    const written = await tx.run(INSERT_NEW, { given });
    return new Set(written > 0 ? [given[0]!.session] : []);
  }
  const rows = await tx.all(`${INSERT_NEW} RETURNING session`, { given });
  return new Set(rows.map(({ session }) => String(session)));
}
