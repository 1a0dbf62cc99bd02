/** What the areas of the store read and write with: statements, and a transaction of them. */

import type { AuditKey } from '../../../accounts/audit-key.ts';
import type { CommitEvent } from '../../../events/event.ts';
import type { Values } from '../../scripts/shared/notation.ts';
import { StoreAway } from '../../shared/store-away.ts';

type Scalar = string | number | boolean | null;
/** A parameter, `$1` and so on; lists go to `unnest($1::text[])` and its like. */
export type Value = Scalar | Uint8Array | readonly Scalar[];

/** BIGINT and NUMERIC come as numbers, BYTEA as bytes. */
export type Row = Record<string, Scalar | Uint8Array>;

export interface Sql {
  /** All rows. The text is prepared, once a connection: it must be one of a few. */
  all(text: string, ...values: Value[]): Promise<readonly Row[]>;
  /** The first row. */
  get(text: string, ...values: Value[]): Promise<Row | undefined>;
  /** How many rows it wrote. */
  run(text: string, ...values: Value[]): Promise<number>;
}

/**
 * A transaction, READ COMMITTED. Rows are locked in this order, and those of one table in the order
 * of their keys, or transactions wait for each other until the database ends one of them (which is
 * then done again, a second later): player (to keep them, or to erase them), ticket, log, room_code,
 * session, player, seat, waiting, rating, idempotency, counter, audit_head, revision, event_head. Those
 * at the end are a tenant's only ones: who has them should be about to commit.
 */
export interface Tx extends Sql {
  /** Who writes: the id of this process's life. */
  readonly node: string;
  /** Gathers an event. All of them are written last, in the same transaction. */
  emit(event: CommitEvent): void;
  /** Those in use for the audit's chains. */
  auditKeys(): readonly AuditKey[];
  /** Statements of scripts in PostgreSQL's terms; each text is parsed once. */
  readonly bind: Bind;
}

/** A statement of a script as one of PostgreSQL: its text, and the values of `$1` and so on. */
export type Bind = (text: string, values: Values) => readonly [string, ...Value[]];

export interface Transactor {
  /**
   * Runs `run` in a transaction. It is run again, from its beginning, when the database has undone
   * it for the sake of others; so it must have no effect but through `tx`. What it throws undoes
   * it. Rejects when it failed, or with `CommitUnknown` when nobody can
   * say whether it was committed.
   */
  transaction<T>(run: (tx: Tx) => Promise<T>): Promise<T>;
}

/** A commit was sent and its answer never came: it may or may not have happened. */
export class CommitUnknown extends StoreAway {
  override readonly name = 'CommitUnknown';
}
