/** Collects writes for one transaction, and reports their results in order. */

import { worldName } from '../../../events/event.ts';
import { eventText } from '../../rows/event-chunk.ts';
import { COMMIT } from '../../scripts/sessions/commits.ts';
import { AnsweredBefore } from '../../shared/answered-before.ts';
import { StoreUnavailable } from '../../shared/store-unavailable.ts';
import type { CommitOutcome, MatchCommit } from '../../store.ts';
import type {
  OpResult,
  ScriptOp,
  WriterBatch,
  WriterFailure,
  WriterOp,
  WriterReply,
} from './writer-protocol.ts';
import { FIELD_SEPARATOR } from './writer-protocol.ts';

/** The writes of one transaction. */
export interface Gathered {
  readonly records: string[];
  readonly recordsDone: ((outcome: CommitOutcome) => void)[];
  /** Each as JSON: a value that cannot be serialized is refused immediately and does not fail the batch. */
  readonly ops: string[];
  readonly opsDone: ((result: OpResult) => void)[];
  /** By operation: how many records came before it. Their results are reported before its own. */
  readonly opsAfter: number[];
  /** The traces of commits that belong to one. */
  readonly traces: string[];
}

export function makeGathered(): Gathered {
  return { records: [], recordsDone: [], ops: [], opsDone: [], opsAfter: [], traces: [] };
}

/** Adds a commit. */
export function gatherCommit(
  gathered: Gathered,
  commit: MatchCommit,
  done: (outcome: CommitOutcome) => void,
): void {
  if (commit.trace !== undefined) gathered.traces.push(commit.trace);
  const [entry] = commit.entries;
  if (commit.change === null && commit.entries.length === 1) {
    const { v, at, record } = entry!;
    gathered.records.push(commit.session, `${v}`, `${at}`, JSON.stringify(record));
    const events = commit.events ?? [];
    const world = events.length === 0 ? '' : worldName(commit);
    gathered.records.push(world, `${events.length}`, events.map(eventText).join());
    gathered.recordsDone.push(done);
  } else {
    gatherOp(gathered, { op: 'script', name: COMMIT.name, ask: commit }, (result) => {
      done(result.ok ? (result.value as CommitOutcome) : 'unknown');
    });
  }
}

/** Adds any other write. The promise settles when its result is reported. */
export function gatherWrite(gathered: Gathered, op: WriterOp | ScriptOp): Promise<unknown> {
  return new Promise((resolve, reject) => {
    gatherOp(gathered, op, (result) => {
      if (result.ok) resolve(result.value);
      else reject(errorOf(result));
    });
  });
}

function gatherOp(
  gathered: Gathered,
  op: WriterOp | ScriptOp,
  done: (result: OpResult) => void,
): void {
  gathered.ops.push(JSON.stringify(op));
  gathered.opsDone.push(done);
  gathered.opsAfter.push(gathered.recordsDone.length);
}

function errorOf({ error, isAway, isAnswered }: WriterFailure): Error {
  if (isAnswered) return new AnsweredBefore();
  return isAway ? new StoreUnavailable(error) : new Error(error);
}

export function size(gathered: Gathered): number {
  return gathered.recordsDone.length + gathered.ops.length;
}

export function toBatch({ records, ops }: Gathered): WriterBatch {
  return {
    records: records.join(FIELD_SEPARATOR),
    ops: ops.length === 0 ? '' : `[${ops.join()}]`,
  };
}

/** Reports all results, in the order in which the writes came. */
export function reportAll(settled: Gathered, reply: WriterReply): void {
  const { recordsDone, opsDone, opsAfter } = settled;
  const conflicts = reply.ok && reply.conflicts.length > 0 ? new Set(reply.conflicts) : null;
  let told = 0;
  const reportRecords = (end: number): void => {
    for (; told < end; told++) {
      const written = conflicts?.has(told) ? 'conflict' : 'committed';
      report(recordsDone[told]!, reply.ok ? written : 'unknown');
    }
  };
  for (const [i, done] of opsDone.entries()) {
    reportRecords(opsAfter[i]!);
    report(done, reply.ok ? reply.results[i]! : reply);
  }
  reportRecords(recordsDone.length);
}

/** A callback that throws must not keep others from their results. */
export function report<T>(done: (result: T) => void, result: T): void {
  try {
    done(result);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
