/** The writer's thread: one batch, one transaction, one flush to disk. */

import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from './open.ts';
import type { Statements } from './writer-ops.ts';
import { INSERT_RECORD, makeStatements, performOp } from './writer-ops.ts';
import type { OpResult, WriterBatch, WriterOp, WriterReply } from './writer-protocol.ts';
import { FIELD_SEPARATOR } from './writer-protocol.ts';

const FIELDS_PER_RECORD = 4;

const db = openDatabase((workerData as { file: string }).file, 'write');
const sql = makeStatements(db);
const port = parentPort!;

port.on('message', (batch: WriterBatch | 'close') => {
  if (batch === 'close') {
    db.close();
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
    return transaction(() => ({
      ok: true,
      conflicts: insertRecords(records),
      results: ops.map((op) => ({ ok: true, value: performOp(sql, op) })),
    }));
  } catch (error) {
    return ops.length === 0 ? { ok: false, error: String(error) } : writeApart(records, ops);
  }
}

/** One operation spoils the batch: each has a transaction of its own, and only that one fails. */
function writeApart(records: string, ops: readonly WriterOp[]): WriterReply {
  try {
    const conflicts = transaction(() => insertRecords(records));
    return { ok: true, conflicts, results: ops.map(performApart) };
  } catch (error) {
    return { ok: false, error: String(error) };
  }
}

function performApart(op: WriterOp): OpResult {
  try {
    return { ok: true, value: transaction(() => performOp(sql, op)) };
  } catch (error) {
    return { ok: false, error: String(error) };
  }
}

function transaction<T>(write: () => T): T {
  sql.run('BEGIN IMMEDIATE');
  try {
    const result = write();
    sql.run('COMMIT');
    return result;
  } catch (error) {
    if (db.isTransaction) sql.run('ROLLBACK');
    throw error;
  }
}

function insertRecords(records: string): number[] {
  const conflicts: number[] = [];
  if (records === '') return conflicts;
  const fields = records.split(FIELD_SEPARATOR);
  const insert: Statements['run'] = sql.run;
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
  }
  return conflicts;
}
