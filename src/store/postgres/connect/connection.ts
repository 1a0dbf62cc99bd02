/** Connections to the database: how they are opened, and what an error on one means. */

import pg from 'pg';
import { AnsweredBefore } from '../../shared/answered-before.ts';
import { StoreUnavailable } from '../../shared/store-unavailable.ts';

/** How long opening a connection may take, in milliseconds. */
const CONNECT_TIMEOUT_MS = 5_000;
/** After this timeout the connection is closed, and the result is unknown. */
const ANSWER_TIMEOUT_MS = 10_000;
/** A shorter timeout for row locks: the wait fails before the answer times out. */
const LOCK_TIMEOUT_MS = 8_000;
/** A node that stops during a transaction must not keep its locks. */
const IDLE_IN_TRANSACTION_MS = 5_000;
/** How often the server checks whether the client is still connected, in milliseconds. */
const CONNECTION_CHECK_MS = 2_000;

const INT8 = 20;
const NUMERIC = 1700;

/** Number types that the driver returns as texts. None of ours exceeds 2^53. */
const TYPES = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === INT8 || oid === NUMERIC) return Number;
    return pg.types.getTypeParser(oid, format as 'text');
  },
} as pg.CustomTypesConfig;

export interface PoolOptions {
  /** `postgres://…`. */
  readonly url: string;
  /** The maximum of connections. */
  readonly max: number;
  /** Shown in the server's list of connections. */
  readonly name: string;
  /** No timeout for answers: for migrations. Lock waits have the usual timeout. */
  readonly isPatient?: boolean;
}

export function openPool({ url, max, name, isPatient = false }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    application_name: name,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: isPatient ? undefined : ANSWER_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    // JIT-compiling a statement takes longer (0.4 s) than any of ours.
    options: `-c client_connection_check_interval=${CONNECTION_CHECK_MS} -c jit=off`,
    keepAlive: true,
    types: TYPES,
    onConnect: confirm,
  });
  // An idle connection was lost: the next caller gets a new one.
  pool.on('error', () => {});
  return pool;
}

/** Whether commits here wait for a standby. */
const HAS_STANDBY = `SELECT WHERE current_setting('synchronous_standby_names') <> ''
  AND NOT pg_is_in_recovery()`;
/** A commit without a change, allowed for any role and in a read-only session. */
const COMMIT_NOTHING = "SELECT pg_logical_emit_message(true, 'matchd', '')";

/**
 * After a crash, a server shows what it had written, whether its standby ever got it or not; a
 * failover would take that back. So each new connection first makes a commit of its own, which
 * waits for the standby and so for all commits before it (decision 0022).
 */
async function confirm(client: pg.ClientBase): Promise<void> {
  const limit = { query_timeout: ANSWER_TIMEOUT_MS };
  const { rowCount } = await client.query({ text: HAS_STANDBY, ...limit });
  if (rowCount === 1) await client.query({ text: COMMIT_NOTHING, ...limit });
}

/** A deadlock or a serialization failure: the database rolled this transaction back. */
const UNDONE = new Set(['40001', '40P01']);
/** Classes of errors that leave a commit's result unknown: connection, operator, system, internal. */
const DOUBTFUL = ['08', '57', '58', 'XX'];
/** The server has become a standby: a new connection may reach the new primary. */
const READ_ONLY = '25006';

/** Classes of errors in the data: values, and violated constraints. */
const DATA = ['22', '23'];

/** Whether nothing was committed and the transaction may be retried. */
export function isUndone(error: unknown): boolean {
  return isStale(error) || (error instanceof pg.DatabaseError && UNDONE.has(error.code ?? ''));
}

/**
 * Whether a table has got a column since this connection prepared the statement, as when a newer
 * version starts. A new connection prepares it again.
 */
function isStale(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.routine === 'RevalidateCachedQuery';
}

/** A lack of resources (a class of errors) or of a lock may pass. */
const NO_ROOM = '53';
const NO_LOCK = '55P03';

/** Whether nothing was done because of a temporary lack. Then the caller may retry. */
export function isHindered(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  const { code = '' } = error;
  return isLocked(error) || code.startsWith(NO_ROOM) || isUndone(error);
}

/** Whether a lock wait timed out. */
export function isLocked(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === NO_LOCK;
}

/** Classes of the server's own errors: resources, system, internal. */
const OF_SERVER = [NO_ROOM, '58', 'XX'];

/** Whether the server itself failed, for example with a full disk. Takes an error that the store throws. */
export function isOfServer(error: unknown): boolean {
  const cause = error instanceof StoreUnavailable ? error.cause : error;
  return cause instanceof pg.DatabaseError && OF_SERVER.includes((cause.code ?? '').slice(0, 2));
}

/** Whether the server reported that it did not do it. Otherwise the connection cannot be used any more. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError) || error.severity !== 'ERROR') return false;
  const { code = 'XX' } = error;
  return !isStale(error) && code !== READ_ONLY && !DOUBTFUL.includes(code.slice(0, 2));
}

/**
 * Whether the data is at fault, such as a row that exists already. Then the other asks may succeed
 * without this one.
 */
export function isOfData(error: unknown): boolean {
  if (error instanceof AnsweredBefore) return true;
  return error instanceof pg.DatabaseError && DATA.includes((error.code ?? '').slice(0, 2));
}
