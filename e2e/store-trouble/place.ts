/** A real server on a real database that gets into trouble when a test says so. */

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { ServerProcess } from '../parts/server-process.ts';

export type Trouble = 'away' | 'read-only' | 'full' | 'slow';

/** One way to cause a trouble and to end it. */
export interface Way<P extends Place> {
  readonly trouble: Trouble;
  /** How the trouble comes about, for the title of a test. */
  readonly name: string;
  /** The responses to reads meanwhile. `leased`: successful, while requests of the plan are leased (N20). */
  readonly reads: 'answered' | 'leased' | 'away';
  /** Whether the store knows that a refused write was not done. Otherwise a write may be done late. */
  readonly isCertain: boolean;
  /** Requests are answered within this time. Milliseconds. */
  readonly answerMsMax: number;
  /** The shortest trouble that is noticed. Milliseconds. */
  readonly holdMsMin: number;
  /** A program without which the way cannot be gone. */
  readonly needs?: string;
  begin(place: P): Promise<void>;
  end(place: P): Promise<void>;
}

export interface Place {
  readonly server: ServerProcess;
  close(): Promise<void>;
}

/** A database that a server of ours stores in. */
export interface Kind<P extends Place> {
  readonly name: string;
  readonly ways: readonly Way<P>[];
  /** False where it is not installed, which is said aloud. */
  isHere(): boolean;
  open(): Promise<P>;
}

/** Another program repeatedly holds a lock for this long: each write takes over a second. Ms. */
const LOCKED_MS = 1_250;
const FREE_MS = 300;

export interface Pulses {
  begin(): Promise<void>;
  end(): Promise<void>;
}

/** Takes a lock and releases it, again and again. */
export function makePulses(lock: () => Promise<void>, unlock: () => Promise<void>): Pulses {
  let isOn = false;
  let pulsing = Promise.resolve();
  const pulse = async (): Promise<void> => {
    while (isOn) {
      await Bun.sleep(LOCKED_MS);
      await unlock();
      await Bun.sleep(FREE_MS);
      if (isOn) await lock();
    }
  };
  return {
    async begin(): Promise<void> {
      await lock();
      isOn = true;
      pulsing = pulse();
    },
    async end(): Promise<void> {
      isOn = false;
      await pulsing;
    },
  };
}

const PRLIMIT = 'prlimit';
/** For cases with `limitFiles`. Linux only. */
export const NEEDS_LIMIT = { needs: PRLIMIT } as const;

/** No file that the process writes may grow beyond this many bytes; null: no limit. */
export function limitFiles(
  pid: number,
  bytes: number | null,
  user: { readonly uid: number; readonly gid: number } | null = null,
): void {
  const args = ['--pid', `${pid}`, `--fsize=${bytes ?? 'unlimited'}:unlimited`];
  try {
    execFileSync(PRLIMIT, args, { ...user, cwd: '/', stdio: 'pipe' });
  } catch (error) {
    // A connection's process may have ended.
    if (existsSync(`/proc/${pid}`)) throw error;
  }
}
