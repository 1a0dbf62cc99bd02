/** Runs scripts in SQLite: reads beside the writer, writes on its thread. */

import type { DatabaseSync } from 'node:sqlite';
import { loopTurn } from '../loop-turn.ts';
import type { Runner } from '../scripts/script.ts';
import { SQLITE } from './dialect.ts';
import type { GroupCommit } from './group-commit.ts';
import { makeSql } from './script-sql.ts';
import { makeStatements } from './statements.ts';

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
