/** Collects writes during a transaction and sends them together as the next one. */

import { Worker } from 'node:worker_threads';
import type { EventWorld } from '../../../events/event.ts';
import { parseWorldName } from '../../../events/event.ts';
import type { OnBatch } from '../../shared/batches.ts';
import { StoreUnavailable } from '../../shared/store-unavailable.ts';
import type { CommitOutcome, MatchCommit } from '../../store.ts';
import {
  type Gathered,
  gatherCommit,
  gatherWrite,
  makeGathered,
  report,
  reportAll,
  size,
  toBatch,
} from './gathered.ts';
import type {
  ScriptOp,
  WriterAnswers,
  WriterFailure,
  WriterOp,
  WriterReply,
  WriterSetup,
} from './writer-protocol.ts';

export type EventListener = (world: EventWorld, head: number) => void;

export interface GroupCommit {
  /** Adds a commit. `done` is called once, in a later turn. */
  commit(commit: MatchCommit, done: (outcome: CommitOutcome) => void): void;
  /**
   * Any other write. Rejects when it failed or its result is unknown; with StoreUnavailable when nothing
   * can be written for now.
   */
  perform<K extends WriterOp['op']>(op: Extract<WriterOp, { op: K }>): Promise<WriterAnswers[K]>;
  /** A script's ask, by the script's name; rejects like `perform`. */
  script(name: string, ask: unknown): Promise<unknown>;
  /** Called after each batch with what it added to the event logs. */
  onEvents(listener: EventListener): void;
  /** How many writes are waiting or under way. */
  pending(): number;
  /** `before` is called once everything is written, while the writer still has the file open. */
  close(before?: () => void): Promise<void>;
}

/**
 * Under load, transactions start at least this far apart: each wakes two threads and the disk,
 * however small it is (decision 0006). Milliseconds.
 */
const GAP_MS = 4;
/** A batch of this size means load: only then does waiting for more pay off. */
const BATCH_BUSY = 8;
/** A batch of this size is sent at once: under full load waiting would only delay. */
const BATCH_FULL = 128;

/**
 * `onDead` is called once, with the reason, if the writer dies: nothing can be written any more.
 * Rejects, with no thread left, when the writer cannot open the file.
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

/** The queue to the writer: one batch under way, one being collected. */
interface Lane {
  readonly worker: Worker;
  gathered: Gathered;
  underWay: Gathered | null;
  isScheduled: boolean;
  /** Set while the next batch waits for more writes. */
  timer: ReturnType<typeof setTimeout> | null;
  /** When the last batch was sent, by `performance.now`. */
  flushedAt: number;
  /** How many writes it had. */
  flushedSize: number;
  isClosing: boolean;
  /** Why nothing can be written any more; null while it can. */
  failure: string | null;
  readonly eventListeners: EventListener[];
  readonly onBatch: OnBatch;
}

/** Group commit on a writer that is ready. */
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
    commit(commit, done) {
      gatherCommit(lane.gathered, commit, done);
      schedule(lane);
    },
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
  if (lane.isClosing) return Promise.reject(new StoreUnavailable('The store is closed'));
  const written = gatherWrite(lane.gathered, op);
  schedule(lane);
  return written;
}

/**
 * When idle, a write waits only for the others of the same turn of the event loop. After a large
 * batch it waits for more, unless they already fill one.
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
    reportAll(next, failure(lane.failure));
    return;
  }
  lane.underWay = next;
  lane.flushedAt = performance.now();
  lane.flushedSize = size(next);
  lane.worker.postMessage(toBatch(next));
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
    reportAll(settled, reply);
  }
  if (reply.ok) {
    for (const [world, head] of reply.heads) notifyHead(lane, parseWorldName(world), head);
  }
  if (size(lane.gathered) > 0) schedule(lane);
}

/** Neither the batch under way nor any later one will be answered. */
function fail(lane: Lane, reason: string): void {
  lane.failure ??= reason;
  settle(lane, failure(lane.failure));
}

/** The writer is gone, and there will be no other. */
function failure(error: string): WriterFailure {
  return { ok: false, error, isAway: true };
}

function notifyHead(lane: Lane, world: EventWorld, head: number): void {
  for (const listener of lane.eventListeners) report(() => listener(world, head), null);
}
