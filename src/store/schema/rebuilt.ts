/** Rebuilds a SQLite table that ALTER TABLE cannot change. */

/** Statements that rebuild it with the same rows. Its remaining indexes are dropped with the old table. */
export function rebuilt(
  table: string,
  definition: string,
  columns: string,
  kind = 'STRICT, WITHOUT ROWID',
): readonly string[] {
  return [
    `ALTER TABLE ${table} RENAME TO ${table}_before`,
    `CREATE TABLE ${table} (${definition}) ${kind}`,
    `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM ${table}_before`,
    `DROP TABLE ${table}_before`,
  ];
}
