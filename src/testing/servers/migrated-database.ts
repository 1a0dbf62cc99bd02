/** Databases with all tables, as copies of one: creating the tables takes ten times as long. */

import { openDatabase } from '../../store/postgres/connect/database.ts';
import { migrate } from '../../store/postgres/migrate.ts';
import { type PostgresServer, sharedPostgres } from './postgres.ts';

let template: Promise<string> | null = null;

/** A new database on the server of this process, with all tables and no rows. */
export async function migratedDatabase(): Promise<string> {
  const server = await sharedPostgres();
  template ??= makeTemplate(server);
  return await server.createDatabase(await template);
}

/** The URL of a database that nobody connects to: only then can it be copied. */
async function makeTemplate(server: PostgresServer): Promise<string> {
  const url = await server.createDatabase();
  const db = openDatabase({ url, max: 1, name: 'template', onHead: () => {}, isPatient: true });
  await migrate(db);
  await db.close();
  return url;
}
