/** What scripts ask by in SQLite: every statement is answered at once. */

import { presenceKey } from '../../rows/presence-key.ts';
import { findPresent } from '../../scripts/cluster/presence.ts';
import type { Sql, Tx } from '../../scripts/shared/script.ts';
import { ALONE } from '../../shared/alone.ts';
import { type Binder, makeBinder } from './dialect.ts';
import type { Statements, WriterTools } from './statements.ts';

export interface TxOptions {
  /** Who writes: the one process that serves (default), or one of several nodes. */
  readonly node?: string | undefined;
  /** What `now_ms()` is (default: the machine's). */
  readonly clock?: (() => number) | undefined;
  /** Where several write on one connection: what each statement comes to is kept for all of them. */
  readonly bind?: Binder | undefined;
}

/** What a script is handed inside the writer's transaction. */
export function makeTx(tools: WriterTools, { node = ALONE, clock, bind }: TxOptions = {}): Tx {
  const sql = makeSql(tools, clock, bind);
  return {
    ...sql,
    node,
    emit: tools.emit,
    auditKeys: () => tools.auditKeys.keys,
    connected: async (players) =>
      node === ALONE
        ? new Set(players.map(presenceKey).filter((key) => tools.present.has(key)))
        : findPresent(sql, players),
  };
}

/** `clock`: what `now_ms()` is (default: the machine's). */
export function makeSql(
  statements: Pick<Statements, 'all' | 'get' | 'run'>,
  clock?: () => number,
  bind: Binder = makeBinder(clock),
): Sql {
  return {
    async all(text, values = {}) {
      const { text: bound, runs, returned } = bind(text, values);
      if (returned !== undefined) {
        return runs.flatMap((run, i) => (statements.run(bound, ...run) > 0 ? [returned(i)] : []));
      }
      if (runs.length === 1) return statements.all(bound, ...runs[0]!);
      return runs.flatMap((run) => statements.all(bound, ...run));
    },
    async get(text, values = {}) {
      const { text: bound, runs, returned } = bind(text, values);
      if (runs.length === 0) return undefined;
      if (returned === undefined) return statements.get(bound, ...runs[0]!);
      return statements.run(bound, ...runs[0]!) > 0 ? returned(0) : undefined;
    },
    async run(text, values = {}) {
      const { text: bound, runs } = bind(text, values);
      let changes = 0;
      if (bound !== '') for (const run of runs) changes += statements.run(bound, ...run);
      return changes;
    },
  };
}
