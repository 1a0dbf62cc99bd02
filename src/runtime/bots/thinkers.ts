/** Threads on which bots think, so that no match waits for another's: bounded, replaced when late. */

import { Worker } from 'node:worker_threads';
import type { BotLevel } from '../../../game/src/bot.ts';
import type { RulesRef } from '../../games/games.ts';
import type { RulesFiles } from '../games/library.ts';
import type { Cancel, Clock } from '../ports.ts';
import type { Answer, Asked, Thought } from './thought.ts';

export interface Thinkers {
  /** Calls `done` once, later, unless it is cancelled; an answer that is late is `ok: false`. */
  think(thought: Thought, lateMs: number, done: (answer: Answer) => void): Cancel;
  /** No answer comes any more. */
  stop(): Promise<void>;
}

/** Thoughts that may wait for one thread. */
const WAITING_MAX = 2_000;
/** However many wait, so many positions may be looked at for each. */
const NODES_MIN = 5_000;
/** What the threads run, if nothing else is named. */
export const THINKER = new URL('./thinker.ts', import.meta.url);

const FULL: Answer = { ok: false, error: 'Too many bots are waiting to think' };
const LATE: Answer = { ok: false, error: 'The answer came too late' };

interface Task {
  readonly thought: Thought;
  done: (answer: Answer) => void;
  cancelTimer: Cancel;
}

/** A thread, made when first needed, and what waits for it. */
interface Lane {
  readonly file: URL;
  readonly filesOf: FilesOf;
  worker: Worker | null;
  /** Files of rules that the worker has been told of. */
  readonly told: Set<string>;
  running: Task | null;
  readonly waiting: Task[];
  isStopped: boolean;
}

/** Where rules are that no thread has by itself; null of those that all have. */
type FilesOf = (rules: RulesRef) => RulesFiles | null;

/**
 * Three threads: who thinks for seconds (`perfect`) does not hold up who thinks for milliseconds, and an
 * operator's game, however slow its rules, holds up none that is shipped.
 * Where many wait, each is given less to look at, so that all are answered in time. `file` is what
 * the threads run.
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

/** Where the rules are, for a worker that has not been told. */
function newFiles({ filesOf, told }: Lane, { rules }: Thought): Pick<Asked, 'files'> | null {
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
  // A thought under way is no reason for the process to stay.
  worker.unref();
  // What a thread says that has been replaced is not listened to.
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

/** Takes a task from wherever it is. A thread cannot be asked to stop thinking: it is ended. */
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

/** One that only waits is taken out; one under way may run: that is cheaper than a new thread. */
function forget(lane: Lane, task: Task): void {
  if (lane.running !== task) {
    withdraw(lane, task);
    return;
  }
  // Its time goes on: a thread that hangs is replaced all the same.
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
