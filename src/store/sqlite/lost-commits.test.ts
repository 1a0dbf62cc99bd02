/** Any damage to a write-ahead log is noticed, missing records are named, and nothing else raises an alarm. */

import { afterAll, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import fs from 'node:fs';
import { join } from 'node:path';
import { makeSeededRandomness } from '../../testing/seeded-randomness.ts';
import { makeTempFolder, removeFolder } from '../../testing/temp-folder.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import { append, created, entryOf, sessionId } from '../contract/stage.ts';
import type { Store } from '../whole-store.ts';
import { openDatabase } from './file/open.ts';
import { findLostCommits, type LostCommits } from './lost-commits.ts';
import { openSqliteStore } from './sqlite-store.ts';
import { headFileOf, readHead } from './writer/commit-head.ts';

setDefaultTimeout(60_000);

const NOW = Date.UTC(2026, 10, 14);
const SESSIONS = 12;
const RECORDS = 20;
/** Bytes of a log's header, and of one of our frames. */
const WAL_HEADER_BYTES = 32;
const FRAME_BYTES = 24 + 4_096;

const folder = makeTempFolder();
afterAll(() => removeFolder(folder));
let files = 0;
let file: string;
beforeEach(() => {
  file = join(folder, `${files++}.db`);
});

const serve = (): Promise<Store> => openSqliteStore(file, { isServing: true });
const wal = (): string => `${file}-wal`;

/** Plays in some sessions. Nothing is checkpointed: everything but the schema may be only in the log. */
async function play(store: Store, from = 1, to = RECORDS): Promise<void> {
  for (let n = 0; n < SESSIONS; n++) if (from === 1) await created(store, n);
  for (let v = from; v <= to; v++) {
    for (let n = 0; n < SESSIONS; n++) await append(store, sessionId(n), [entryOf(v)]);
  }
}

/** The files as a process killed now would leave them; the store continues with the originals. */
function snapshot(name: string): string {
  const copy = join(folder, `${name}-${files++}.db`);
  for (const ending of ['', '-wal', '-head']) {
    if (fs.existsSync(file + ending)) fs.copyFileSync(file + ending, copy + ending);
  }
  return copy;
}

/** What SQLite itself reads: versions by session, and the number of the last commit. */
function readWith(database: string): { versions: Map<string, number>; commits: number } {
  const db = openDatabase(database, 'read');
  try {
    const rows = db.prepare('SELECT session, max(v) AS v FROM log GROUP BY session').all();
    const versions = new Map(rows.map((row) => [String(row['session']), Number(row['v'])]));
    const row = db.prepare("SELECT n FROM revision WHERE name = 'commits'").get();
    return { versions, commits: Number(row?.['n'] ?? 0) };
  } catch (error) {
    // Even the schema was only in the log.
    if (!String(error).includes('no such table')) throw error;
    return { versions: new Map(), commits: 0 };
  } finally {
    db.close();
  }
}

function damage(database: string, change: (bytes: Buffer) => Buffer): void {
  const path = `${database}-wal`;
  fs.writeFileSync(path, change(fs.readFileSync(path)));
}

const flip = (at: number) => (bytes: Buffer) => {
  bytes[at]! ^= 0x10;
  return bytes;
};

test(`[F3] one flipped bit anywhere in the log: missing commits are counted and named (seed ${TEST_SEED})`, async () => {
  const store = await serve();
  await play(store);
  const { size } = fs.statSync(wal());
  const chance = makeSeededRandomness(TEST_SEED);
  const head = readHead(headFileOf(file))!;
  let alarms = 0;
  for (let round = 0; round < 40; round++) {
    const at = Buffer.from(chance.bytes(4)).readUInt32BE(0) % size;
    const copy = snapshot('flipped');
    damage(copy, flip(at));
    const found = findLostCommits(copy, NOW);
    const { versions, commits } = readWith(copy);
    expect([at, found?.commits ?? 0]).toEqual([at, head - commits]);
    const named = new Map(found?.sessions.map((each) => [each.session, each.kept]) ?? []);
    for (let n = 0; n < SESSIONS; n++) {
      const left = versions.get(sessionId(n)) ?? null;
      // A damaged page may hide a session.
      if (named.has(sessionId(n))) expect(named.get(sessionId(n))).toBe(left);
    }
    alarms += found === null ? 0 : 1;
    if (found !== null) expect(fs.existsSync(found.log!)).toBe(true);
  }
  // The file may be longer than its valid part.
  expect(alarms).toBeGreaterThan(30);
  await store.close();
});

test('[F3] a damaged frame: each session that lost records is named, with what is left and what was written', async () => {
  const store = await serve();
  await play(store);
  const copy = snapshot('named');
  const frames = Math.floor((fs.statSync(wal()).size - WAL_HEADER_BYTES) / FRAME_BYTES);
  const before = readWith(snapshot('whole')).versions;
  damage(copy, flip(WAL_HEADER_BYTES + Math.floor(frames / 2) * FRAME_BYTES + 5));
  const found = findLostCommits(copy, NOW)!;
  const after = readWith(copy).versions;
  const missing = [...before].filter(([session, v]) => (after.get(session) ?? -1) < v);
  expect(missing.length).toBe(SESSIONS);
  const lost = missing.map(([session, written]) => ({
    session,
    kept: after.get(session) ?? null,
    written,
  }));
  const bySession = (a: { session: string }, b: { session: string }) =>
    a.session < b.session ? -1 : 1;
  expect([...found.sessions].sort(bySession)).toEqual(lost.sort(bySession));
  await store.close();
});

const WAYS: Record<string, (bytes: Buffer) => Buffer> = {
  'its header is damaged': flip(17),
  'its first frame is damaged': flip(WAL_HEADER_BYTES + 30),
  'it is cut off': (bytes) => bytes.subarray(0, bytes.length >> 1),
  'it is empty': () => Buffer.alloc(0),
};

for (const [how, change] of Object.entries(WAYS)) {
  test(`[F3] a log is noticed that ${how}`, async () => {
    const store = await serve();
    await play(store);
    const copy = snapshot('way');
    damage(copy, change);
    expect(findLostCommits(copy, NOW)!.commits).toBeGreaterThan(0);
    await store.close();
  });
}

test('[F3] a missing log and a missing database are noticed', async () => {
  const store = await serve();
  await play(store);
  const head = readHead(headFileOf(file))!;
  expect(head).toBeGreaterThan(SESSIONS * RECORDS);
  const copy = snapshot('gone');
  fs.rmSync(`${copy}-wal`);
  expect(findLostCommits(copy, NOW)).toEqual({
    commits: expect.any(Number),
    sessions: [],
    log: null,
  });
  const none = snapshot('none');
  fs.rmSync(`${none}-wal`);
  fs.rmSync(none);
  expect(findLostCommits(none, NOW)).toEqual({ commits: head, sessions: [], log: null });
  await store.close();
});

test('[F3] a log from before a checkpoint, restored over a newer one, is noticed', async () => {
  const store = await serve();
  await play(store, 1, 5);
  const older = snapshot('older');
  await play(store, 6, 10);
  const newer = snapshot('newer');
  fs.copyFileSync(older, newer);
  fs.copyFileSync(`${older}-wal`, `${newer}-wal`);
  const { commits } = findLostCommits(newer, NOW) as LostCommits;
  expect(commits).toBe(readHead(headFileOf(newer))! - readHead(headFileOf(older))!);
  await store.close();
});

test('[F3] no false alarm: after a crash at any moment, an orderly end, a checkpoint, other writers', async () => {
  let store = await serve();
  await play(store, 1, 3);
  for (let v = 4; v < 10; v++) {
    await play(store, v, v);
    expect(findLostCommits(snapshot('crash'), NOW)).toBeNull();
  }
  const db = openDatabase(file, 'write');
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  expect(findLostCommits(snapshot('checkpoint'), NOW)).toBeNull();
  await play(store, 10, 11);
  expect(findLostCommits(snapshot('after'), NOW)).toBeNull();
  await store.close();
  expect(findLostCommits(file, NOW)).toBeNull();
  // A command, and a matchd from before commits were counted.
  store = await openSqliteStore(file);
  await play(store, 12, 12);
  await store.close();
  expect(findLostCommits(file, NOW)).toBeNull();
  store = await serve();
  const other = await openSqliteStore(file);
  await Promise.all([store.heartbeat('a', 1), other.heartbeat('b', 2), store.heartbeat('a', 3)]);
  await other.close();
  expect(findLostCommits(snapshot('both'), NOW)).toBeNull();
  await store.close();
  expect(findLostCommits(file, NOW)).toBeNull();
});

test('[F3] no false alarm: a commit number that is behind, unreadable, old, or missing', async () => {
  const store = await serve();
  await play(store, 1, 2);
  const behind = fs.readFileSync(headFileOf(file));
  await play(store, 3, 4);
  await store.close();
  for (const text of [
    behind,
    '',
    'x',
    '0000000000000009 0000000000000008\n',
    `${behind}${behind}`,
  ]) {
    fs.writeFileSync(headFileOf(file), text);
    expect(findLostCommits(file, NOW)).toBeNull();
  }
  fs.rmSync(headFileOf(file));
  expect(findLostCommits(file, NOW)).toBeNull();
  expect(findLostCommits(join(folder, 'nowhere.db'), NOW)).toBeNull();
});

test('[F3] a failed write is no commit, and the next one gets its number', async () => {
  const store = await serve();
  await created(store, 1);
  const before = readHead(headFileOf(file))!;
  // One of them fails the batch: each then gets its own transaction.
  const corrupt = append(store, sessionId(1), [entryOf(1), entryOf(1)], { awake: true });
  const fine = append(store, sessionId(1), [entryOf(1)], { awake: true });
  expect([await corrupt, await fine]).toEqual(['unknown', 'committed']);
  expect(readHead(headFileOf(file))!).toBeGreaterThan(before);
  expect(findLostCommits(snapshot('failed'), NOW)).toBeNull();
  await store.close();
});

test('[F3] the commit number is readable for its owner only, and is the only content of its file', async () => {
  const store = await serve();
  await created(store, 1);
  expect(fs.statSync(headFileOf(file)).mode & 0o777).toBe(0o600);
  expect(fs.readFileSync(headFileOf(file), 'latin1')).toMatch(/^\d{16} \d{16}\n$/);
  await store.close();
  const bare = await openSqliteStore(join(folder, 'bare.db'));
  await bare.close();
  expect(fs.existsSync(headFileOf(join(folder, 'bare.db')))).toBe(false);
});
