/** Statements on a pool of connections, and transactions with a known result. */

import type pg from 'pg';
import type { AuditKey } from '../../../accounts/audit-key.ts';
import type { EventWorld } from '../../../events/event.ts';
import { StoreUnavailable } from '../../shared/store-unavailable.ts';
import { isHindered, isRefusal, isUndone, openPool, type PoolOptions } from './connection.ts';
import { makeBinder } from './dialect.ts';
import { type Head, makeEventGatherer } from './event-append.ts';
import {
  type Bind,
  CommitUnknown,
  type Row,
  type Sql,
  type Transactor,
  type Tx,
  type Value,
} from './sql.ts';

/** The most attempts for a transaction that the database rolled back. */
const ATTEMPTS_MAX = 12;
/** The wait before a retry, multiplied by the attempts so far: in milliseconds. */
const RETRY_MS = 5;

export type HeadListener = (world: EventWorld, head: number) => void;

export interface DatabaseOptions extends PoolOptions {
  /** Called after each commit that added to an event log, with its last position. */
  readonly onHead: HeadListener;
  /** The id of this process's run, stored in the rows that it owns; none if it owns nothing. */
  readonly node?: string;
  /** The keys in use for the audit chains (default: none). */
  readonly auditKeys?: () => readonly AuditKey[];
}

export interface Database extends Sql, Transactor {
  /** As in its transactions. */
  readonly node: string;
  readonly bind: Bind;
  /** Waits for running calls. */
  close(): Promise<void>;
}

/** Connections are opened on demand. */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = openPool(options);
  const nameOf = makeNames();
  const { node = '', auditKeys = () => [] } = options;
  const tools = { node, auditKeys, bind: makeBinder() };
  const alone = <T>(run: (sql: Sql) => Promise<T>): Promise<T> =>
    retried(() => withConnection(pool, nameOf, ({ sql }) => run(sql)));
  return {
    node,
    bind: tools.bind,
    all: (text, ...values) => alone((sql) => sql.all(text, ...values)),
    get: (text, ...values) => alone((sql) => sql.get(text, ...values)),
    run: (text, ...values) => alone((sql) => sql.run(text, ...values)),
    async transaction(run) {
      const { result, heads } = await retried(() =>
        withConnection(pool, nameOf, (connection) => transact(connection, tools, run)),
      );
      for (const { world, head } of heads) options.onHead(world, head);
      return result;
    },
    close: () => pool.end(),
  };
}

async function retried<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await run();
    } catch (error) {
      if (!isUndone(error) || tries >= ATTEMPTS_MAX)
        throw isHindered(error) ? toAway(error) : error;
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS * tries));
  }
}

/** Maps texts of statements to the names of their prepared statements. */
function makeNames(): (text: string) => string {
  const names = new Map<string, string>();
  return (text) => {
    let name = names.get(text);
    if (name === undefined) {
      name = `s${names.size + 1}`;
      names.set(text, name);
    }
    return name;
  };
}

/** A connection in use. */
interface Connection {
  readonly sql: Sql;
  /** Runs a command that is not prepared. Returns the server's tag for it. */
  control(text: 'BEGIN' | 'COMMIT' | 'ROLLBACK'): Promise<string>;
  /** It did not answer properly: it is not used again, whatever it is doing. */
  isBroken(): boolean;
}

async function withConnection<T>(
  pool: pg.Pool,
  nameOf: (text: string) => string,
  run: (connection: Connection) => Promise<T>,
): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw toAway(error);
  });
  let isBroken = false;
  // Without a listener, an error on an idle connection would end the process.
  const onError = (): void => {
    isBroken = true;
  };
  client.on('error', onError);
  const ask = async (query: string | pg.QueryConfig): Promise<pg.QueryResult<Row>> => {
    try {
      return await client.query<Row>(query);
    } catch (error) {
      if (isRefusal(error)) throw error;
      isBroken = true;
      throw isUndone(error) ? error : toAway(error);
    }
  };
  try {
    return await run({
      sql: makeSql((text, values) => ask({ name: nameOf(text), text, values })),
      control: async (text) => (await ask(text)).command,
      isBroken: () => isBroken,
    });
  } finally {
    client.off('error', onError);
    client.release(isBroken);
  }
}

function toAway(error: unknown): StoreUnavailable {
  return new StoreUnavailable(error instanceof Error ? error.message : String(error), {
    cause: error,
  });
}

function makeSql(ask: (text: string, values: Value[]) => Promise<pg.QueryResult<Row>>): Sql {
  return {
    all: async (text, ...values) => (await ask(text, values)).rows,
    get: async (text, ...values) => (await ask(text, values)).rows[0],
    run: async (text, ...values) => (await ask(text, values)).rowCount ?? 0,
  };
}

interface Transacted<T> {
  readonly result: T;
  readonly heads: readonly Head[];
}

async function transact<T>(
  connection: Connection,
  tools: Pick<Tx, 'node' | 'auditKeys' | 'bind'>,
  run: (tx: Tx) => Promise<T>,
): Promise<Transacted<T>> {
  const events = makeEventGatherer();
  let done: Transacted<T>;
  try {
    await connection.control('BEGIN');
    const result = await run({ ...connection.sql, emit: events.add, ...tools });
    done = { result, heads: await events.write(connection.sql) };
  } catch (error) {
    // A broken one is closed, and the server rolls back what was not committed.
    if (!connection.isBroken()) await connection.control('ROLLBACK').catch(() => {});
    throw error;
  }
  await commit(connection);
  return done;
}

async function commit(connection: Connection): Promise<void> {
  let answer: string;
  try {
    answer = await connection.control('COMMIT');
  } catch (error) {
    if (isRefusal(error)) throw error;
    throw new CommitUnknown(`nobody can say the result of a commit: ${String(error)}`);
  }
  if (answer !== 'COMMIT') throw new Error('a transaction with an error in it was undone');
}
