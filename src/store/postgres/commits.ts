/** Appends to the logs of matches: many in one statement, or in one transaction with what they change. */

import type { CommitOutcome, MatchCommit } from '../store.ts';
import { isOfData } from './connection.ts';
import type { Database, HeadListener } from './database.ts';
import { appendEvents, makeEventGatherer, toHead } from './event-append.ts';
import { applyChanges, sleepSessions, waitElsewhere } from './session-changes.ts';
import { columnsOf, insertRecords, type LogRow } from './session-rows.ts';
import type { Sql, Tx } from './sql.ts';
import { namesOfSeekers, roundsOf } from './waiting.ts';

/** A commit on its way, or a session on its way to sleep. */
export type SessionWork =
  | {
      readonly session: string;
      readonly commit: MatchCommit;
      /** Its entries, written down. */
      readonly rows: readonly LogRow[];
      readonly done: (outcome: CommitOutcome) => void;
    }
  | {
      readonly session: string;
      readonly wakeAt: number | null;
      readonly done: (error: Error | null) => void;
    };

export type CommitWork = Extract<SessionWork, { commit: MatchCommit }>;
export type SleepWork = Exclude<SessionWork, CommitWork>;

/** Who writes, and who is told of it. */
export interface CommitTools {
  readonly db: Database;
  readonly node: string;
  readonly onHead: HeadListener;
}

/**
 * Records first: who waits for the lock on the head of a log of events has written all else. A
 * version that is there already makes all of it fail.
 */
const APPEND_ALL = `WITH
  logged AS (
    INSERT INTO log (session, v, at, record)
    SELECT * FROM unnest($1::text[], $2::int[], $3::bigint[], $4::text[]) RETURNING 1
  ),
  ${appendEvents(5, '(SELECT count(*) FROM logged) > 0')}`;

const APPEND_FIRSTS = `INSERT INTO log (session, v, at, record)
  SELECT * FROM unnest($1::text[], $2::int[], $3::bigint[], $4::text[])
  ON CONFLICT DO NOTHING RETURNING session`;

/** Commits of different sessions that change nothing beside their logs. Tells each. */
export async function appendMoves(
  { db, node, onHead }: CommitTools,
  batch: readonly CommitWork[],
): Promise<void> {
  const sorted = sortBySession(batch);
  const events = makeEventGatherer();
  for (const { commit } of sorted) for (const event of commit.events ?? []) events.add(event);
  const records = columnsOf(sorted.flatMap(({ rows }) => rows));
  try {
    const heads = await db.all(APPEND_ALL, ...records, ...events.columns());
    for (const row of heads) {
      const { world, head } = toHead(row);
      onHead(world, head);
    }
    for (const { done } of batch) done('committed');
  } catch (error) {
    // Somebody else has written one of the versions, most likely: find out whose.
    if (isOfData(error)) await commitTogether(db, node, batch);
    else for (const { done } of batch) done('unknown');
  }
}

/** Work on different sessions. Tells each. */
export async function commitChanges(
  { db, node }: CommitTools,
  batch: readonly SessionWork[],
): Promise<void> {
  const sleeps = batch.filter((each): each is SleepWork => !('commit' in each));
  const commits = batch.filter((each): each is CommitWork => 'commit' in each);
  // Whether somebody waits elsewhere is looked up under locks that others should not wait for, and of
  // a player who stands there twice it cannot be said.
  const queued = commits.filter(({ commit }) => commit.change?.queued === true);
  const others = commits.filter((each) => !queued.includes(each));
  if (sleeps.length > 0) await putToSleep(db, node, sleeps);
  if (others.length > 0) await commitTogether(db, node, others);
  const seekersOf = ({ commit }: CommitWork) => namesOfSeekers(commit, commit.change?.seats ?? []);
  for (const round of roundsOf(queued, seekersOf)) await commitTogether(db, node, round);
}

async function putToSleep(db: Database, node: string, sleeps: readonly SleepWork[]): Promise<void> {
  try {
    await sleepSessions(db, node, sleeps);
    for (const { done } of sleeps) done(null);
  } catch (error) {
    const reason = error instanceof Error ? error : new Error(String(error));
    for (const { done } of sleeps) done(reason);
  }
}

/** In one transaction; if one of them spoils it, each in its own. */
async function commitTogether(
  db: Database,
  node: string,
  batch: readonly CommitWork[],
): Promise<void> {
  const sorted = sortBySession(batch);
  try {
    const winners = await appendWithin(db, node, sorted);
    for (const { session, done } of batch) done(winners.has(session) ? 'committed' : 'conflict');
  } catch (error) {
    if (batch.length > 1 && isOfData(error)) {
      for (const each of batch) await commitTogether(db, node, [each]);
    } else {
      // What was refused was not kept either; whoever reads the log will see.
      for (const { done } of batch) done('unknown');
    }
  }
}

/** Sessions that must not have their new players, who wait elsewhere. */
class Elsewhere extends Error {
  readonly sessions: ReadonlySet<string>;
  constructor(sessions: ReadonlySet<string>) {
    super('some of the players wait elsewhere');
    this.sessions = sessions;
  }
}

/** Answers the sessions that have what is appended: those whose players wait elsewhere are left out. */
async function appendWithin(
  db: Database,
  node: string,
  works: readonly CommitWork[],
): Promise<ReadonlySet<string>> {
  let left = works;
  while (left.length > 0) {
    try {
      return await db.transaction((tx) => append(tx, node, left));
    } catch (error) {
      if (!(error instanceof Elsewhere)) throw error;
      left = left.filter(({ session }) => !error.sessions.has(session));
    }
  }
  return new Set();
}

/** Appends those that nobody was faster than, with all they change; answers their sessions. Throws `Elsewhere`. */
async function append(
  tx: Tx,
  node: string,
  works: readonly CommitWork[],
): Promise<ReadonlySet<string>> {
  const winners = await appendFirsts(tx, works);
  const winning = works.filter(({ session }) => winners.has(session));
  await insertRecords(
    tx,
    winning.flatMap(({ rows }) => rows.slice(1)),
  );
  const won = winning.map(({ commit }) => commit);
  const queued = won.filter(({ change }) => change?.queued === true);
  if (queued.length > 0) {
    const elsewhere = await waitElsewhere(tx, queued);
    if (elsewhere.size > 0) throw new Elsewhere(elsewhere);
  }
  await applyChanges(tx, node, won);
  for (const { events = [] } of won) for (const event of events) tx.emit(event);
  return winners;
}

/** Whoever has the first of its versions has the others too: nobody writes past a gap. */
async function appendFirsts(sql: Sql, works: readonly CommitWork[]): Promise<Set<string>> {
  const firsts = works.map(({ rows }) => rows[0]!);
  const written = await sql.all(APPEND_FIRSTS, ...columnsOf(firsts));
  return new Set(written.map(({ session }) => String(session)));
}

/** The order in which all nodes write: none waits for another that waits for it. */
function sortBySession<T extends { readonly session: string }>(works: readonly T[]): T[] {
  return [...works].sort((a, b) => (a.session < b.session ? -1 : 1));
}
