/** Runs scripts in PostgreSQL: parallel asks of one script share a transaction if they may. */

import type { Runner, Script } from '../scripts/shared/script.ts';
import { loopTurn } from '../shared/loop-turn.ts';
import { scriptSql } from './commits/script-tx.ts';
import { doAll, makeGathered, makeTogether } from './commits/together.ts';
import type { Database } from './connect/database.ts';
import { POSTGRES } from './connect/dialect.ts';

/** Parallel transactions per script: more would wait for the same tenant's rows. */
const TOGETHER = { lanes: 2, batchMax: 128 } as const;
const IN_TURN = { ...TOGETHER, lanes: 1 } as const;
/**
 * For a read: each lobby that connects asks once, and after a node dies all of its lobbies ask at
 * the same time.
 */
const GATHERED = { lanes: 2, batchMax: 64 } as const;

type Write = (ask: never) => Promise<never>;

export function makeRunner(db: Database): Runner {
  const writes = new Map<string, Write>();
  const makeWrite = <Ask, Answer>(script: Script<Ask, Answer>) =>
    script.isOfOne
      ? async (ask: Ask) => (await doAll(db, script, [ask]))[0]!
      : makeTogether(db, script.isInTurn ? IN_TURN : TOGETHER, script);
  const writeOf = <Ask, Answer>(script: Script<Ask, Answer>) => {
    const made = makeWrite(script);
    writes.set(script.name, made as unknown as Write);
    return made;
  };
  return {
    sql: scriptSql(db, db.bind),
    dialect: POSTGRES,
    turn: loopTurn,
    gather: (read, limits = GATHERED) => makeGathered(limits, read),
    write<Ask, Answer>(script: Script<Ask, Answer>, ask: Ask): Promise<Answer> {
      const known = writes.get(script.name) as unknown as
        | ((ask: Ask) => Promise<Answer>)
        | undefined;
      return (known ?? writeOf(script))(ask);
    },
  };
}
