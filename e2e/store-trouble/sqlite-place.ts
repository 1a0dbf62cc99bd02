/** A server on SQLite, and how its file gets into trouble. No right is needed that an ordinary user has not. */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';
import { freePort, startServer } from '../parts/server-process.ts';
import {
  type Kind,
  limitFiles,
  makePulses,
  NEEDS_LIMIT,
  type Place,
  type Pulses,
} from './place.ts';

/** How long a write waits for the lock: longer than a pulse of `slow`. Milliseconds. */
const WAIT_MS = 1_600;

interface SqlitePlace extends Place {
  readonly file: string;
  lock(): Promise<void>;
  unlock(): Promise<void>;
  readonly pulses: Pulses;
}

/** Reads continue during writes. */
const READABLE = { reads: 'answered', isCertain: true } as const;
const AT_ONCE = { ...READABLE, answerMsMax: 0, holdMsMin: 1_000 } as const;

export const SQLITE: Kind<SqlitePlace> = {
  name: 'SQLite',
  isHere: () => true,
  open: openPlace,
  ways: [
    {
      ...READABLE,
      trouble: 'away',
      name: 'another process has the file locked',
      answerMsMax: WAIT_MS,
      holdMsMin: WAIT_MS + 500,
      begin: (place) => place.lock(),
      end: (place) => place.unlock(),
    },
    {
      ...AT_ONCE,
      ...NEEDS_LIMIT,
      trouble: 'read-only',
      name: 'no file can be written',
      begin: (place) => limit(place, 0),
      end: (place) => limit(place, null),
    },
    {
      ...AT_ONCE,
      ...NEEDS_LIMIT,
      trouble: 'full',
      name: 'no file can grow',
      begin: (place) => limit(place, largestSize(place)),
      end: (place) => limit(place, null),
    },
    {
      ...READABLE,
      trouble: 'slow',
      name: 'another process locks the file again and again',
      answerMsMax: WAIT_MS,
      holdMsMin: 1_000,
      begin: (place) => place.pulses.begin(),
      end: (place) => place.pulses.end(),
    },
  ],
};

async function openPlace(): Promise<SqlitePlace> {
  const dataDir = makeTempFolder();
  const env = { MATCHD_STORE_WAIT_MS: `${WAIT_MS}` };
  const server = await startServer({ port: await freePort(), dataDir, env });
  const file = join(dataDir, 'matchd.db');
  const other = new DatabaseSync(file);
  other.exec('PRAGMA busy_timeout = 5000');
  const lock = async () => other.exec('BEGIN IMMEDIATE');
  const unlock = async () => other.exec('ROLLBACK');
  return {
    server,
    file,
    lock,
    unlock,
    pulses: makePulses(lock, unlock),
    async close() {
      other.close();
      await server.kill();
      removeFolder(dataDir);
    },
  };
}

async function limit({ server }: SqlitePlace, bytes: number | null): Promise<void> {
  limitFiles(server.pid, bytes);
}

/** Of the database and of its log. */
function largestSize({ file }: SqlitePlace): number {
  return Math.max(...[file, `${file}-wal`].map((each) => statSync(each).size));
}
