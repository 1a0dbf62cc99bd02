/** Scripts' statements in PostgreSQL. */

import { findPresent } from '../../scripts/cluster/presence.ts';
import type { Sql, Tx } from '../../scripts/shared/script.ts';
import type { Bind, Sql as Connection, Tx as Transaction } from '../connect/sql.ts';

/** Runs statements that need no transaction. */
export type Loose = Connection & Pick<Transaction, 'node' | 'bind'>;

/** A transaction in the form that scripts use. */
export function scriptTx(tx: Transaction): Tx {
  const sql = scriptSql(tx, tx.bind);
  return {
    ...sql,
    node: tx.node,
    emit: tx.emit,
    auditKeys: tx.auditKeys,
    connected: (players) => findPresent(sql, players),
  };
}

/** Only statements, each in its own transaction: for loose scripts. */
export function looseTx(db: Loose): Tx {
  const sql = scriptSql(db, db.bind);
  return {
    ...sql,
    node: db.node,
    emit: refuse,
    auditKeys: refuse,
    connected: (players) => findPresent(sql, players),
  };
}

function refuse(): never {
  throw new Error('a loose script has no transaction for that');
}

export function scriptSql(sql: Connection, bind: Bind): Sql {
  return {
    all: (text, values = {}) => sql.all(...bind(text, values)),
    get: (text, values = {}) => sql.get(...bind(text, values)),
    run: (text, values = {}) => sql.run(...bind(text, values)),
  };
}
