/** How a session gets into memory: read its log, see which node owned it, and run the work that this requires. */

import { makeCommandIndex } from '../../match/commands.ts';
import { RulesMissingError } from '../../match/evolve.ts';
import type { MadeSession, StoredSession } from '../../store/store.ts';
import { extendChain, startChain } from '../signing/log-chain.ts';
import { foldLog } from './fold.ts';
import { breakMatch, breakOnce, enqueue, next, post, recordLostTime } from './mailbox.ts';
import { forgetIn } from './match-names.ts';
import { heldMatch, isHeld, type Loading, type Match, type MatchTable } from './match-table.ts';
import { lostIn, waitedMs } from './match-time.ts';
import { answer, NOT_FOUND, UNAVAILABLE, UNDONE } from './refusals.ts';
import { noteReadFailure } from './reloads.ts';
import { NO_ALARM } from './time/alarms.ts';
import {
  type Arrival,
  INTERRUPTION_MS,
  interruptedSince,
  noLostTime,
  noteInterruption,
} from './time/lost-time.ts';
import { TICK, type Work, type WorkResult } from './work.ts';

/** A session whose rules are not loaded is retried after so long. */
const RULES_RETRY_MS = 60_000;

/** Puts work into a session's mailbox; the session is read first if it is not in memory. */
export function run(table: MatchTable, id: string, work: Work): void {
  const found = table.sessions.get(id);
  if (found?.phase === 'loading') post(found.mailbox, work);
  else if (found !== undefined && isHeld(found)) enqueue(table, found, work);
  else {
    const loading: Loading = {
      phase: 'loading',
      leaving: found ?? null,
      mailbox: [work],
      erased: [],
    };
    table.sessions.set(id, loading);
    void load(table, id, loading);
  }
}

/** Runs work to its end; its own `done` is not called. */
export function runToEnd(
  table: MatchTable,
  id: string,
  work: Omit<Work, 'done'>,
): Promise<WorkResult> {
  return new Promise((resolve) =>
    run(table, id, {
      ...work,
      done(result) {
        resolve(result);
        return undefined;
      },
    }),
  );
}

/** Adopts a session that was just created, and its deadline: its players are about to come. */
export function adopt(table: MatchTable, made: MadeSession): void {
  const { id } = made.row;
  // Another call may have found it in the store already.
  const match = heldMatch(table, id) ?? replaceLoading(table, made);
  if (match.phase === 'asleep') match.phase = 'resting';
  const now = table.deps.clock.now();
  // Players who are connected by its log are about to attach. Those who do not are away.
  if (match.session.seats.some(({ connected }) => connected)) {
    table.wanted.set(id, { isPutAway: false, madeBefore: null, since: now });
  }
  // Creating the match took long: it began before anybody could see it.
  if (match.session.status === 'active' && now - match.session.at >= INTERRUPTION_MS) {
    try {
      noteInterruption(match.lost, match.session, match.session.at, now);
      recordLostTime(table, match);
    } catch (error) {
      breakOnce(table, match, error);
    }
  }
  next(table, match);
}

function replaceLoading(table: MatchTable, made: MadeSession): Match {
  const loading = table.sessions.get(made.row.id);
  const match = admit(table, made);
  if (loading?.phase === 'loading') moveIn(loading, match);
  return match;
}

/** Work that arrived for a session while it was being read. */
function moveIn(loading: Loading, match: Match): void {
  for (const player of loading.erased) forgetIn(match, player);
  match.mailbox.push(...loading.mailbox.splice(0));
}

/** The result of a read of a session that may be owned here. */
interface Found {
  readonly stored: StoredSession;
  readonly arrival: Arrival;
}

async function load(table: MatchTable, id: string, loading: Loading): Promise<void> {
  const askedAt = table.deps.clock.now();
  const { leaving } = loading;
  // The content of its log is unknown until then.
  if (leaving !== null) await new Promise<void>((go) => leaving.whenAnswered.push(go));
  const found = await find(table, id).catch((error: unknown) => {
    noteReadFailure(table, id, error);
    return null;
  });
  // Its creator has adopted it meanwhile, with the waiting work, or all sessions were dropped.
  if (table.sessions.get(id) !== loading) return;
  table.sessions.delete(id);
  const match =
    found === null ? UNAVAILABLE : 'kind' in found ? found : takeIn(table, found, askedAt);
  if ('kind' in match) {
    // For a session that could not be read it still counts.
    if (found !== null) table.seized.delete(id);
    for (const work of loading.mailbox) answer(work, match);
    return;
  }
  moveIn(loading, match);
  next(table, match);
}

async function find(table: MatchTable, id: string): Promise<Found | WorkResult> {
  const stored = await table.deps.store.loadSession(id);
  if (stored === null) return NOT_FOUND;
  if (await isElsewhere(table, stored)) return UNDONE;
  return { stored, arrival: await arrivalOf(table, stored) };
}

