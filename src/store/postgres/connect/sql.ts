/** What the areas of the store read and write with: statements and transactions. */

import type { AuditKey } from '../../../accounts/audit-key.ts';
import type { CommitEvent } from '../../../events/event.ts';
import type { Values } from '../../scripts/shared/notation.ts';
import { StoreUnavailable } from '../../shared/store-unavailable.ts';

type Scalar = string | number | boolean | null;
/** A parameter, `$1` and so on; lists go to `unnest($1::text[])` and the like. */
export type Value = Scalar | Uint8Array | readonly Scalar[];

/** BIGINT and NUMERIC are numbers, BYTEA is bytes. */
export type Row = Record<string, Scalar | Uint8Array>;

export interface Sql {
  /** Returns all rows. The text is prepared once per connection, so there must be few of them. */
  all(text: string, ...values: Value[]): Promise<readonly Row[]>;
  /** Returns the first row. */
  get(text: string, ...values: Value[]): Promise<Row | undefined>;
  /** Returns how many rows were written. */
  run(text: string, ...values: Value[]): Promise<number>;
}

/**
 * A transaction, READ COMMITTED. To avoid deadlocks (the database ends one transaction, which is
 * retried a second later), rows are locked in this order, and those of one table in key order:
 * player (to keep them, or to erase them), ticket, log, room_code, session, player, seat, waiting,
 * rating, idempotency, counter, audit_head, revision, event_head. The last ones exist once per
 * tenant: lock them just before the commit.
 */
export interface Tx extends Sql {
  /** The id of this process's run. */
  readonly node: string;
  /** Collects an event. All events are written last, in the same transaction. */
  emit(event: CommitEvent): void;
  /** The keys in use for the audit chains. */
  auditKeys(): readonly AuditKey[];
  /** Translates scripts' statements for PostgreSQL; each text is parsed once. */
  readonly bind: Bind;
}

/** A script's statement for PostgreSQL: its text, and the values of `$1` and so on. */
export type Bind = (text: string, values: Values) => readonly [string, ...Value[]];

export interface Transactor {
  /**
   * Runs `run` in a transaction, and again from the beginning if the database rolls it back because
   * of others: its only effects must be through `tx`. An error it throws rolls it back. Rejects
   * when it failed, or with `CommitUnknown` when its result is unknown.
   */
  transaction<T>(run: (tx: Tx) => Promise<T>): Promise<T>;
}

/** A commit was sent and not answered: it may or may not have happened. */
export class CommitUnknown extends StoreUnavailable {
  override readonly name = 'CommitUnknown';
}
