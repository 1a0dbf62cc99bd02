/** Runs scripts in PostgreSQL: those that are asked for at one time in one transaction, if the script can. */

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
  const writeOf = <Ask, Answer>({ name, act, isOneByOne }: Script<Ask, Answer>) => {
    const alone = async (ask: Ask): Promise<Answer> =>
      (await db.transaction((tx) => act(within(tx), [ask])))[0]!;
    const made = isOneByOne
      ? alone
      : makeTogether<Ask, Answer>(db, TOGETHER, (tx, asks) => act(within(tx), asks));
    writes.set(name, made as unknown as Write);
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
