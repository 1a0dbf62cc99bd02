/** The statements of the writer's operations. */

import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { CommitEvent } from '../../../events/event.ts';
import type { AuditKeysInUse } from '../../audit-keys.ts';

/** Runs statements, each prepared on first use. */
export interface Statements {
  run(sql: string, ...values: SQLInputValue[]): number;
  get(sql: string, ...values: SQLInputValue[]): Record<string, SQLInputValue> | undefined;
  all(sql: string, ...values: SQLInputValue[]): Record<string, SQLInputValue>[];
}

/** What an operation writes with: statements, and events for the same transaction. */
export interface WriterTools extends Statements {
  emit(event: CommitEvent): void;
  /** The keys of the audit chains: in memory only. */
  readonly auditKeys: AuditKeysInUse;
  /** Connected players, by `presenceKey`. In memory only, and not rolled back with a transaction. */
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
