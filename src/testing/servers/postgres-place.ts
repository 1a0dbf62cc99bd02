/** A database on the test server for the cases of a contract. */

import pg from 'pg';

/** Tables of a new database that have rows, which are kept when it is emptied. */
const KEPT: readonly string[] = ['matchd_migration', 'revision'];

export interface EmptyingDatabase {
  /** Removes every row: much faster than a new database for each case. */
  empty(): Promise<void>;
  /** Every text in every table. */
  dump(): Promise<readonly string[]>;
  rows<T extends pg.QueryResultRow>(sql: string): Promise<readonly T[]>;
  close(): Promise<void>;
}

export async function openEmptying(url: string): Promise<EmptyingDatabase> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const tables = async (): Promise<string[]> => {
    const { rows } = await client.query<{ tablename: string }>(
      'SELECT tablename FROM pg_tables WHERE schemaname = current_schema()',
    );
    return rows.map(({ tablename }) => tablename);
  };
  return {
    rows: async <T extends pg.QueryResultRow>(sql: string) => (await client.query<T>(sql)).rows,
    async dump() {
      const texts: string[] = [];
      for (const name of await tables()) {
        const { rows } = await client.query<Record<string, unknown>>(`SELECT * FROM "${name}"`);
        for (const value of rows.flatMap((row) => Object.values(row))) {
          if (typeof value === 'string') texts.push(value);
        }
      }
      return texts;
    },
    async empty() {
      const names = (await tables()).filter((name) => !KEPT.includes(name));
      const removals = names.map((name) => `DELETE FROM "${name}"`);
      await client.query([...removals, 'UPDATE revision SET n = 0'].join('; '));
    },
    close: () => client.end(),
  };
}
