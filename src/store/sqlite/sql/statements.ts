/** What the writer's operations write with. */

import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { CommitEvent } from '../../../events/event.ts';
import type { AuditKeysInUse } from '../../audit-keys.ts';

/** Runs a statement that was prepared when it was first needed. */
export interface Statements {
  run(sql: string, ...values: SQLInputValue[]): number;
  get(sql: string, ...values: SQLInputValue[]): Record<string, SQLInputValue> | undefined;
  all(sql: string, ...values: SQLInputValue[]): Record<string, SQLInputValue>[];
}

/** What an operation writes with: statements, and events that go into the same transaction. */
export interface WriterTools extends Statements {
  emit(event: CommitEvent): void;
  /** Of the audit's chains: in memory alone. */
  readonly auditKeys: AuditKeysInUse;
  /** Who is connected: `presenceKey`s. In memory alone, and not undone with a transaction. */
  readonly present: Set<string>;
}

export function makeStatements(db: DatabaseSync): Statements {
  const prepared = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    let statement = prepared.get(sql);
    if (statement === undefined) {
      statement = db.prepare(sql);
      prepared.set(sql, statement);
    }
    return statement;
  };
  return {
    run: (sql, ...values) => Number(prepare(sql).run(...values).changes),
    get: (sql, ...values) => prepare(sql).get(...values) as never,
    all: (sql, ...values) => prepare(sql).all(...values) as never,
  };
}
