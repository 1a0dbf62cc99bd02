/** Gathers writes while a transaction is under way and sends them together as the next one. */

import { Worker } from 'node:worker_threads';
import type { EventWorld } from '../../events/event.ts';
import { parseWorldName, worldName } from '../../events/event.ts';
import { AnsweredBefore } from '../answered-before.ts';
import type { OnBatch } from '../batches.ts';
import { eventText } from '../rows/event-chunk.ts';
import type { CommitOutcome, MatchCommit } from '../store.ts';
import { StoreAway } from '../store-away.ts';
import type {
  OpResult,
  ScriptOp,
  WriterAnswers,
  WriterBatch,
  WriterFailure,
  WriterOp,
  WriterReply,
  WriterSetup,
} from './writer-protocol.ts';
import { FIELD_SEPARATOR } from './writer-protocol.ts';

export type EventListener = (world: EventWorld, head: number) => void;

export interface GroupCommit {
  /** Appends a commit. `done` is called once, in a later turn. */
  commit(commit: MatchCommit, done: (outcome: CommitOutcome) => void): void;
  /**
   * Any other write. Rejects when it failed or its fate is unknown; with StoreAway when nothing at all
   * can be written for now.
   */
  perform<K extends WriterOp['op']>(op: Extract<WriterOp, { op: K }>): Promise<WriterAnswers[K]>;
  /** A script's ask, by its name; rejects as `perform` does. */
  script(name: string, ask: unknown): Promise<unknown>;
  /** Calls after each batch with what it added to the logs of events. */
  onEvents(listener: EventListener): void;
  /** Writes waiting or under way. */
  pending(): number;
  /** `before` is called once all is written, while the writer still has the file open. */
  close(before?: () => void): Promise<void>;
}

/**
 * While there is much to write, transactions begin at least so far apart: each wakes two threads
 * and the disk, however little is in it (decision 0006). Milliseconds.
 */
const GAP_MS = 4;
/** A batch of so many writes says that there is much to write: only then waiting for more pays. */
const BATCH_BUSY = 8;
/** Writes that make a batch worth sending at once: under full load waiting would only delay. */
const BATCH_FULL = 128;

/** Work gathered for one transaction. */
interface Gathered {
  readonly records: string[];
  readonly recordsDone: ((outcome: CommitOutcome) => void)[];
  /** Each as JSON: one that is none is refused when it comes, and spoils no batch. */
  readonly ops: string[];
  readonly opsDone: ((result: OpResult) => void)[];
  /** By operation: how many records came before it. They are told before it, too. */
  readonly opsAfter: number[];
  /** Of the commits that belong to one. */
  readonly traces: string[];
}

function makeGathered(): Gathered {
  return { records: [], recordsDone: [], ops: [], opsDone: [], opsAfter: [], traces: [] };
}

/**
 * `onDead` is told once, and why, if the writer dies: nothing can be written any more. Rejects, with no
 * thread left, when the writer cannot open the file.
 */
export async function startGroupCommit(
  setup: WriterSetup,
  onDead: (reason: string) => void,
  onBatch?: OnBatch,
): Promise<GroupCommit> {
  const worker = new Worker(new URL('./writer.ts', import.meta.url), { workerData: setup });
  try {
    await firstMessage(worker);
  } catch (error) {
    await worker.terminate();
    throw error;
  }
  return makeGroupCommit(worker, onDead, onBatch);
}

function firstMessage(worker: Worker): Promise<unknown> {
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('The writer ended before it had begun')));
  });
}

/** The way to the writer: one batch under way, one being gathered. */
interface Lane {
  readonly worker: Worker;
  gathered: Gathered;
  underWay: Gathered | null;
  isScheduled: boolean;
  /** Set while the next batch waits for more. */
  timer: ReturnType<typeof setTimeout> | null;
  /** When the last batch went, by `performance.now`. */
  flushedAt: number;
  /** How many writes were in it. */
  flushedSize: number;
  isClosing: boolean;
  /** Why nothing can be written any more; null while it can. */
  failure: string | null;
  readonly eventListeners: EventListener[];
  readonly onBatch: OnBatch;
}

/** Group commit by a writer that is ready. */
export function makeGroupCommit(
  worker: Worker,
  onDead: (reason: string) => void = () => {},
  onBatch: OnBatch = () => {},
): GroupCommit {
  const lane: Lane = {
    worker,
    gathered: makeGathered(),
    underWay: null,
    isScheduled: false,
    timer: null,
    flushedAt: -GAP_MS,
    flushedSize: 0,
    isClosing: false,
    failure: null,
    eventListeners: [],
    onBatch,
  };
  worker.on('message', (reply: WriterReply | 'closed') => {
    if (reply !== 'closed') settle(lane, reply);
  });
  const die = (reason: string): void => {
    const isNews = lane.failure === null && !lane.isClosing;
    fail(lane, reason);
    if (isNews) onDead(reason);
  };
  worker.on('error', (error) => die(`The writer has died: ${String(error)}`));
  const exited = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      die(lane.isClosing ? 'The store is closed' : 'The writer has died');
      resolve();
    });
  });
  return {
    commit: (commit, done) => gather(lane, commit, done),
    perform: (op) => perform(lane, op) as Promise<never>,
    script: (name, ask) => perform(lane, { op: 'script', name, ask }),
    onEvents: (listener) => void lane.eventListeners.push(listener),
    pending: () => size(lane.gathered) + (lane.underWay === null ? 0 : size(lane.underWay)),
    async close(before) {
      lane.isClosing = true;
      while (lane.underWay !== null || size(lane.gathered) > 0) await new Promise(setImmediate);
      before?.();
      if (lane.failure === null) worker.postMessage('close');
      await exited;
    },
  };
}

