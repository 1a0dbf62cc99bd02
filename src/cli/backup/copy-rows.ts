/** One table from SQLite into PostgreSQL: read in order, written in batches, read back and compared. */

import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Sql, Tx, Value } from '../../store/postgres/connect/sql.ts';
import type { Table } from '../../store/schema/tables.ts';

/** What there was to copy, the same on both sides. */
export interface Copied {
  readonly table: string;
  readonly rows: number;
  /** Hex, of all values of all rows in order. */
  readonly sha256: string;
}

/** A column as PostgreSQL has it; `type` is its own short name, e.g. `int8`. */
interface Column {
  readonly name: string;
  readonly type: string;
}

type Cell = string | number | boolean | null;

const BATCH_ROWS = 1_000;
/** Of text in a batch, about: some rows are large. */
const BATCH_CHARS = 4_000_000;

/**
 * Calls `onRows` with the number of written rows. Rejects when the content of PostgreSQL afterwards
 * differs from what was read in SQLite.
 */
export async function copyTable(
  tx: Tx,
  db: DatabaseSync,
  table: Table,
  onRows: (done: number, of: number) => void,
): Promise<Copied> {
  const columns = await columnsOf(tx, table);
  const [source, target] = [makeTally(), makeTally()];
  const write = makeBatches(tx, table.name, columns);
  const all = Number(db.prepare(`SELECT count(*) AS n FROM "${table.name}"`).get()?.['n']);
  let done = 0;
  for (const row of readSource(db, table, columns)) {
    source.add(row);
    await write.add(row);
    done += 1;
    onRows(done, all);
  }
  await write.flush();
  for await (const row of readTarget(tx, table, columns)) target.add(row);
  const [read, kept] = [source.end(), target.end()];
  if (read.rows !== kept.rows || read.sha256 !== kept.sha256) {
    throw new Error(
      `${read.rows} rows were read, and ${kept.rows} that are not the same were kept`,
    );
  }
  return { table: table.name, ...read };
}

async function columnsOf(sql: Sql, { name }: Table): Promise<readonly Column[]> {
  const rows = await sql.all(
    `SELECT column_name, udt_name FROM information_schema.columns
     WHERE table_schema = current_schema() AND table_name = $1 ORDER BY ordinal_position`,
    name,
  );
  return rows.map((row) => ({ name: String(row['column_name']), type: String(row['udt_name']) }));
}

function* readSource(
  db: DatabaseSync,
  { name, key }: Table,
  columns: readonly Column[],
): Generator<readonly Cell[]> {
  const fields = quoted(columns.map((column) => column.name));
  const sql = `SELECT ${fields} FROM "${name}" ORDER BY ${quoted(key)}`;
  for (const row of db.prepare(sql).iterate()) {
    yield columns.map((column) => cellOf(column.type, row[column.name]));
  }
}

async function* readTarget(
  tx: Tx,
  { name, key }: Table,
  columns: readonly Column[],
): AsyncGenerator<readonly Cell[]> {
  const fields = quoted(columns.map((column) => column.name));
  const cursor = `copied_${name}`;
  await tx.run(
    `DECLARE ${cursor} NO SCROLL CURSOR FOR SELECT ${fields} FROM "${name}" ORDER BY ${quoted(key)}`,
  );
  for (;;) {
    const rows = await tx.all(`FETCH ${BATCH_ROWS} FROM ${cursor}`);
    for (const row of rows) yield columns.map((column) => cellOf(column.type, row[column.name]));
    if (rows.length < BATCH_ROWS) break;
  }
  await tx.run(`CLOSE ${cursor}`);
}

/** The same for what either database answers: SQLite's truth is a number, bytes are hex. */
function cellOf(type: string, value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (type === 'bool') return Boolean(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (typeof value === 'number' || typeof value === 'string') return value;
  throw new Error(`a value of type ${typeof value} where ${type} was expected`);
}

interface Batches {
  add(row: readonly Cell[]): Promise<void>;
  flush(): Promise<void>;
}

function makeBatches(tx: Tx, table: string, columns: readonly Column[]): Batches {
  const sql = insertSql(table, columns);
  let rows: (readonly Cell[])[] = [];
  let chars = 0;
  const flush = async (): Promise<void> => {
    if (rows.length === 0) return;
    const batch = rows;
    [rows, chars] = [[], 0];
    const lists: Value[] = columns.map((_, i) => batch.map((row) => row[i]!));
    await tx.run(sql, ...lists);
  };
  return {
    flush,
    async add(row) {
      rows.push(row);
      for (const cell of row) chars += typeof cell === 'string' ? cell.length : 0;
      if (rows.length >= BATCH_ROWS || chars >= BATCH_CHARS) await flush();
    },
  };
}

function insertSql(table: string, columns: readonly Column[]): string {
  const names = columns.map(({ name }) => name);
  const lists = columns.map(({ type }, i) => `$${i + 1}::${type === 'bytea' ? 'text' : type}[]`);
  const values = columns.map(({ name, type }) =>
    type === 'bytea' ? `decode("${name}", 'hex')` : `"${name}"`,
  );
  return `INSERT INTO "${table}" (${quoted(names)}) SELECT ${values.join(', ')}
    FROM unnest(${lists.join(', ')}) AS given (${quoted(names)})`;
}

function makeTally() {
  const hash = createHash('sha256');
  let rows = 0;
  return {
    add(row: readonly Cell[]): void {
      rows += 1;
      hash.update(`${JSON.stringify(row)}\n`);
    },
    end: () => ({ rows, sha256: hash.digest('hex') }),
  };
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}
