/** Runs scripts in SQLite: reads beside the writer, writes on its thread. */

import type { DatabaseSync } from 'node:sqlite';
import type { Runner } from '../scripts/shared/script.ts';
import { loopTurn } from '../shared/loop-turn.ts';
import { SQLITE } from './sql/dialect.ts';
import { makeSql } from './sql/script-sql.ts';
import { makeStatements } from './sql/statements.ts';
import type { GroupCommit } from './writer/group-commit.ts';

/** `reads`: a connection that only reads. `clock`: what `now_ms()` is there. */
export function makeRunner(
  writer: Pick<GroupCommit, 'script'>,
  reads: DatabaseSync,
  clock?: () => number,
): Runner {
  return {
    sql: makeSql(makeStatements(reads), clock),
    dialect: SQLITE,
    turn: loopTurn,
    gather: (read) => async (ask) => (await read([ask]))[0]!,
    write: (script, ask) => writer.script(script.name, ask) as never,
  };
}
