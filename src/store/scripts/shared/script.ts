/**
 * A script is a transaction, written once for all databases: the statements it runs, and its
 * decisions. It uses a `Tx`, which answers synchronously (SQLite, on the writer's thread) or
 * asynchronously (PostgreSQL).
 */

import type { AuditKey } from '../../../accounts/audit-key.ts';
import type { CommitEvent } from '../../../events/event.ts';
import type { ModePlayer } from '../../rows/presence-key.ts';
import type { Row } from '../../rows/row.ts';
import type { Dialect } from './dialect.ts';
import type { Values } from './notation.ts';

/** Sorts after every id: where the first page of a list begins. */
export const AFTER_ALL_IDS = '~';

/**
 * Statements in the notation of `notation.ts`. Each text is prepared and cached, so there must be
 * few of them.
 */
export interface Sql {
  /** Returns all rows. */
  all(text: string, values?: Values): Promise<readonly Row[]>;
  /** Returns the first row. */
  get(text: string, values?: Values): Promise<Row | undefined>;
  /** Returns how many rows were written. */
  run(text: string, values?: Values): Promise<number>;
}

/**
 * A transaction. In PostgreSQL it is READ COMMITTED. To avoid deadlocks (the database ends one
 * transaction, which is retried a second later), rows are locked in this order, and those of one
 * table in key order: player (to keep the player, or to erase), ticket, log, room_code, session,
 * player, seat, waiting, rating, idempotency, counter, audit_head, revision, event_head. The last
 * ones exist once per tenant: lock them just before the commit.
 */
export interface Tx extends Sql {
  /** The id of this process's run, stored in the rows that it owns. */
  readonly node: string;
  /** Collects an event. All events are written last, in the same transaction. */
  emit(event: CommitEvent): void;
  /** The keys in use for the audit chains. */
  auditKeys(): readonly AuditKey[];
  /**
   * Those of the players who are connected to any node, by `presenceKey`. The databases differ: the
   * one process that serves from SQLite has presence in memory, nodes that share PostgreSQL have it
   * in tables that are valid as long as a lease.
   */
  connected(players: readonly ModePlayer[]): Promise<ReadonlySet<string>>;
}

export interface Script<Ask, Answer> {
  /** The name by which the writer's thread finds the script. */
  readonly name: string;
  /**
   * Answers each ask, in order, as if they ran one after the other: parallel asks share a
   * transaction. Its only effects are through `tx`, because it may be run again. If an ask's data
   * causes an error, each ask runs alone; `Refused` runs the asks again that it does not name.
   */
  readonly act: (tx: Tx, asks: readonly Ask[]) => Promise<readonly Answer[]>;
  /** Splits asks that may not share a transaction; `act` gets those of one round. */
  rounds?(asks: readonly Ask[]): readonly (readonly Ask[])[];
  /** PostgreSQL runs each ask in its own transaction: see `scriptOfOne`. */
  readonly isOfOne?: true;
  /** PostgreSQL runs one transaction of it at a time: two would wait for the same tenant's rows. */
  readonly isInTurn?: true;
  /**
   * Each statement may be its own transaction: its effect stays whatever happens to the next, and
   * others may come between. PostgreSQL then needs no BEGIN and COMMIT, which saves a third of the
   * round trips. It emits no events and writes no audit.
   */
  readonly isLoose?: true;
}

/** For a read with large rows, or a very frequent one. */
export interface GatherLimits {
  /** How many statements may run at a time. */
  readonly lanes: number;
  /** How many asks one statement serves at most. */
  readonly batchMax: number;
}

/** Runs scripts. */
export interface Runner {
  /** Each statement on its own, outside of any transaction: for reads. */
  readonly sql: Sql;
  readonly dialect: Dialect;
  /** Yields to other work in the middle of a long read. */
  turn(): Promise<void>;
  /**
   * Turns a read of many into a read of one. The former answers each ask, in order. Where
   * statements cross a network, parallel reads become one statement.
   */
  gather<Ask, Answer>(
    read: (asks: readonly Ask[]) => Promise<readonly Answer[]>,
    limits?: GatherLimits,
  ): (ask: Ask) => Promise<Answer>;
  /**
   * Rejects when it failed or its result is unknown; with `StoreUnavailable` when the store is
   * unavailable. An ask is plain data, because it is passed to another thread.
   */
  write<Ask, Answer>(script: Script<Ask, Answer>, ask: Ask): Promise<Answer>;
}

/**
 * A script whose asks run one after the other. Locks are in order within one ask, not across asks,
 * and two such transactions would deadlock. So PostgreSQL runs each ask in its own transaction.
 */
export function scriptOfOne<Ask, Answer>(
  name: string,
  act: (tx: Tx, ask: Ask) => Promise<Answer>,
  how: Pick<Script<Ask, Answer>, 'isLoose'> = {},
): Script<Ask, Answer> {
  return {
    name,
    isOfOne: true,
    ...how,
    async act(tx, asks) {
      const answers: Answer[] = [];
      for (const ask of asks) answers.push(await act(tx, ask));
      return answers;
    },
  };
}
