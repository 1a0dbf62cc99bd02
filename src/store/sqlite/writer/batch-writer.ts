/** Writes a batch in one transaction, or each operation in its own when one of them fails. */

import type { DatabaseSync } from 'node:sqlite';
import { worldName } from '../../../events/event.ts';
import { eventText } from '../../rows/event-chunk.ts';
import { scriptNamed } from '../../scripts/all.ts';
import { doUnrefused, type Refusals } from '../../scripts/shared/refused.ts';
import type { Tx } from '../../scripts/shared/script.ts';
import { AnsweredBefore } from '../../shared/answered-before.ts';
import { isFileFault, isLockFault } from '../file/open.ts';
import { makeTx, type TxOptions } from '../sql/script-sql.ts';
import { makeStatements, type Statements, type WriterTools } from '../sql/statements.ts';
import type { CommitHead } from './commit-head.ts';
import { type EventGatherer, makeEventGatherer } from './event-log.ts';
import { type LockWait, makeLockWait } from './lock-wait.ts';
import { performOp } from './writer-ops.ts';
import type {
  OpResult,
  ScriptOp,
  WriterBatch,
  WriterFailure,
  WriterOp,
  WriterReply,
} from './writer-protocol.ts';
import { FIELD_SEPARATOR } from './writer-protocol.ts';

type Op = WriterOp | ScriptOp;
type Head = readonly [world: string, head: number];
/** Writes a batch and answers it. Never rejects. Called once the previous batch is finished. */
export type WriteBatch = (batch: WriterBatch) => Promise<WriterReply>;

const FIELDS_PER_RECORD = 7;

/** A record alone, which is nearly every move. Skips a version that exists. */
const INSERT_RECORD =
  'INSERT INTO log (session, v, at, record) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING';

export interface BatchWriterOptions extends TxOptions {
  /** How long a transaction waits for another process's lock, in milliseconds. */
  readonly waitMs: number;
  /** Counts each commit; null: commits are not counted. */
  readonly head: CommitHead | null;
  /** The connection's statements, if others use it, too. */
  readonly statements?: Statements | undefined;
  /** Connected players, by `presenceKey`. */
  readonly present?: Set<string> | undefined;
}

interface Writer {
  readonly db: DatabaseSync;
  readonly head: CommitHead | null;
  readonly lockWait: LockWait;
  readonly events: EventGatherer;
  readonly sql: WriterTools;
  readonly tx: Tx;
}

export function makeBatchWriter(
  db: DatabaseSync,
  { waitMs, head, statements, present, ...options }: BatchWriterOptions,
): WriteBatch {
  const events = makeEventGatherer();
  const sql: WriterTools = {
    ...(statements ?? makeStatements(db)),
    auditKeys: { keys: [] },
    emit: (event) => events.add(worldName(event), 1, eventText(event), event.at),
    present: present ?? new Set(),
  };
  const lockWait = makeLockWait(db, waitMs);
  const writer = { db, head, lockWait, events, sql, tx: makeTx(sql, options) };
  return (batch) => writeBatch(writer, batch);
}

async function writeBatch(
  writer: Writer,
  { records, ops: text }: WriterBatch,
): Promise<WriterReply> {
  const ops = text === '' ? [] : (JSON.parse(text) as Op[]);
  try {
    return { ok: true, ...(await writeTogether(writer, records, ops)) };
  } catch (error) {
    // After a lock timeout there is no second wait.
    return ops.length === 0 || isLockFault(error)
      ? failureOf(error)
      : await writeSeparately(writer, records, ops);
  }
}

interface Written {
  readonly conflicts: readonly number[];
  readonly results: readonly OpResult[];
  readonly heads: readonly Head[];
}

/** In one transaction, repeated without the operations that it refuses. */
function writeTogether(writer: Writer, records: string, ops: readonly Op[]): Promise<Written> {
  return doUnrefused(async (refused) => {
    const { value, heads } = await transaction(writer, async () => ({
      conflicts: insertRecords(writer, records),
      results: await performAll(writer, ops, refused),
    }));
    return { ...value, heads };
  });
}

