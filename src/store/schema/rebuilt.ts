/** A table of SQLite that has to be made again, as it cannot be altered so. */

/** Statements that make it with the same rows; what was left of its indexes goes with the old one. */
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
