/** Every row of a database except those of test mode: what no test key may change (rule K3). */

import type { DatabaseSync } from 'node:sqlite';
import { openDatabase } from '../../store/postgres/connect/database.ts';

export type Rows = readonly Readonly<Record<string, unknown>>[];
/** By table. */
export type Tables = ReadonlyMap<string, Rows>;

/** Tables about calls and the process, not about a call's changes. The audit has a row for every write. */
const OF_CALLS: ReadonlySet<string> = new Set([
  'audit',
  'audit_head',
  'request',
  'usage',
  'usage_now',
  'usage_peak',
  'key_usage',
  'node',
  'revision',
  'integrity_challenge',
  // When a login was last used.
  'login',
]);

/** A column that other rows refer to. */
const IDS = ['id', 'ref'] as const;

export function tablesOf(db: DatabaseSync): Tables {
  const named = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  return new Map(
    named.map(({ name }) => [
      String(name),
      db.prepare(`SELECT * FROM "${String(name)}"`).all() as Rows,
    ]),
  );
}

export interface TablesReader {
  read(): Promise<Tables>;
  close(): Promise<void>;
}

/** One connection for all reads: a new one takes longer than reading every table. */
export function openTablesReader(url: string): TablesReader {
  const db = openDatabase({ url, max: 1, name: 'test', onHead: () => {} });
  return {
    async read() {
      const named = await db.all(
        'SELECT tablename FROM pg_tables WHERE schemaname = current_schema()',
      );
      const tables = new Map<string, Rows>();
      for (const { tablename } of named) {
        tables.set(String(tablename), (await db.all(`SELECT * FROM ${String(tablename)}`)) as Rows);
      }
      return tables;
    },
    close: () => db.close(),
  };
}

/** What does not belong to test mode, one row per line, in order. */
export function liveLines(tables: Tables): readonly string[] {
  const testIds = new Set<unknown>();
  for (const row of [...tables.values()].flat()) {
    if (!isMarkedTest(row)) continue;
    for (const name of IDS) if (typeof row[name] === 'string') testIds.add(row[name]);
  }
  const isTest = (row: Rows[number]): boolean =>
    isMarkedTest(row) || Object.values(row).some((value) => testIds.has(value));
  return [...tables]
    .filter(([name]) => !OF_CALLS.has(name))
    .flatMap(([name, rows]) =>
      rows.filter((row) => !isTest(row)).map((row) => `${name} ${JSON.stringify(row)}`),
    )
    .sort();
}

/** A mode is a column of its own, or part of a counter's name. */
function isMarkedTest({ mode, world, name }: Rows[number]): boolean {
  return (
    mode === 'test' ||
    world === 'test' ||
    String(name ?? '')
      .split(':')
      .includes('test')
  );
}
