/** The hash chain over a session's log: its head stands for every record, its version and its time. */

import { hash } from 'node:crypto';
import type { Entry } from '../../match/record.ts';
import type { SessionRow } from '../../store/store.ts';

/** Identifies the log: a record of another session, tenant or mode gives another head. */
export type ChainStart = Pick<SessionRow, 'id' | 'tenant' | 'mode'>;

/** Hex SHA-256 that stands for an empty log. */
export function startChain({ id, tenant, mode }: ChainStart): string {
  return hash('sha256', `matchd log\n${JSON.stringify([id, tenant, mode])}`);
}

/** The head after these records, in their order. Hashes the record's JSON as the log has it. */
export function extendChain(head: string, entries: readonly Entry[]): string {
  return entries.reduce(
    (before, { v, at, record }) => hash('sha256', `${before}\n${JSON.stringify([v, at, record])}`),
    head,
  );
}
