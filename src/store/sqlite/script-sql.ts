/** What scripts ask by in SQLite: every statement is answered at once. */

import { ALONE } from '../alone.ts';
import { presenceKey } from '../rows/presence-key.ts';
import type { Sql, Tx } from '../scripts/script.ts';
import { makeBinder } from './dialect.ts';
import type { Statements, WriterTools } from './statements.ts';

/** What a script is handed inside the writer's transaction. */
export function makeTx(tools: WriterTools): Tx {
  return {
    ...makeSql(tools),
    node: ALONE,
    emit: tools.emit,
    auditKeys: () => tools.auditKeys.keys,
    connected: async (players) =>
      new Set(players.map(presenceKey).filter((key) => tools.present.has(key))),
  };
}

export function makeSql(statements: Pick<Statements, 'all' | 'get' | 'run'>): Sql {
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