function takeIn(
  table: MatchTable,
  { stored, arrival }: Found,
  askedAt: number,
): Match | WorkResult {
  const { deps } = table;
  const { id } = stored.row;
  let match: Match;
  try {
    match = admit(table, stored);
  } catch (error) {
    // A log without a readable beginning can be owned by no node and is not offered again. A session whose rules are
    // not loaded here is offered again: the rules may be loaded by then, or another node may have them.
    const isWanting = error instanceof RulesMissingError && stored.row.status !== 'ended';
    const wakeAt = isWanting ? deps.clock.now() + RULES_RETRY_MS : null;
    table.wanted.delete(id);
    deps.store.sleep([{ id, wakeAt }]).catch(() => undefined);
    deps.onBroken(id, error, stored.row.game);
    return UNAVAILABLE;
  }
  if (stored.holder === deps.node && stored.wakeAt === null) match.phase = 'resting';
  try {
    match.mailbox.push(...firstWork(table, match, arrival, askedAt));
  } catch (error) {
    breakOnce(table, match, error);
  }
  return match;
}

/** The store holds its deadline until a commit. A log without a beginning throws. */
function admit(table: MatchTable, stored: MadeSession): Match {
  const { session, error } = foldLog(
    table.deps.games,
    stored.row.id,
    stored.entries,
    table.runRules,
  );
  const now = table.deps.clock.now();
  // Stalls before the load are not time that this match lost here.
  table.pulse.check(now);
  const match: Match = {
    phase: 'asleep',
    row: stored.row,
    roster: stored.roster,
    session,
    head: extendChain(startChain(stored.row), stored.entries),
    commands: makeCommandIndex(stored.entries),
    subscribers: [],
    mailbox: [],
    shown: session.v,
    position: null,
    isBroken: false,
    warned: -1,
    lost: noLostTime(table.downtime),
    pauseFrom: 0,
    aheadMs: Math.max(0, session.at - now),
    touchedAt: now,
    whenAnswered: [],
    alarmAt: NO_ALARM,
    room: null,
  };
  table.sessions.set(stored.row.id, match);
  // A log that cannot be followed to its end.
  if (error !== null && session.status !== 'ended') breakMatch(table, match, error);
  return match;
}

// ── the holder until now ──────────────────────────────────────────────────────────────────────

/** Has another live node taken it since the look-up? Its row is as old as its log. */
async function isElsewhere(
  { deps: { peers, node }, seized }: MatchTable,
  { row, holder }: StoredSession,
): Promise<boolean> {
  if (peers === undefined || seized.has(row.id)) return false;
  return (holder ?? node) !== node && peers.isElsewhere(row.id);
}

/** Which node it comes from. An owner that has written nothing into a sleeping session has served nobody. */
async function arrivalOf(table: MatchTable, stored: StoredSession): Promise<Arrival> {
  const { row, isAsleep, wakeAt } = stored;
  if (isAsleep || wakeAt !== null) return { from: 'sleep', wakeAt };
  if (table.seized.has(row.id)) return { from: 'holder', servedUntil: null };
  const owner = ownerOf(stored);
  if (owner === table.deps.node) return { from: 'self' };
  return { from: 'holder', servedUntil: await lastSignOf(table, owner) };
}

/** When a dead node gave its last sign of life, ms since 1970; null if unknown. */
async function lastSignOf({ deps }: MatchTable, node: string | null): Promise<number | null> {
  const { peers, aliveBefore = null } = deps;
  if (node === null) return null;
  return peers === undefined ? aliveBefore : peers.lastSignOf(node);
}

/** The node that owned it by its log. */
function ownerOf({ entries }: StoredSession): string | null {
  let node: string | null = null;
  for (const { record } of entries) {
    if (record.k === 'created' || record.k === 'owned') ({ node } = record);
  }
  return node;
}

/** The first work of a session that was just loaded, and was requested at `askedAt`. */
function firstWork(
  table: MatchTable,
  match: Match,
  arrival: Arrival,
  askedAt: number,
): readonly Work[] {
  const { downtime, deps } = table;
  const { session, lost, isBroken, aheadMs } = match;
  const now = deps.clock.now();
  const isSlow = waitedMs(table, askedAt, now) >= INTERRUPTION_MS;
  if (isSlow) downtime.noteTrouble(now);
  const since = interruptedSince(downtime, arrival, session, now) ?? (isSlow ? askedAt : null);
  if (since !== null) noteInterruption(lost, session, since + aheadMs, now + aheadMs);
  const isForeign = session.status !== 'ended' && session.node !== deps.node && !isBroken;
  if (isForeign) return [{ ...TICK, command: () => ({ kind: 'own', node: deps.node }) }];
  return lostIn(table, match) > 0 ? [TICK] : [];
}
