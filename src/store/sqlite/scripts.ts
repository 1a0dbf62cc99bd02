/** Runs scripts in SQLite: reads beside the writer, writes on its thread, where every statement is answered at once. */

import type { DatabaseSync } from 'node:sqlite';
import type { Runner, Sql, Tx } from '../scripts/script.ts';
import { makeBinder } from './dialect.ts';
import type { GroupCommit } from './group-commit.ts';
import { makeStatements, type Statements, type WriterTools } from './statements.ts';

/** `reads`: a connection that only reads. */
export function makeRunner(writer: GroupCommit, reads: DatabaseSync): Runner {
  return {
    sql: over(makeStatements(reads)),
    write: (script, ask) => writer.script(script.name, ask) as never,
  };
}

/** What a script is handed inside the writer's transaction. */
export function makeTx(tools: WriterTools): Tx {
  return {
    ...over(tools),
    emit: tools.emit,
    auditKeys: () => tools.auditKeys.keys,
  };
}

function over(statements: Pick<Statements, 'all' | 'get' | 'run'>): Sql {
  const bind = makeBinder();
  return {
    async all(text, values = {}) {
      const bound = bind(text, values);
      return statements.all(bound.text, ...bound.values);
    },
    async get(text, values = {}) {
      const bound = bind(text, values);
      return statements.get(bound.text, ...bound.values);
    },
    async run(text, values = {}) {
      const bound = bind(text, values);
      return statements.run(bound.text, ...bound.values);
    },
  };
}
