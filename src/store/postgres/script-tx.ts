/** What scripts ask by in PostgreSQL. */

import type { Sql, Tx } from '../scripts/script.ts';
import { findPresent } from './presence.ts';
import type { Bind, Sql as Connection, Tx as Transaction } from './sql.ts';

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

export function scriptSql(sql: Connection, bind: Bind): Sql {
  return {
    all: (text, values = {}) => sql.all(...bind(text, values)),
    get: (text, values = {}) => sql.get(...bind(text, values)),
    run: (text, values = {}) => sql.run(...bind(text, values)),
  };
}