function perform(lane: Lane, op: WriterOp | ScriptOp): Promise<unknown> {
  if (lane.isClosing) return Promise.reject(new StoreAway('The store is closed'));
  return new Promise((resolve, reject) => {
    pushOp(lane.gathered, op, (result) => {
      if (result.ok) resolve(result.value);
      else reject(errorOf(result));
    });
    schedule(lane);
  });
}

function errorOf({ error, isAway, isAnswered }: WriterFailure): Error {
  if (isAnswered) return new AnsweredBefore();
  return isAway ? new StoreAway(error) : new Error(error);
}

function gather(lane: Lane, commit: MatchCommit, done: (outcome: CommitOutcome) => void): void {
  const { gathered } = lane;
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
    pushOp(gathered, { op: 'commit', commit }, (result) => {
      done(result.ok ? (result.value as CommitOutcome) : 'unknown');
    });
  }
  schedule(lane);
}

/**
 * In quiet times a write waits for the others of the same turn of the event loop and no longer.
 * After a large batch it waits for more to come, unless they already make a full one.
 */
function schedule(lane: Lane): void {
  if (lane.underWay !== null) return;
  if (lane.timer !== null && size(lane.gathered) >= BATCH_FULL) {
    clearTimeout(lane.timer);
    lane.timer = null;
    lane.isScheduled = false;
  }
  if (lane.isScheduled) return;
  lane.isScheduled = true;
  const isBusy = lane.flushedSize >= BATCH_BUSY;
  const waitMs = isBusy ? GAP_MS - (performance.now() - lane.flushedAt) : 0;
  if (waitMs <= 0 || size(lane.gathered) >= BATCH_FULL) setImmediate(flush, lane);
  else lane.timer = setTimeout(flush, waitMs, lane);
}

function flush(lane: Lane): void {
  lane.isScheduled = false;
  lane.timer = null;
  if (lane.underWay !== null || size(lane.gathered) === 0) return;
  const next = lane.gathered;
  lane.gathered = makeGathered();
  if (lane.failure !== null) {
    tell(next, failure(lane.failure));
    return;
  }
  lane.underWay = next;
  lane.flushedAt = performance.now();
  lane.flushedSize = size(next);
  const batch: WriterBatch = {
    records: next.records.join(FIELD_SEPARATOR),
    ops: next.ops.length === 0 ? '' : `[${next.ops.join()}]`,
  };
  lane.worker.postMessage(batch);
}

function settle(lane: Lane, reply: WriterReply): void {
  const settled = lane.underWay;
  lane.underWay = null;
  if (settled !== null) {
    lane.onBatch({
      size: size(settled),
      startedAt: lane.flushedAt,
      endedAt: performance.now(),
      traces: settled.traces,
    });
    tell(settled, reply);
  }
  if (reply.ok) {
    for (const [world, head] of reply.heads) tellHead(lane, parseWorldName(world), head);
  }
  if (size(lane.gathered) > 0) schedule(lane);
}

/** What is under way and whatever comes after it will never be answered. */
function fail(lane: Lane, reason: string): void {
  lane.failure ??= reason;
  settle(lane, failure(lane.failure));
}

/** There is no writer, and no other will come. */
function failure(error: string): WriterFailure {
  return { ok: false, error, isAway: true };
}

function pushOp(
  gathered: Gathered,
  op: WriterOp | ScriptOp,
  done: (result: OpResult) => void,
): void {
  gathered.ops.push(JSON.stringify(op));
  gathered.opsDone.push(done);
  gathered.opsAfter.push(gathered.recordsDone.length);
}

function size(gathered: Gathered): number {
  return gathered.recordsDone.length + gathered.ops.length;
}

/** Tells everybody, in the order in which they came. */
function tell(settled: Gathered, reply: WriterReply): void {
  const { recordsDone, opsDone, opsAfter } = settled;
  const conflicts = reply.ok && reply.conflicts.length > 0 ? new Set(reply.conflicts) : null;
  let told = 0;
  const tellRecords = (end: number): void => {
    for (; told < end; told++) {
      const written = conflicts?.has(told) ? 'conflict' : 'committed';
      tellOne(recordsDone[told]!, reply.ok ? written : 'unknown');
    }
  };
  for (const [i, done] of opsDone.entries()) {
    tellRecords(opsAfter[i]!);
    tellOne(done, reply.ok ? reply.results[i]! : reply);
  }
  tellRecords(recordsDone.length);
}

function tellHead(lane: Lane, world: EventWorld, head: number): void {
  for (const listener of lane.eventListeners) tellOne(() => listener(world, head), null);
}

/** Whoever throws here must not keep the others from being told. */
function tellOne<T>(done: (result: T) => void, result: T): void {
  try {
    done(result);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
