/** Runs scripts in PostgreSQL: those that are asked for at one time in one transaction. */

import type { Runner, Script, Sql, Tx } from '../scripts/script.ts';
import type { Database } from './database.ts';
import { makeBinder } from './dialect.ts';
import type { Sql as Connection, Tx as Transaction } from './sql.ts';
import { makeTogether } from './together.ts';

/** Of one script so many transactions at a time: more would wait for the same tenant's rows. */
const TOGETHER = { lanes: 2, batchMax: 128 } as const;

type Write = (ask: never) => Promise<never>;

export function makeRunner(db: Database): Runner {
  const bind = makeBinder();
  const over = (sql: Connection): Sql => ({
    all: (text, values = {}) => sql.all(...bind(text, values)),
    get: (text, values = {}) => sql.get(...bind(text, values)),
    run: (text, values = {}) => sql.run(...bind(text, values)),
  });
  const within = (tx: Transaction): Tx => ({
    ...over(tx),
    emit: tx.emit,
    auditKeys: tx.auditKeys,
  });
  const writes = new Map<string, Write>();
  const makeWrite = <Ask, Answer>({ act, isOfOne }: Script<Ask, Answer>) => {
    const perform = (tx: Transaction, asks: readonly Ask[]) => act(within(tx), asks);
    if (isOfOne !== true) return makeTogether<Ask, Answer>(db, TOGETHER, perform);
    return async (ask: Ask): Promise<Answer> => {
      const [answer] = await db.transaction((tx) => perform(tx, [ask]));
      return answer as Answer;
    };
  };
  const writeOf = <Ask, Answer>(script: Script<Ask, Answer>) => {
    const made = makeWrite(script);
    writes.set(script.name, made as unknown as Write);
    return made;
  };
  return {
    sql: over(db),
    write<Ask, Answer>(script: Script<Ask, Answer>, ask: Ask): Promise<Answer> {
      const known = writes.get(script.name) as unknown as
        | ((ask: Ask) => Promise<Answer>)
        | undefined;
      return (known ?? writeOf(script))(ask);
    },
  };
}
