/** Brings a database file up to the newest schema. Safe to run at every start. */

import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { type Migration as KyselyMigration, Migrator } from 'kysely/migration';
import { MIGRATIONS } from './schema.ts';
import type { Tables } from './tables.ts';

/** Names of the migrations that were run now, in order. Throws when one fails; it is then undone. */
export async function migrate(db: Kysely<Tables>): Promise<readonly string[]> {
  const migrator = new Migrator({
    db,
    provider: {
      getMigrations: async () =>
        Object.fromEntries(MIGRATIONS.map(({ name, sql: texts }) => [name, toMigration(texts)])),
    },
  });
  const { error, results } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  return (results ?? []).map((result) => result.migrationName);
}

function toMigration(texts: readonly string[]): KyselyMigration {
  return {
    async up(db) {
      for (const text of texts) await sql.raw(text).execute(db);
    },
  };
}
