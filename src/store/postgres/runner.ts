/** Runs scripts in PostgreSQL: asks of one script that come at one time in one transaction, where it may be. */

import type { Runner, Script, Sql, Tx } from '../scripts/script.ts';
import type { Database } from './database.ts';
import { makeBinder, POSTGRES } from './dialect.ts';
import { findPresent } from './presence.ts';
import type { Bind, Sql as Connection, Tx as Transaction } from './sql.ts';
import { makeGathered, makeTogether } from './together.ts';

/** Of one script so many transactions at a time: more would wait for the same tenant's rows. */
const TOGETHER = { lanes: 2, batchMax: 128 } as const;
/** Of one read: each lobby that connects asks once, and after a node is gone all of its lobbies do so at one time. */
const GATHERED = { lanes: 2, batchMax: 64 } as const;

type Write = (ask: never) => Promise<never>;

/** A transaction as scripts know it. */
export function scriptTx(tx: Transaction): Tx {
  return {
    ...scriptSql(tx, tx.bind),
    node: tx.node,
    emit: tx.emit,
    auditKeys: tx.auditKeys,
    connected: (players) => findPresent(tx, players),
  };
}

function scriptSql(sql: Connection, bind: Bind): Sql {
  return {
    all: (text, values = {}) => sql.all(...bind(text, values)),
    get: (text, values = {}) => sql.get(...bind(text, values)),
    run: (text, values = {}) => sql.run(...bind(text, values)),
  };
}

export function makeRunner(db: Database): Runner {
  const writes = new Map<string, Write>();
  const makeWrite = <Ask, Answer>({ act, isOfOne }: Script<Ask, Answer>) =>
    isOfOne
      ? (ask: Ask) => db.transaction(async (tx) => (await act(scriptTx(tx), [ask]))[0]!)
      : makeTogether<Ask, Answer>(db, TOGETHER, (tx, asks) => act(scriptTx(tx), asks));
  const writeOf = <Ask, Answer>(script: Script<Ask, Answer>) => {
    const made = makeWrite(script);
    writes.set(script.name, made as unknown as Write);
    return made;
  };
  return {
    sql: scriptSql(db, makeBinder()),
    dialect: POSTGRES,
    gather: (read) => makeGathered(GATHERED, read),
    write<Ask, Answer>(script: Script<Ask, Answer>, ask: Ask): Promise<Answer> {
      const known = writes.get(script.name) as unknown as
        | ((ask: Ask) => Promise<Answer>)
        | undefined;
      return (known ?? writeOf(script))(ask);
    },
  };
}
