/** Runs scripts' statements in SQLite: every statement is answered synchronously. */

import { presenceKey } from '../../rows/presence-key.ts';
import { findPresent } from '../../scripts/cluster/presence.ts';
import type { Sql, Tx } from '../../scripts/shared/script.ts';
import { SINGLE_PROCESS } from '../../shared/single-process.ts';
import { type Binder, makeBinder } from './dialect.ts';
import type { Statements, WriterTools } from './statements.ts';

export interface TxOptions {
  /** The one process that serves (default), or one of several nodes. */
  readonly node?: string | undefined;
  /** The time for `now_ms()` (default: the machine's). */
  readonly clock?: (() => number) | undefined;
  /** For several writers on one connection: the cache of parsed statements is shared. */
  readonly bind?: Binder | undefined;
}

/** What a script gets inside the writer's transaction. */
export function makeTx(
  tools: WriterTools,
  { node = SINGLE_PROCESS, clock, bind }: TxOptions = {},
): Tx {
  const sql = makeSql(tools, clock, bind);
  return {
    ...sql,
    node,
    emit: tools.emit,
    auditKeys: () => tools.auditKeys.keys,
    connected: async (players) =>
      node === SINGLE_PROCESS
        ? new Set(players.map(presenceKey).filter((key) => tools.present.has(key)))
        : findPresent(sql, players),
  };
}

/** `clock`: the time for `now_ms()` (default: the machine's). */
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
