/** A real server on a real database that gets into trouble when a test says so. */

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { ServerProcess } from '../parts/server-process.ts';

export type Trouble = 'away' | 'read-only' | 'full' | 'slow';

/** One way into a trouble and out of it. */
export interface Way<P extends Place> {
  readonly trouble: Trouble;
  /** How the trouble comes about, for the title of a test. */
  readonly name: string;
  /** What asks for nothing but a read gets meanwhile. `leased`: an answer, while requests of the plan are leased (N20). */
  readonly reads: 'answered' | 'leased' | 'away';
  /** Does the store know that it did not do what it refuses? Else a write may be done late. */
  readonly isCertain: boolean;
  /** What is asked for is answered within so long. Milliseconds. */
  readonly answerMsMax: number;
  /** The trouble lasts so long at least, to be seen. Milliseconds. */
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

/** A lock of another program lasts so long, is let go, and returns: each write takes over a second. Ms. */
const LOCKED_MS = 1_250;
const FREE_MS = 300;

export interface Pulses {
  begin(): Promise<void>;
  end(): Promise<void>;
}

/** Takes a lock and lets it go, again and again. */
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
/** Of ways with `limitFiles`. Of Linux: elsewhere they are left out. */
export const NEEDS_LIMIT = { needs: PRLIMIT } as const;

/** No file that a process writes to grows beyond so many bytes; null: as large as it likes. */
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
