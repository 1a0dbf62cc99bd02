/**
 * `matchd migrate --from sqlite://… --to postgres://…`: moves all data of one machine to a database
 * for several nodes.
 */

import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { databaseFile, SETTINGS } from '../../config.ts';
import { SEALING_KEY_FILE } from '../../runtime/sealing/sealing-key.ts';
import { parseStoreUrl } from '../../setting-values.ts';
import { type Database, openDatabase } from '../../store/postgres/connect/database.ts';
import { checkSettings } from '../../store/postgres/connect/settings.ts';
import { CommitUnknown, type Tx } from '../../store/postgres/connect/sql.ts';
import { migrate } from '../../store/postgres/migrate.ts';
import { placeOf } from '../../store/postgres/place.ts';
import { TABLES } from '../../store/schema/tables.ts';
import { pendingMigrations } from '../../store/sqlite/file/migrate.ts';
import { stopTheService } from '../../store/sqlite/file/serve-lock.ts';
import { faultOf, openExclusively } from '../../store/sqlite/file/snapshot.ts';
import { type Answer, failed, isRefusal, type Refusal, wrongUsage } from '../terminal/answer.ts';
import type { Progress } from '../terminal/progress.ts';
import { type Copied, copyTable } from './copy-rows.ts';

export interface CopyOptions {
  readonly from: string;
  readonly to: string;
  /** The server's settings may allow it to lose committed data. */
  readonly isUnsafeAllowed: boolean;
}

/** Nothing but reading and writing, one statement at a time. */
const CONNECTIONS = 1;

export async function copyStore(options: CopyOptions, say: Progress): Promise<Answer> {
  const file = parseSource(options.from);
  if (typeof file !== 'string') return file;
  // Without a name of a database the driver would take the one that is called like the user.
  if (parseStoreUrl(options.to) === undefined) {
    return wrongUsage(`--to expects ${SETTINGS.store.expects}`);
  }
  say(`checking ${file}`);
  const fault = faultAt(file);
  if (fault !== null) return failed(`${file} cannot be copied: ${fault}`);
  const source = hold(file);
  if (isRefusal(source)) return source;
  const place = placeOf(options.to);
  const target = openDatabase({
    url: options.to,
    max: CONNECTIONS,
    name: 'matchd migrate',
    onHead: () => {},
  });
  try {
    return await copyAll(source, target, { file, place, say, ...options });
  } catch (error) {
    const { message } = error as Error;
    return error instanceof CommitUnknown
      ? failed(`${place}: ${message}. Run it again: it is refused if everything was copied.`)
      : failed(`${place}: ${message}. Nothing was copied.`);
  } finally {
    await target.close();
    source.close();
  }
}

/** `sqlite://` and a file, from the root or from the folder one is in. */
function parseSource(from: string): string | Refusal {
  const [, file = ''] = /^sqlite:\/\/(.+)$/.exec(from) ?? [];
  return file === ''
    ? wrongUsage('--from expects sqlite://FILE, e.g. sqlite:///var/lib/matchd/matchd.db')
    : path.resolve(file);
}

function faultAt(file: string): string | null {
  const kind = statSync(file, { throwIfNoEntry: false });
  if (kind === undefined) return 'it does not exist';
  return kind.isDirectory()
    ? `it is a folder: name the file in it, e.g. sqlite://${databaseFile(file)}`
    : faultOf(file);
}

/** Locked so that no service starts on it meanwhile, whose moves would not be copied. */
function hold(file: string): DatabaseSync | Refusal {
  const held = openExclusively(file);
  if (held === 'in use') return failed(stopTheService(file));
  if (held === 'damaged') return failed(`${file} cannot be read`);
  const pending = pendingMigrations(held);
  if (pending.length === 0) return held;
  held.close();
  return failed(`${file} is from an older version: run matchd migrate on it first`);
}

interface Job extends CopyOptions {
  readonly file: string;
  readonly place: string;
  readonly say: Progress;
}

async function copyAll(source: DatabaseSync, target: Database, job: Job): Promise<Answer> {
  const startedAt = performance.now();
  await checkSettings(target, job.isUnsafeAllowed);
  await migrate(target);
  const copied = await target.transaction(async (tx) => {
    // A service that starts on it now waits for this, and then finds all that was copied.
    await tx.run('LOCK TABLE matchd_migration IN EXCLUSIVE MODE');
    const full = await tablesWithRows(tx);
    if (full.length > 0) throw new Error(`it is not empty (${full.join(', ')})`);
    const done: Copied[] = [];
    for (const table of TABLES.filter(({ isPassing }) => !isPassing)) {
      const { name } = table;
      const copying = `copying ${name}`;
      job.say(copying);
      const tell = (rows: number, of: number) => job.say(copying, { done: rows, of, unit: 'rows' });
      done.push(await copyTable(tx, source, table, tell).catch((error) => failIn(name, error)));
      // Else the server plans for empty tables until it counts the rows by itself, a minute later or never.
      await tx.run(`ANALYZE "${name}"`);
    }
    return done;
  });
  return report(job, copied, Math.round(performance.now() - startedAt));
}

function failIn(table: string, error: unknown): never {
  throw new Error(`${table}: ${(error as Error).message}`, { cause: error });
}

async function tablesWithRows(tx: Tx): Promise<readonly string[]> {
  const rows = await tx.all(
    'SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename',
  );
  const full: string[] = [];
  for (const name of rows.map((row) => String(row['tablename']))) {
    if (name === 'matchd_migration' || name === 'revision') continue;
    if ((await tx.get(`SELECT 1 FROM "${name}" LIMIT 1`)) !== undefined) full.push(name);
  }
  return full;
}

function report({ file, place }: Job, tables: readonly Copied[], tookMs: number): Answer {
  const rows = tables.reduce((sum, each) => sum + each.rows, 0);
  const hasSealingKey = existsSync(path.join(path.dirname(file), SEALING_KEY_FILE));
  const lines = [
    `${rows} rows of ${tables.length} tables copied into ${place} and compared, in ${(tookMs / 1_000).toFixed(1)} s.`,
    ...(hasSealingKey
      ? [`Every node needs the key in ${SEALING_KEY_FILE}: set it as MATCHD_SEALING_KEY.`]
      : []),
    `${file} is unchanged. Do not serve from it again: later changes there would be missing here.`,
  ];
  return {
    json: { from: file, to: place, rows, tookMs, hasSealingKey, tables },
    text: lines.join('\n'),
  };
}
