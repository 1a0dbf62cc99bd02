/** Records of sessions as rows of the log. */

import type { Entry } from '../../../match/record.ts';
import type { Tx } from './script.ts';

export interface LogRow {
  readonly session: string;
  readonly v: number;
  readonly at: number;
  /** The record as JSON. */
  readonly record: string;
}

/** Throws for a record that cannot be serialized. */
export function toLogRows(session: string, entries: readonly Entry[]): readonly LogRow[] {
  return entries.map(({ v, at, record }) => ({ session, v, at, record: JSON.stringify(record) }));
}

const INSERT = `INSERT INTO log (session, v, at, record)
  SELECT session, v, at, record FROM @given(session text, v int, at bigint, record text) WHERE TRUE`;
const INSERT_NEW = `${INSERT} ON CONFLICT DO NOTHING`;

/** Rejects when one of the versions exists already. */
export async function insertRecords(tx: Tx, given: readonly LogRow[]): Promise<void> {
  if (given.length > 0) await tx.run(INSERT, { given });
}

/** Skips versions that exist already. Returns the sessions of the others. */
export async function insertUnlessThere(
  tx: Tx,
  given: readonly LogRow[],
): Promise<ReadonlySet<string>> {
  // For a single row, the count says it.
  if (given.length === 1) {
    const written = await tx.run(INSERT_NEW, { given });
    return new Set(written > 0 ? [given[0]!.session] : []);
  }
  const rows = await tx.all(`${INSERT_NEW} RETURNING session`, { given });
  return new Set(rows.map(({ session }) => String(session)));
}
