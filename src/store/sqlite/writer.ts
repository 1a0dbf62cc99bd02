/** The writer's thread: one batch, one transaction, one flush to disk. */

import { parentPort, workerData } from 'node:worker_threads';
import { worldName } from '../../events/event.ts';
import { AnsweredBefore } from '../answered-before.ts';
import { eventText } from '../rows/event-chunk.ts';
import { scriptNamed } from '../scripts/all.ts';
import { Undo } from '../scripts/undo.ts';
import type { MatchCommit } from '../store.ts';
import { openCommitHead } from './commit-head.ts';
import { makeEventGatherer } from './event-log.ts';
import { makeLockWait } from './lock-wait.ts';
import { isFileFault, isLockFault, openDatabase } from './open.ts';
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
  WriterSetup,
} from './writer-protocol.ts';
import { FIELD_SEPARATOR } from './writer-protocol.ts';

type Op = WriterOp | ScriptOp;

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
const tx = makeTx(sql);
const port = parentPort!;

port.on('message', async (batch: WriterBatch | 'close') => {
  if (batch === 'close') {
    db.close();
    head?.close();
    port.postMessage('closed');
    port.close();
    return;
  }
  port.postMessage(await writeBatch(batch));
});
port.postMessage('ready');

async function writeBatch({ records, ops: text }: WriterBatch): Promise<WriterReply> {
  const ops = text === '' ? [] : (JSON.parse(text) as Op[]);
  try {
    const { value, heads } = await transaction(async () => ({
      conflicts: insertRecords(records),
      results: await performAll(ops),
    }));
    return { ok: true, ...value, heads };
  } catch (error) {
    // A lock that was waited for in vain is not waited for once more.
    return ops.length === 0 || isLockFault(error)
      ? failureOf(error)
      : await writeApart(records, ops);
  }
}

/** One operation spoils the batch: each has a transaction of its own, and only that one fails. */
async function writeApart(records: string, ops: readonly Op[]): Promise<WriterReply> {
  try {
    const { value: conflicts, heads } = await transaction(async () => insertRecords(records));
    const results: OpResult[] = [];
    for (const op of ops) results.push(await performApart(op, heads));
    return { ok: true, conflicts, results, heads };
  } catch (error) {
    return failureOf(error);
  }
}

async function performApart(op: Op, heads: Head[]): Promise<OpResult> {
  try {
    const done = await transaction(() => performAll([op]));
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
async function performAll(ops: readonly Op[]): Promise<OpResult[]> {
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

type Head = [world: string, head: number];

/** The events that `write` gathers go into the same transaction. */
async function transaction<T>(
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
