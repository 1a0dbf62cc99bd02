/** A service command from its start to its end: whatever fails, and whenever it is told to stop, the process ends. */

import type { RunningService } from '../../listen.ts';
import { endSoon, untilStopped } from '../terminal/stop-signal.ts';
import type { Announced } from './service-file.ts';

/** The time that a stopped start has to finish or to fail. Ms. */
const START_STOP_MS = 2_000;

/** A service that listens. */
export interface Started {
  readonly service: RunningService;
  /** The file by which commands find it. */
  readonly announced: Announced;
}

export interface ServiceRun<S extends Started> {
  /** Rejects with nothing left open. */
  start(): Promise<S>;
  /** The service listens. */
  ready(started: S): void;
  /** The process was told to stop, and drains. */
  draining(started: S): void;
  /** All is closed. */
  stopped(): void;
}

/**
 * Starts, runs until the process is told to stop, and drains. Rejects when the start fails. A start that
 * is told to stop is not waited for any longer than `START_STOP_MS`: what it was about to do is undone
 * by the next start, as after a crash.
 */
export async function runService<S extends Started>(run: ServiceRun<S>): Promise<void> {
  const stopped = untilStopped();
  try {
    const starting = run.start();
    const started = await Promise.race([starting, stopped.then(() => null)]);
    if (started === null) {
      await Promise.race([stopLate(starting), after(START_STOP_MS)]);
      return;
    }
    run.ready(started);
    await stopped;
    run.draining(started);
    await stop(started);
    run.stopped();
  } finally {
    endSoon();
  }
}

async function stopLate(starting: Promise<Started>): Promise<void> {
  // Why it could not start does not matter any more.
  const started = await starting.catch(() => null);
  if (started !== null) await stop(started);
}

async function stop({ service, announced }: Started): Promise<void> {
  announced.withdraw();
  await service.stop();
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Uses something that is open already; if that fails it is closed. */
export async function orClose<T>(act: () => Promise<T>, close: () => Promise<void>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    await close();
    throw error;
  }
}
