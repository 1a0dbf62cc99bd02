/** Gathers writes while a transaction is under way and sends them together as the next one. */

import { Worker } from 'node:worker_threads';
import type { CommitOutcome, MatchCommit } from '../store.ts';
import type { OpResult, WriterAnswers, WriterBatch, WriterOp, WriterReply } from './writer-protocol.ts';
import { FIELD_SEPARATOR } from './writer-protocol.ts';

export interface GroupCommit {
  /** Appends a commit. `done` is called once, in a later turn. */
  commit(commit: MatchCommit, done: (outcome: CommitOutcome) => void): void;
  /** Any other write. Rejects when it failed or its fate is unknown. */
  perform<K extends WriterOp['op']>(
    op: Extract<WriterOp, { op: K }>,
  ): Promise<WriterAnswers[K]>;
  /** Writes waiting or under way. */
  pending(): number;
  close(): Promise<void>;
}

/** Work gathered for one transaction. */
interface Gathered {
  readonly records: string[];
  readonly recordsDone: ((outcome: CommitOutcome) => void)[];
  readonly ops: WriterOp[];
  readonly opsDone: ((result: OpResult) => void)[];
}

function makeGathered(): Gathered {
  return { records: [], recordsDone: [], ops: [], opsDone: [] };
}

export async function startGroupCommit(file: string): Promise<GroupCommit> {
  const worker = new Worker(new URL('./writer.ts', import.meta.url), { workerData: { file } });
  await nextMessage(worker);
  return makeGroupCommit(worker);
}

function nextMessage(worker: Worker): Promise<unknown> {
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

function makeGroupCommit(worker: Worker): GroupCommit {
  let gathered = makeGathered();
  let underWay: Gathered | null = null;
  let isScheduled = false;
  let isClosing = false;

  const flush = (): void => {
    isScheduled = false;
    if (underWay !== null || size(gathered) === 0) return;
    underWay = gathered;
    gathered = makeGathered();
    const batch: WriterBatch = {
      records: underWay.records.join(FIELD_SEPARATOR),
      ops: underWay.ops,
    };
    worker.postMessage(batch);
  };
  /** The first write of a quiet time waits for the others of the same turn of the event loop. */
  const schedule = (): void => {
    if (isScheduled || underWay !== null) return;
    isScheduled = true;
    setImmediate(flush);
  };
  const settle = (reply: WriterReply): void => {
    const settled = underWay;
    underWay = null;
    if (settled === null) return;
    tellRecords(settled, reply);
    tellOps(settled, reply);
    flush();
  };
  worker.on('message', (reply: WriterReply | 'closed') => {
    if (reply !== 'closed') settle(reply);
  });
  worker.on('error', (error) => settle({ ok: false, error: String(error) }));

  return {
    commit(commit, done) {
      const [entry] = commit.entries;
      if (commit.change === null && commit.entries.length === 1) {
        const { v, at, record } = entry!;
        gathered.records.push(commit.session, `${v}`, `${at}`, JSON.stringify(record));
        gathered.recordsDone.push(done);
      } else {
        gathered.ops.push({ op: 'commit', commit });
        gathered.opsDone.push((result) => {
          done(result.ok ? (result.value as CommitOutcome) : 'unknown');
        });
      }
      schedule();
    },
    perform(op) {
      if (isClosing) return Promise.reject(new Error('The store is closed'));
      return new Promise((resolve, reject) => {
        gathered.ops.push(op);
        gathered.opsDone.push((result) => {
          if (result.ok) resolve(result.value as never);
          else reject(new Error(result.error));
        });
        schedule();
      });
    },
    pending: () => size(gathered) + (underWay === null ? 0 : size(underWay)),
    async close() {
      isClosing = true;
      while (underWay !== null || size(gathered) > 0) await new Promise(setImmediate);
      const closed = new Promise((resolve) => worker.once('exit', resolve));
      worker.postMessage('close');
      await closed;
    },
  };
}

function size(gathered: Gathered): number {
  return gathered.recordsDone.length + gathered.ops.length;
}

function tellRecords(settled: Gathered, reply: WriterReply): void {
  const { recordsDone } = settled;
  if (!reply.ok) for (const done of recordsDone) done('unknown');
  else if (reply.conflicts.length === 0) for (const done of recordsDone) done('committed');
  else {
    const conflicts = new Set(reply.conflicts);
    for (const [i, done] of recordsDone.entries()) done(conflicts.has(i) ? 'conflict' : 'committed');
  }
}

function tellOps(settled: Gathered, reply: WriterReply): void {
  for (const [i, done] of settled.opsDone.entries()) {
    done(reply.ok ? reply.results[i]! : { ok: false, error: reply.error });
  }
}
