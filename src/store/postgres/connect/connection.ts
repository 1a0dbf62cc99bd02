/** Connections to the database: how they are opened, and what an error on one says. */

import pg from 'pg';
import { AnsweredBefore } from '../../shared/answered-before.ts';
import { StoreAway } from '../../shared/store-away.ts';

/** How long opening a connection may take, in milliseconds. */
const CONNECT_TIMEOUT_MS = 5_000;
/** An answer that takes longer is given up with its connection: its fate is then unknown. */
const ANSWER_TIMEOUT_MS = 10_000;
/** Waiting for a row longer than that fails, before anybody gives up on the answer. */
const LOCK_TIMEOUT_MS = 8_000;
/** A node that stops in the middle of a transaction must not keep its locks. */
const IDLE_IN_TRANSACTION_MS = 5_000;
/** How often the server looks whether who asked is still there, in milliseconds. */
const CONNECTION_CHECK_MS = 2_000;

const INT8 = 20;
const NUMERIC = 1700;

/** Numbers of the database that the driver leaves as texts. None of ours goes past 2^53. */
const TYPES = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === INT8 || oid === NUMERIC) return Number;
    return pg.types.getTypeParser(oid, format as 'text');
  },
} as pg.CustomTypesConfig;

export interface PoolOptions {
  /** `postgres://…`. */
  readonly url: string;
  /** Connections at most. */
  readonly max: number;
  /** Seen in the server's list of connections. */
  readonly name: string;
  /** Waits for an answer however long it takes: for migrations. For a lock it waits as all do. */
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
    // Compiling a statement takes longer (0.4 s) than any of ours.
    options: `-c client_connection_check_interval=${CONNECTION_CHECK_MS} -c jit=off`,
    keepAlive: true,
    types: TYPES,
    onConnect: confirm,
  });
  // A connection nobody uses was lost: the next one who needs it gets a new one.
  pool.on('error', () => {});
  return pool;
}

/** Do commits here wait for another server? */
const HAS_STANDBY = `SELECT WHERE current_setting('synchronous_standby_names') <> ''
  AND NOT pg_is_in_recovery()`;
/** Something to commit that changes nothing; any role may, also in a read-only session. */
const COMMIT_NOTHING = "SELECT pg_logical_emit_message(true, 'matchd', '')";

/**
 * A server that is back after a crash shows what it had written, whether its standby ever got it or
 * not; a fail-over would take that back. So nothing is asked over a new connection before a commit
 * of its own, which waits for the standby and with it for all before it (decision 0022).
 */
async function confirm(client: pg.ClientBase): Promise<void> {
  const limit = { query_timeout: ANSWER_TIMEOUT_MS };
  const { rowCount } = await client.query({ text: HAS_STANDBY, ...limit });
  if (rowCount === 1) await client.query({ text: COMMIT_NOTHING, ...limit });
}

/** Two transactions stood in each other's way, and the database undid this one. */
const UNDONE = new Set(['40001', '40P01']);
/** Classes of errors that say nothing about a commit: connection, operator, system, internal. */
const DOUBTFUL = ['08', '57', '58', 'XX'];
/** The server has become a standby: a new connection may lead to the one that took its place. */
const READ_ONLY = '25006';

/** Classes of errors in what was asked: values, and rows that break a rule of their table. */
const DATA = ['22', '23'];

/** Was nothing committed, and may the same be retried? */
export function isUndone(error: unknown): boolean {
  return isStale(error) || (error instanceof pg.DatabaseError && UNDONE.has(error.code ?? ''));
}

/**
 * Has a table grown a column since this connection prepared the statement? A newer version that
 * starts beside this one does that: a new connection prepares it again.
 */
function isStale(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.routine === 'RevalidateCachedQuery';
}

/** What fails for want of room (a class of errors) or of a lock may be done at another time. */
const NO_ROOM = '53';
const NO_LOCK = '55P03';

/** Was nothing done for want of what may be there later? Then whoever asked may ask again. */
export function isHindered(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  const { code = '' } = error;
  return isLocked(error) || code.startsWith(NO_ROOM) || isUndone(error);
}

/** Was a lock waited for without success? */
export function isLocked(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === NO_LOCK;
}

/** Classes of errors that are the server's own: no room, its system, itself. */
const OF_SERVER = [NO_ROOM, '58', 'XX'];

/** Has the server failed by a fault of its own, as where its disk is full? Of what the store throws. */
export function isOfServer(error: unknown): boolean {
  const cause = error instanceof StoreAway ? error.cause : error;
  return cause instanceof pg.DatabaseError && OF_SERVER.includes((cause.code ?? '').slice(0, 2));
}

/** Has the server said that it did not do it? Else the connection is of no more use. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError) || error.severity !== 'ERROR') return false;
  const { code = 'XX' } = error;
  return !isStale(error) && code !== READ_ONLY && !DOUBTFUL.includes(code.slice(0, 2));
}

/**
 * Is it what was asked for that cannot be done, such as a row that is there already? Then others
 * that were asked for with it may be done without it.
 */
export function isOfData(error: unknown): boolean {
  if (error instanceof AnsweredBefore) return true;
  return error instanceof pg.DatabaseError && DATA.includes((error.code ?? '').slice(0, 2));
}
