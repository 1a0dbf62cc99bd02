/** The embedded store: one file, one writer with group commit, and a connection for reads. */

import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { OnBatch } from '../shared/batches.ts';
import type { Store } from '../whole-store.ts';
import { makeAreas } from './areas.ts';
import { migrate, pendingMigrations } from './file/migrate.ts';
import { hasRoom, isFileFault, LOCK_WAIT_MS, openDatabase } from './file/open.ts';
import { makeRunner } from './runner.ts';
import { makeSecretStore } from './secrets.ts';
import { makeBatchWriter } from './writer/batch-writer.ts';
import { headFileOf } from './writer/commit-head.ts';
import { makeGate } from './writer/gate.ts';
import { type GroupCommit, startGroupCommit } from './writer/group-commit.ts';
import { makeTurnWriter } from './writer/turn-writer.ts';

/** Only the service's own user may read the file. */
const FILE_MODE = 0o600;

export interface SqliteOptions {
  /** How long a write waits for another process's lock on the file, in milliseconds. */
  readonly waitMs?: number;
  /** Counts commits and notes the last one beside the file: for the serving process, which holds its lock. */
  readonly isServing?: boolean;
  /**
   * Writes without a thread of its own, which takes half as long to open: for a command. While a
   * write waits for another process's lock, so does everything else.
   */
  readonly isBrief?: boolean;
  /** Called for each transaction of the writer. */
  readonly onBatch?: OnBatch;
}

/**
 * Opens the file, created and migrated if need be. Only one process may serve from it at a time
 * (`takeServeLock`); others may change tenants and keys. Rejects, naming the file, when it is
 * another program's or cannot be written; nothing is left open then.
 */
export async function openSqliteStore(file: string, options: SqliteOptions = {}): Promise<Store> {
  await using opened = new AsyncDisposableStack();
  try {
    const store = await open(file, options, opened);
    opened.move();
    return store;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const isFull = isFileFault(error) && existsSync(file) && !hasRoom(file);
    const why = isFull ? `${reason}; its disk is full` : reason;
    throw new Error(`${file} cannot be opened as matchd's database: ${why}`, { cause: error });
  }
}

/** A process that cannot write must not go on: the next one finds everything that was committed. */
function crash(file: string, reason: string): void {
  setImmediate(() => {
    throw new Error(`${file}: ${reason}`);
  });
}

/** Throws for a file of another program or of a newer matchd, before changing it. */
function checkOurs(file: string): void {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) return;
  const db = openDatabase(file, 'read');
  try {
    pendingMigrations(db);
  } finally {
    db.close();
  }
}

/** Created before SQLite creates it, which would let others read it. A new log copies the file's mode. */
function makePrivate(file: string): void {
  closeSync(openSync(file, 'a', FILE_MODE));
  for (const ending of ['', '-wal', '-shm']) {
    if (existsSync(`${file}${ending}`)) chmodSync(`${file}${ending}`, FILE_MODE);
  }
}

/** A connection for reads to a file that is migrated if need be. */
function openMigrated(file: string, waitMs?: number): DatabaseSync {
  const db = openDatabase(file, 'write', waitMs);
  try {
    migrate(db);
    // Opened before the other is closed: the last close checkpoints the log, which may take long.
    return openDatabase(file, 'read', waitMs);
  } finally {
    db.close();
  }
}

/** Writes in this thread. */
function openTurnWriter(file: string, waitMs: number = LOCK_WAIT_MS): GroupCommit {
  const db = openDatabase(file, 'write', waitMs);
  // Another connection reads: nothing has to wait for an open transaction.
  const writer = makeTurnWriter(makeBatchWriter(db, { waitMs, head: null }), makeGate());
  return {
    ...writer,
    async close(before) {
      await writer.close(before);
      db.close();
    },
  };
}

async function open(
  file: string,
  { waitMs, isServing = false, isBrief = false, onBatch }: SqliteOptions,
  opened: AsyncDisposableStack,
): Promise<Store> {
  checkOurs(file);
  makePrivate(file);
  const readDb = opened.adopt(openMigrated(file, waitMs), (db) => db.close());
  const writer = isBrief
    ? openTurnWriter(file, waitMs)
    : await startGroupCommit(
        {
          file,
          waitMs: waitMs ?? LOCK_WAIT_MS,
          headFile: isServing ? headFileOf(file) : null,
        },
        (reason) => crash(file, reason),
        onBatch,
      );
  const runner = makeRunner(writer, readDb);
  const areas = makeAreas({ writer, runner });
  return {
    ...areas,
    ...makeSecretStore(readDb, () => openDatabase(file, 'write', waitMs)),
    ping: async () => (await areas.ping()) && hasRoom(file),
    async close() {
      // The writer closes the file last: a read-only connection would leave the log behind.
      await writer.close(() => readDb.close());
    },
  };
}
