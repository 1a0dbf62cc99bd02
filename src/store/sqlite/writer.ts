/** The writer's thread: one batch, one transaction, one flush to disk. */

import { parentPort, workerData } from 'node:worker_threads';
import { worldName } from '../../events/event.ts';
import { eventText } from '../rows/event-chunk.ts';
import { openCommitHead } from './commit-head.ts';
import { makeEventGatherer } from './event-log.ts';
import { makeLockWait } from './lock-wait.ts';
import { isFileFault, isLockFault, openDatabase } from './open.ts';
import { INSERT_RECORD } from './shared-rows.ts';
import { makeStatements, type WriterTools } from './statements.ts';
import { performOp } from './writer-ops.ts';
import type {
  OpResult,
  WriterBatch,
  WriterFailure,
  WriterOp,
  WriterReply,
  WriterSetup,
} from './writer-protocol.ts';
import { FIELD_SEPARATOR } from './writer-protocol.ts';

const FIELDS_PER_RECORD = 7;

const { file, waitMs, headFile } = workerData as WriterSetup;
const db = openDatabase(file, 'write', waitMs);
const head = headFile === null ? null : openCommitHead(db, headFile);
const lockWait = makeLockWait(db, waitMs);
const events = makeEventGatherer();
const sql: WriterTools = {
  ...makeStatements(db),
  emit: (event) => events.add(worldName(event), 1, eventText(event), event.at),
  present: new Set(),
};
const port = parentPort!;

port.on('message', (batch: WriterBatch | 'close') => {
  if (batch === 'close') {
    db.close();
    head?.close();
    port.postMessage('closed');
    port.close();
    return;
  }
  port.postMessage(writeBatch(batch));
});
port.postMessage('ready');

function writeBatch({ records, ops: text }: WriterBatch): WriterReply {
  const ops = text === '' ? [] : (JSON.parse(text) as WriterOp[]);
  try {
    const { value, heads } = transaction(() => ({
      conflicts: insertRecords(records),
      results: ops.map((op): OpResult => ({ ok: true, value: performOp(sql, op) })),
    }));
    return { ok: true, ...value, heads };
  } catch (error) {
    // A lock that was waited for in vain is not waited for once more.
    return ops.length === 0 || isLockFault(error) ? failureOf(error) : writeApart(records, ops);
  }
}

/** One operation spoils the batch: each has a transaction of its own, and only that one fails. */
function writeApart(records: string, ops: readonly WriterOp[]): WriterReply {
  try {
    const { value: conflicts, heads } = transaction(() => insertRecords(records));
    const results = ops.map((op) => performApart(op, heads));
    return { ok: true, conflicts, results, heads };
  } catch (error) {
    return failureOf(error);
  }
}

function performApart(op: WriterOp, heads: Head[]): OpResult {
  try {
    const done = transaction(() => performOp(sql, op));
    heads.push(...done.heads);
    return { ok: true, value: done.value };
  } catch (error) {
    return failureOf(error);
  }
}

function failureOf(error: unknown): WriterFailure {
  return { ok: false, error: String(error), isAway: isFileFault(error) };
}

type Head = [world: string, head: number];

/** The events that `write` gathers go into the same transaction. */
function transaction<T>(write: () => T): { readonly value: T; readonly heads: Head[] } {
  events.clear();
  lockWait.around(() => sql.run('BEGIN IMMEDIATE'));
  try {
    const value = write();
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

function insertRecords(records: string): number[] {
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
