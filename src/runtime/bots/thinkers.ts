/** Threads on which bots think, so that matches do not wait for each other: bounded, and replaced when late. */

import { Worker } from 'node:worker_threads';
import type { BotLevel } from '../../../game/src/bot.ts';
import type { RulesRef } from '../../games/games.ts';
import type { RulesFiles } from '../games/library.ts';
import type { Cancel, Clock } from '../ports.ts';
import type { Answer, ThinkRequest, Thought } from './thought.ts';

export interface Thinkers {
  /** Calls `done` once, later, unless it is cancelled. A late answer is `ok: false`. */
  think(thought: Thought, lateMs: number, done: (answer: Answer) => void): Cancel;
  /** No further answers come. */
  stop(): Promise<void>;
}

/** Thoughts that may wait for one thread. */
const WAITING_MAX = 2_000;
/** No position gets a smaller node budget than this, however many wait. */
const NODES_MIN = 5_000;
/** The default worker file. */
export const THINKER = new URL('./thinker.ts', import.meta.url);

const FULL: Answer = { ok: false, error: 'Too many bots are waiting to think' };
const LATE: Answer = { ok: false, error: 'The answer came too late' };

interface Task {
  readonly thought: Thought;
  done: (answer: Answer) => void;
  cancelTimer: Cancel;
}

/** A thread, created on first use, and its queue. */
interface Lane {
  readonly file: URL;
  readonly filesOf: FilesOf;
  worker: Worker | null;
  /** Files of rules that the worker was given. */
  readonly told: Set<string>;
  running: Task | null;
  readonly waiting: Task[];
  isStopped: boolean;
}

/** Where rules are that a thread has to load; null for shipped rules. */
type FilesOf = (rules: RulesRef) => RulesFiles | null;

/**
 * Three threads: long thoughts (`perfect`) do not delay short ones, and an operator's slow game delays no shipped
 * one. With a long queue each thought gets a smaller budget, so that all are answered in time. `file` is the
 * worker's code.
 */
export function makeThinkers(
  clock: Clock,
  file = THINKER,
  filesOf: FilesOf = () => null,
): Thinkers {
  const quick = makeLane(file, filesOf);
  const slow = makeLane(file, filesOf);
  const own = makeLane(file, filesOf);
  const laneOf = ({ rules, level }: Thought): Lane => {
    if (filesOf(rules) !== null) return own;
    return isQuick(level) ? quick : slow;
  };
  return {
    think(thought, lateMs, done) {
      const lane = laneOf(thought);
      if (lane.waiting.length >= WAITING_MAX) return clock.after(0, () => done(FULL));
      const task: Task = { thought, done, cancelTimer: () => {} };
      task.cancelTimer = clock.after(lateMs, () => {
        withdraw(lane, task);
        task.done(LATE);
      });
      lane.waiting.push(task);
      next(lane);
      return () => forget(lane, task);
    },
    async stop() {
      await Promise.all([quick, slow, own].map(stop));
    },
  };
}

function makeLane(file: URL, filesOf: FilesOf): Lane {
  const told = new Set<string>();
  return { file, filesOf, worker: null, told, running: null, waiting: [], isStopped: false };
}

function isQuick(level: BotLevel): boolean {
  return level !== 'perfect';
}

function next(lane: Lane): void {
  if (lane.running !== null || lane.isStopped) return;
  const task = lane.waiting.shift();
  if (task === undefined) return;
  lane.running = task;
  lane.worker ??= startWorker(lane);
  const nodesMax = shareOf(task.thought.nodesMax, lane.waiting.length);
  lane.worker.postMessage({ ...task.thought, nodesMax, ...newFiles(lane, task.thought) });
}

/** Where the rules are, for a worker that does not have them yet. */
function newFiles({ filesOf, told }: Lane, { rules }: Thought): Pick<ThinkRequest, 'files'> | null {
  const files = filesOf(rules);
  if (files === null) return null;
  const name = `${files.rules} ${files.bot}`;
  if (told.has(name)) return null;
  told.add(name);
  return { files };
}

function shareOf(nodesMax: number, waiting: number): number {
  return Math.max(Math.min(nodesMax, NODES_MIN), Math.floor(nodesMax / (1 + waiting)));
}

function startWorker(lane: Lane): Worker {
  const worker = new Worker(lane.file);
  lane.told.clear();
  // A thought in progress does not keep the process alive.
  worker.unref();
  // Messages of a replaced thread are ignored.
  worker.on('message', (answer: Answer) => {
    if (lane.worker === worker) settle(lane, answer);
  });
  const lose = (error: string): void => {
    if (lane.worker !== worker) return;
    lane.worker = null;
    settle(lane, { ok: false, error });
  };
  worker.on('error', (error) => lose(String(error)));
  worker.on('exit', () => lose('The thread has ended'));
  return worker;
}

function settle(lane: Lane, answer: Answer): void {
  const task = lane.running;
  if (task === null) return;
  lane.running = null;
  task.cancelTimer();
  task.done(answer);
  next(lane);
}

/** Removes a task from the queue or a thread. A thread cannot be asked to stop thinking, so it is terminated. */
function withdraw(lane: Lane, task: Task): void {
  task.cancelTimer();
  const place = lane.waiting.indexOf(task);
  if (place !== -1) lane.waiting.splice(place, 1);
  if (lane.running !== task) return;
  lane.running = null;
  void lane.worker?.terminate();
  lane.worker = null;
  next(lane);
}

/** A waiting task is removed. A running one continues: that is cheaper than a new thread. */
function forget(lane: Lane, task: Task): void {
  if (lane.running !== task) {
    withdraw(lane, task);
    return;
  }
  // Its time limit still applies: a hanging thread is replaced.
  task.done = () => {};
}

async function stop(lane: Lane): Promise<void> {
  lane.isStopped = true;
  lane.running?.cancelTimer();
  lane.running = null;
  for (const task of lane.waiting.splice(0)) task.cancelTimer();
  const { worker } = lane;
  lane.worker = null;
  await worker?.terminate();
}