/** One operation fails the batch: each gets its own transaction, and only that one fails. */
async function writeSeparately(
  writer: Writer,
  records: string,
  ops: readonly Op[],
): Promise<WriterReply> {
  try {
    const first = await writeTogether(writer, records, []);
    const results: OpResult[] = [];
    const heads = [...first.heads];
    for (const op of ops) results.push(await performSeparately(writer, op, heads));
    return { ok: true, conflicts: first.conflicts, results, heads };
  } catch (error) {
    return failureOf(error);
  }
}

async function performSeparately(writer: Writer, op: Op, heads: Head[]): Promise<OpResult> {
  try {
    const written = await writeTogether(writer, '', [op]);
    heads.push(...written.heads);
    return written.results[0]!;
  } catch (error) {
    return failureOf(error);
  }
}

function failureOf(error: unknown): WriterFailure {
  const isAnswered = error instanceof AnsweredBefore;
  return { ok: false, error: String(error), isAway: isFileFault(error), isAnswered };
}

/** In order; adjacent asks of one script together. */
async function performAll(
  { sql, tx }: Writer,
  ops: readonly Op[],
  refused: Refusals,
): Promise<OpResult[]> {
  const results: OpResult[] = [];
  for (let at = 0; at < ops.length; ) {
    const op = ops[at]!;
    if (op.op !== 'script') {
      results.push({ ok: true, value: performOp(sql, op) });
      at += 1;
      continue;
    }
    const asks = asksOf(ops, at, op.name);
    for (const value of await runScript(tx, op.name, asks, refused)) {
      results.push({ ok: true, value });
    }
    at += asks.length;
  }
  return results;
}

function asksOf(ops: readonly Op[], from: number, name: string): unknown[] {
  const asks: unknown[] = [];
  for (let at = from; at < ops.length; at++) {
    const op = ops[at]!;
    if (op.op !== 'script' || op.name !== name) break;
    asks.push(op.ask);
  }
  return asks;
}

async function runScript(
  tx: Tx,
  name: string,
  asks: readonly unknown[],
  refused: Refusals,
): Promise<readonly unknown[]> {
  const { act, rounds } = scriptNamed(name);
  if (rounds === undefined && refused.size === 0) return act(tx, asks);
  const left = asks.filter((ask) => !refused.has(ask));
  const answers = new Map(refused);
  const parts = rounds?.(left) ?? (left.length === 0 ? [] : [left]);
  for (const round of parts) {
    const done = await act(tx, round);
    for (const [i, ask] of round.entries()) answers.set(ask, done[i]);
  }
  return asks.map((ask) => answers.get(ask));
}

/** The events that `write` collects are part of the same transaction. */
async function transaction<T>(
  { db, head, lockWait, events, sql }: Writer,
  write: () => Promise<T>,
): Promise<{ readonly value: T; readonly heads: Head[] }> {
  events.clear();
  lockWait.around(() => sql.run('BEGIN IMMEDIATE'));
  try {
    const value = await write();
    const heads = events.write(sql);
    head?.count(sql);
    sql.run('COMMIT');
    head?.note();
    return { value, heads };
  } catch (error) {
    if (db.isTransaction) sql.run('ROLLBACK');
    throw error;
  }
}

function insertRecords({ sql, events }: Writer, records: string): number[] {
  const conflicts: number[] = [];
  if (records === '') return conflicts;
  const fields = records.split(FIELD_SEPARATOR);
  for (let i = 0; i < fields.length; i += FIELDS_PER_RECORD) {
    const session = fields[i]!;
    const record = fields[i + 3]!;
    const changes = sql.run(
      INSERT_RECORD,
      session,
      Number(fields[i + 1]),
      Number(fields[i + 2]),
      record,
    );
    if (changes === 0) conflicts.push(i / FIELDS_PER_RECORD);
    else if (fields[i + 4] !== '') {
      events.add(fields[i + 4]!, Number(fields[i + 5]), fields[i + 6]!, Number(fields[i + 2]));
    }
  }
  return conflicts;
}
