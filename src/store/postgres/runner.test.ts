/** Which asks of a script share a transaction. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { freshDatabase, isPostgresHere } from '../../testing/servers/postgres.ts';
import { type Runner, type Script, scriptOfOne, type Tx } from '../scripts/shared/script.ts';
import { type Database, openDatabase } from './connect/database.ts';
import { makeRunner } from './runner.ts';

const ASKS = 40;

async function idOf(tx: Tx): Promise<string> {
  const row = await tx.get('SELECT pg_current_xact_id()::text AS id');
  return String(row?.['id']);
}

describe.skipIf(!isPostgresHere())('scripts in PostgreSQL', () => {
  let db: Database;
  let runner: Runner;
  beforeAll(async () => {
    db = openDatabase({ url: await freshDatabase(), max: 8, name: 'test', onHead: () => {} });
    runner = makeRunner(db);
  }, 60_000);
  afterAll(() => db?.close());

  const writeAll = <Answer>(script: Script<number, Answer>) =>
    Promise.all(Array.from({ length: ASKS }, (_, i) => runner.write(script, i)));

  test('[STORE-PG7] asks of a `scriptOfOne` share no transaction: they lock rows in no common order', async () => {
    const answers = await writeAll(
      scriptOfOne('one', async (tx, ask: number) => ({ ask, id: await idOf(tx) })),
    );
    expect(answers.map(({ ask }) => ask)).toEqual(Array.from({ length: ASKS }, (_, i) => i));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(ASKS);
  });

  test('[STORE-PG7] parallel asks of other scripts share one', async () => {
    const answers = await writeAll({
      name: 'many',
      async act(tx, asks: readonly number[]) {
        const id = await idOf(tx);
        return asks.map((ask) => ({ ask, id }));
      },
    });
    expect(answers.map(({ ask }) => ask)).toEqual(Array.from({ length: ASKS }, (_, i) => i));
    expect(new Set(answers.map(({ id }) => id)).size).toBeLessThan(ASKS / 4);
  });
});
