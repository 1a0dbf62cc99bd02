/** `matchd doctor` on the machine: runtime, SQLite, open files, the disk's room, kind and speed. */

import fs from 'node:fs';
import path from 'node:path';
import { RUNTIME, VERSION } from '../../build.ts';
import { FILE_MODE } from '../../runtime/whole-file.ts';
import { freeBytes, openDatabase } from '../../store/sqlite/file/open.ts';
import { printBytes } from '../store/data-file.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/** The oldest that have everything the service asks of them: SQLite 3.51.3, argon2. */
const RUNTIME_MIN: Readonly<Record<string, readonly [number, number]>> = {
  bun: [1, 4],
  node: [24, 7],
};
/** A socket takes one; below this a plan's thousand sockets do not fit. */
const OPEN_FILES_MIN = 4_096;
const FREE_BYTES_FAIL = 100_000_000;
const FREE_BYTES_WARN = 1_000_000_000;
/** Every move waits for one flush, so this is a player's minimum wait. Milliseconds, median. */
const FLUSH_MS_WARN = 20;
const FLUSH_MS_FAIL = 200;
/** Quicker than any disk: somebody says it is written when it is not. */
const FLUSH_MS_MIN = 0.01;
const FLUSHES = 40;
const FLUSH_BYTES = 4_096;

/** `statfs` types: file systems that live in memory, and those on which SQLite's log does not work. */
const IN_MEMORY = new Set([0x0102_1994, 0x8584_58f6]);
const REMOTE = new Set([0x6969, 0xff53_4d42, 0xfe53_4d42, 0x517b]);

export function checkRuntime(): Finding {
  const { name, version } = RUNTIME;
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [majorMin, minorMin] = RUNTIME_MIN[name]!;
  const found = `matchd ${VERSION} on ${name} ${version}`;
  const isNew = major > majorMin || (major === majorMin && minor >= minorMin);
  return isNew
    ? ok('runtime', found)
    : fail('runtime', found, `use ${name} ${majorMin}.${minorMin} or newer`);
}

/** Opening checks the version. */
export function checkSqlite(): Finding {
  const db = openDatabase(':memory:', 'write');
  const { version } = db.prepare('SELECT sqlite_version() AS version').get() as { version: string };
  db.close();
  return ok('sqlite', version);
}

/** Null where the system does not say. */
export function checkOpenFiles(): Finding | null {
  const file = '/proc/self/limits';
  if (!fs.existsSync(file)) return null;
  const found = /^Max open files\s+(\S+)/m.exec(fs.readFileSync(file, 'utf8'))?.[1] ?? '';
  const limit = found === 'unlimited' ? Number.POSITIVE_INFINITY : Number(found);
  return limit >= OPEN_FILES_MIN
    ? ok('open files', found)
    : warn('open files', found, 'raise it: LimitNOFILE=65536 in the unit, or ulimit -n 65536');
}

export function checkFreeSpace(folder: string, databaseBytes: number): Finding {
  const free = freeBytes(folder);
  const found = `${printBytes(free)} free for ${printBytes(databaseBytes)} of data`;
  if (free < FREE_BYTES_FAIL)
    return fail('disk space', found, 'free some space: a full disk stops all matches');
  return free < Math.max(FREE_BYTES_WARN, databaseBytes)
    ? warn('disk space', found, 'free some space: a backup or a restore needs as much as the data')
    : ok('disk space', found);
}

export function checkFileSystem(folder: string): Finding {
  const { type } = fs.statfsSync(folder);
  const found = `type 0x${type.toString(16)}`;
  if (IN_MEMORY.has(type)) {
    return warn(
      'file system',
      `${found}, in memory`,
      'move the data to a disk: memory is lost at a restart',
    );
  }
  return REMOTE.has(type)
    ? fail('file system', `${found}, over the network`, 'move the data to a local disk')
    : ok('file system', found);
}

/** Writes and flushes as a commit does, in a file that is then removed. */
export function checkFlush(folder: string): Finding {
  const file = path.join(folder, `.doctor-${process.pid}`);
  const opened = fs.openSync(file, 'wx', FILE_MODE);
  const times: number[] = [];
  try {
    const block = Buffer.alloc(FLUSH_BYTES, 1);
    for (let i = 0; i < FLUSHES; i++) {
      const began = performance.now();
      fs.writeSync(opened, block, 0, FLUSH_BYTES, i * FLUSH_BYTES);
      fs.fdatasyncSync(opened);
      times.push(performance.now() - began);
    }
  } finally {
    fs.closeSync(opened);
    fs.rmSync(file, { force: true });
  }
  return judgeFlush(times);
}

/** `times` in milliseconds, at least one. */
export function judgeFlush(times: readonly number[]): Finding {
  const sorted = [...times].sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)]!;
  const found = `${median.toFixed(2)} ms, slowest ${sorted.at(-1)!.toFixed(1)} ms of ${sorted.length}`;
  if (median >= FLUSH_MS_FAIL)
    return fail('flush to disk', found, 'every move waits this long: use another disk');
  if (median >= FLUSH_MS_WARN)
    return warn('flush to disk', found, 'every move waits this long: prefer an SSD');
  return median < FLUSH_MS_MIN
    ? warn('flush to disk', found, 'too fast to be durable: check that the disk really flushes')
    : ok('flush to disk', found);
}
