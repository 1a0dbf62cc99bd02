/** What a writer does with a batch: one transaction, and one for each operation where one of them spoils it. */

import type { DatabaseSync } from 'node:sqlite';
import { worldName } from '../../events/event.ts';
import { AnsweredBefore } from '../answered-before.ts';
import type { AuditKeysInUse } from '../audit-keys.ts';
import { eventText } from '../rows/event-chunk.ts';
import { scriptNamed } from '../scripts/all.ts';
import type { Tx } from '../scripts/script.ts';
import { Undo } from '../scripts/undo.ts';
import type { MatchCommit } from '../store.ts';
import type { CommitHead } from './commit-head.ts';
import { type EventGatherer, makeEventGatherer } from './event-log.ts';
import { type LockWait, makeLockWait } from './lock-wait.ts';
import { isFileFault, isLockFault } from './open.ts';
import { makeTx } from './script-sql.ts';
import { INSERT_RECORD } from './shared-rows.ts';
import { makeStatements, type WriterTools } from './statements.ts';
import { performCommits, performOp } from './writer-ops.ts';
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
/** Writes a batch and answers it. Never rejects; the batch before it is over when it is called. */
export type WriteBatch = (batch: WriterBatch) => Promise<WriterReply>;

const FIELDS_PER_RECORD = 7;

export interface BatchWriterOptions {
  /** How long a transaction waits for another process's lock, in milliseconds. */
  readonly waitMs: number;
  /** Told of each commit; null: commits are not counted. */
  readonly head: CommitHead | null;
  readonly auditKeys?: AuditKeysInUse;
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
  { waitMs, head, auditKeys }: BatchWriterOptions,
): WriteBatch {
  const events = makeEventGatherer();
  const sql: WriterTools = {
    ...makeStatements(db, auditKeys),
    emit: (event) => events.add(worldName(event), 1, eventText(event), event.at),
    present: new Set(),
  };
  const lockWait = makeLockWait(db, waitMs);
  const writer = { db, head, lockWait, events, sql, tx: makeTx(sql) };
  return (batch) => writeBatch(writer, batch);
}

async function writeBatch(
  writer: Writer,
  { records, ops: text }: WriterBatch,
): Promise<WriterReply> {
  const ops = text === '' ? [] : (JSON.parse(text) as Op[]);
  try {
    const { value, heads } = await transaction(writer, async () => ({
      conflicts: insertRecords(writer, records),
      results: await performAll(writer, ops),
    }));
    return { ok: true, ...value, heads };
  } catch (error) {
    // A lock that was waited for in vain is not waited for once more.
    return ops.length === 0 || isLockFault(error)
      ? failureOf(error)
      : await writeApart(writer, records, ops);
  }
}

/** One operation spoils the batch: each has a transaction of its own, and only that one fails. */
async function writeApart(
  writer: Writer,
  records: string,
  ops: readonly Op[],
): Promise<WriterReply> {
  try {
    const { value: conflicts, heads } = await transaction(writer, async () =>
      insertRecords(writer, records),
    );
    const results: OpResult[] = [];
    for (const op of ops) results.push(await performApart(writer, op, heads));
    return { ok: true, conflicts, results, heads };
  } catch (error) {
    return failureOf(error);
  }
}

async function performApart(writer: Writer, op: Op, heads: Head[]): Promise<OpResult> {
  try {
    const done = await transaction(writer, () => performAll(writer, [op]));
    heads.push(...done.heads);
    return done.value[0]!;
  } catch (error) {
    return error instanceof Undo ? { ok: true, value: error.value[0] } : failureOf(error);
  }
}

function failureOf(error: unknown): WriterFailure {
  const isAnswered = error instanceof AnsweredBefore;
  return { ok: false, error: String(error), isAway: isFileFault(error), isAnswered };
}

/** In their order; of one script those that come together at once, and commits that come together. */
async function performAll({ sql, tx }: Writer, ops: readonly Op[]): Promise<OpResult[]> {
  const results: OpResult[] = [];
  for (let at = 0; at < ops.length; ) {
    const op = ops[at]!;
    if (op.op === 'script') {
      const asks = asksOf(ops, at, op.name);
      const answers = await scriptNamed(op.name).act(tx, asks);
      for (const value of answers) results.push({ ok: true, value });
      at += asks.length;
    } else if (op.op === 'commit') {
      const commits = commitsOf(ops, at);
      const answers = await performCommits(sql, tx, commits);
      for (const value of answers) results.push({ ok: true, value });
      at += commits.length;
    } else {
      results.push({ ok: true, value: performOp(sql, op) });
      at += 1;
    }
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

function commitsOf(ops: readonly Op[], from: number): MatchCommit[] {
  const commits: MatchCommit[] = [];
  for (let at = from; at < ops.length; at++) {
    const op = ops[at]!;
    if (op.op !== 'commit') break;
    commits.push(op.commit);
  }
  return commits;
}

/** The events that `write` gathers go into the same transaction. */
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
  const insert = sql.run;
  for (let i = 0; i < fields.length; i += FIELDS_PER_RECORD) {
    const session = fields[i]!;
    const record = fields[i + 3]!;
    const changes = insert(
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
