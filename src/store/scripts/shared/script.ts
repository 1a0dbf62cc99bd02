/**
 * A script is a transaction as it is written once for all databases: what it runs, and what it decides from the
 * rows. It asks by way of a `Tx`, which answers at once (SQLite, on the writer's thread) or in a while (PostgreSQL).
 */

import type { AuditKey } from '../../../accounts/audit-key.ts';
import type { CommitEvent } from '../../../events/event.ts';
import type { ModePlayer } from '../../rows/presence-key.ts';
import type { Row } from '../../rows/row.ts';
import type { Dialect } from './dialect.ts';
import type { Values } from './notation.ts';

/** Sorts after every id: where the first page of a list begins. */
export const AFTER_ALL_IDS = '~';

/** Statements as `notation.ts` has them. Each text is prepared and kept: it must be one of a few. */
export interface Sql {
  /** All rows. */
  all(text: string, values?: Values): Promise<readonly Row[]>;
  /** The first row. */
  get(text: string, values?: Values): Promise<Row | undefined>;
  /** How many rows it wrote. */
  run(text: string, values?: Values): Promise<number>;
}

/**
 * A transaction. In PostgreSQL it is READ COMMITTED: rows are locked in this order, and those of one table in the
 * order of their keys, or transactions wait for each other until the database ends one of them (which is then done
 * again, a second later): player (to keep the player, or to erase), ticket, log, room_code, session, player, seat,
 * waiting, rating, idempotency, counter, audit_head, revision, event_head. Those at the end are a tenant's only
 * ones: who has them should be about to commit.
 */
export interface Tx extends Sql {
  /** Who writes: the id of this process's life, which the rows bear that it holds. */
  readonly node: string;
  /** Gathers an event. All of them are written last, in the same transaction. */
  emit(event: CommitEvent): void;
  /** Those in use for the audit's chains. */
  auditKeys(): readonly AuditKey[];
  /**
   * Those of the players who are connected to any node, by `presenceKey`. The databases differ here: the one process
   * that serves from SQLite has it in memory, nodes that share PostgreSQL in tables that last as long as a lease.
   */
  connected(players: readonly ModePlayer[]): Promise<ReadonlySet<string>>;
}

export interface Script<Ask, Answer> {
  /** By it the writer's thread knows the script. */
  readonly name: string;
  /**
   * Answers each ask, in their order, as if they came one after the other: those that come at one time are done in
   * one transaction. It has no effect but through `tx`, as it may be run again from its beginning. An error of one
   * ask's data has each done alone; `Refused` has those done again that it does not name.
   */
  readonly act: (tx: Tx, asks: readonly Ask[]) => Promise<readonly Answer[]>;
  /** Parts asks where not all may stand in one transaction; `act` has those of one round. */
  rounds?(asks: readonly Ask[]): readonly (readonly Ask[])[];
  /** PostgreSQL gives each ask a transaction of its own: see `scriptOfOne`. */
  readonly isOfOne?: true;
  /** PostgreSQL runs one transaction of it at a time: two would wait for the same tenant's rows. */
  readonly isInTurn?: true;
  /**
   * Each of its statements may be a transaction of its own: what one of them did stands whatever becomes of the next,
   * and others come between them. PostgreSQL is not asked to begin one, nor to commit it: a third of the trips. It emits
   * no events and writes no audit.
   */
  readonly isLoose?: true;
}

/** Of a read whose rows are large, or that is asked for very often. */
export interface GatherLimits {
  /** So many statements may be under way at a time. */
  readonly lanes: number;
  /** For so many asks at most. */
  readonly batchMax: number;
}

/** What runs scripts. */
export interface Runner {
  /** Each statement by itself, outside of any transaction: for reads. */
  readonly sql: Sql;
  readonly dialect: Dialect;
  /** Lets others have their turn in the middle of a long read. */
  turn(): Promise<void>;
  /**
   * Makes a read of one out of a read of many, which answers each ask in their order. Where statements cross a wire,
   * those that come at one time are one statement.
   */
  gather<Ask, Answer>(
    read: (asks: readonly Ask[]) => Promise<readonly Answer[]>,
    limits?: GatherLimits,
  ): (ask: Ask) => Promise<Answer>;
  /**
   * Rejects when it failed or nobody can say whether it was done; with `StoreAway` when nothing can be done for now.
   * An ask is plain data, as it crosses to another thread.
   */
  write<Ask, Answer>(script: Script<Ask, Answer>, ask: Ask): Promise<Answer>;
}

/**
 * A script whose asks are done one after the other. It locks rows in order within an ask, not from one ask to the
 * next: two such transactions would deadlock, so PostgreSQL has one for each ask.
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
