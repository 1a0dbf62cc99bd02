/** Sessions and their logs, as atomic steps. */

import type { CommitEvent } from '../../src/events/event.ts';
import type { Entry, Mode } from '../../src/match/record.ts';
import type { Player } from '../../src/match/session.ts';
import { openCounter } from '../../src/store/rows/open-counter.ts';
import type {
  CommitOutcome,
  CreateOutcome,
  NewSession,
  SeatedRow,
  SessionChange,
  SessionFilter,
  SessionRow,
  StoredSession,
} from '../../src/store/store.ts';
import { worldOf } from '../../src/store/world.ts';
import { listRemoved, type PastSessions } from '../../src/testing/kept-rows.ts';
import { isAskedFor } from '../../src/testing/memory-store.ts';
import { emit } from './events.ts';
import { removeGuestsOf } from './guests.ts';
import { findIdempotent, keep, playerOf, refuseAnswered } from './players.ts';
import { rateSession } from './ratings.ts';
import {
  count,
  type PlayerTableRow,
  rowName,
  type SessionTableRow,
  type Tables,
  uncount,
} from './tables.ts';
import { isAnyWaiting, pairingOf, removeWaiting, requeue, stopWaiting, wait } from './waiting.ts';

/** A commit as it crosses to the database: records as texts. */
export interface WireCommit {
  readonly session: string;
  readonly tenant: string;
  readonly mode: Mode;
  readonly v: number;
  readonly texts: readonly string[];
  readonly change: SessionChange | null;
  readonly events: readonly CommitEvent[];
}

export function append(tables: Tables, node: string, commit: WireCommit): CommitOutcome {
  const kept = tables.sessions.get(commit.session);
  if (kept === undefined) throw new Error(`no session ${commit.session}`);
  const { change } = commit;
  if (change?.queued && isAnyWaiting(tables, kept.row, change.seats ?? [])) return 'conflict';
  if (kept.log.length !== commit.v) return 'conflict';
  // As in the shared store: whoever reads the log will see that nothing of it was kept.
  if (tables.isCluster && isAnswered(tables, change)) return 'unknown';
  const slept = kept.holder === null || kept.claimedBy === node;
  const about = { by: node, slept, writtenAt: tables.now(), isLoaded: kept.readers.has(node) };
  const takers = [...kept.takers];
  for (const text of commit.texts) kept.log.push({ ...about, text, takers });
  kept.readers.clear();
  kept.takers.clear();
  if (commit.texts.some((text) => text.includes('"k":"owned"')))
    tables.onOwned(commit.session, node, kept.claimedBy === kept.holder ? null : kept.holder);
  kept.claimedBy = null;
  if (change !== null) applyChange(tables, node, kept, change);
  if (change?.status === 'ended') rateSession(kept, JSON.parse(commit.texts.at(-1)!) as Entry);
  emit(tables, commit.events);
  return 'committed';
}

function isAnswered(tables: Tables, change: SessionChange | null): boolean {
  const row = change?.idempotency;
  return row !== undefined && findIdempotent(tables, row, row.keptAt) !== null;
}

function applyChange(
  tables: Tables,
  node: string,
  kept: SessionTableRow,
  change: SessionChange,
): void {
  const { status, startedAt, endedAt, seal } = change;
  if (status === 'active' || status === 'ended') {
    kept.row = Object.freeze({
      ...kept.row,
      status,
      startedAt: startedAt ?? kept.row.startedAt,
      endedAt: endedAt ?? null,
      ...(seal === undefined ? null : { seal }),
    });
    const code = codeName(kept.row);
    if (tables.roomCodes.get(code)?.session === kept.row.id) tables.roomCodes.delete(code);
  }
  if (status === 'ended') {
    Object.assign(kept, { holder: null, wakeAt: null, dueNode: null });
    uncount(tables, openName(kept.row));
  } else if (status === 'active' || change.awake) {
    Object.assign(kept, { holder: node, wakeAt: null, dueNode: null });
  }
  for (const { seat: left, v } of change.left ?? []) {
    const player = kept.seats[left]!;
    kept.former.set(v, { seat: left, player, isBot: kept.bots.delete(left) });
    kept.seats[left] = undefined;
    stopWaiting(tables, kept.row.id, player);
  }
  if (change.requeued !== undefined) requeue(tables, kept, change.requeued.pairing);
  for (const each of change.seats ?? []) {
    const player = seat(tables, kept, each);
    const pairing = pairingOf(tables, kept.row.id);
    if (pairing !== null && !each.isBot) wait(tables, kept, pairing, player, each.at);
  }
  if (change.full || status !== undefined) removeWaiting(tables, kept.row.id);
  if (change.integrity !== undefined) {
    kept.row = Object.freeze({ ...kept.row, integrity: change.integrity });
  }
  if (change.idempotency !== undefined) keep(tables, change.idempotency);
}

function seat(tables: Tables, kept: SessionTableRow, row: SeatedRow): PlayerTableRow {
  if (kept.seats[row.seat] !== undefined) throw new Error(`seat ${row.seat} is taken`);
  const player = playerOf(tables, kept.row.tenant, worldOf(kept.row), row);
  kept.seats[row.seat] = player;
  if (row.isBot) kept.bots.add(row.seat);
  return player;
}

function codeName({ tenant, mode, roomCode }: Pick<SessionRow, 'tenant' | 'mode' | 'roomCode'>) {
  return rowName(tenant, mode, roomCode);
}

function openName(row: Pick<SessionRow, 'tenant' | 'mode' | 'world'>): string {
  return rowName(row.tenant, openCounter(row));
}

/** Counts a new session; answers which number is full, and then nothing is counted. */
export function countSession(
  tables: Tables,
  row: Pick<SessionRow, 'tenant' | 'mode' | 'world'>,
  quota: NewSession['quota'],
): 'open_full' | 'month_full' | null {
  const { tenant } = row;
  const open = openName(row);
  if (!count(tables, open, quota.openSessionsMax)) return 'open_full';
  const { month } = quota;
  if (month === null) return null;
  if (count(tables, rowName('month', tenant, month), quota.sessionsPerMonthMax)) return null;
  uncount(tables, open);
  return 'month_full';
}

export function createSession(tables: Tables, node: string, session: NewSession): CreateOutcome {
  const { row, seats, waiting, idempotency } = session;
  refuseAnswered(tables, idempotency);
  if (waiting !== undefined && isAnyWaiting(tables, row, seats)) return 'already_waiting';
  const code = codeName(row);
  if ((tables.roomCodes.get(code)?.expiresAt ?? 0) > row.createdAt) return 'room_code_taken';
  const full = countSession(tables, row, session.quota);
  if (full !== null) return full;
  tables.roomCodes.set(code, { session: row.id, expiresAt: session.roomCodeExpiresAt });
  const pending: SessionRow = { ...row, status: 'pending', startedAt: null, endedAt: null };
  const kept = insertSession(tables, node, pending, seats, [session.entry], session.wakeAt);
  if (waiting !== undefined) {
    for (const each of seats) {
      if (!each.isBot) wait(tables, kept, waiting.pairing, kept.seats[each.seat]!, row.createdAt);
    }
  }
  emit(tables, session.events ?? []);
  if (idempotency !== null) keep(tables, idempotency);
  return { names: seats.map((each) => kept.seats[each.seat]!.displayName) };
}

export function insertSession(
  tables: Tables,
  node: string,
  row: SessionRow,
  seats: readonly SeatedRow[],
  entries: readonly Entry[],
  wakeAt: number | null,
): SessionTableRow {
  const kept: SessionTableRow = {
    row: Object.freeze({ ...row }),
    seats: [],
    former: new Map(),
    bots: new Set(),
    log: entries.map((entry) => ({
      ...{ text: JSON.stringify(entry), by: node, writtenAt: tables.now() },
      ...{ slept: false, isLoaded: false, takers: [] },
    })),
    holder: wakeAt === null ? node : null,
    wakeAt,
    dueNode: null,
    claimedBy: null,
    readers: new Set(),
    takers: new Set(),
  };
  tables.sessions.set(row.id, kept);
  tables.onOwned(row.id, node, null);
  for (const each of seats) seat(tables, kept, each);
  return kept;
}

/** `node` is who reads it; null for a check. */
export function loadSession(tables: Tables, id: string, node: string | null): StoredSession | null {
  const kept = tables.sessions.get(id);
  if (kept === undefined) return null;
  if (node !== null) kept.readers.add(node);
  return {
    row: kept.row,
    roster: Array.from(kept.seats, toPlayer),
    botSeats: [...kept.bots].sort((a, b) => a - b),
    entries: kept.log.map(({ text }) => JSON.parse(text) as Entry),
    isAsleep: kept.holder === null,
    wakeAt: kept.wakeAt,
    ...(tables.isCluster ? { holder: kept.holder } : null),
  };
}

function toPlayer(player: PlayerTableRow | undefined): Player | null {
  return player === undefined ? null : { id: player.playerId, displayName: player.displayName };
}

export function findByRoomCode(
  tables: Tables,
  world: Pick<SessionRow, 'tenant' | 'mode' | 'roomCode'>,
  now: number,
): string | null {
  const held = tables.roomCodes.get(codeName(world));
  return held !== undefined && held.expiresAt > now ? held.session : null;
}

export function listSessions(tables: Tables, filter: SessionFilter): readonly SessionRow[] {
  return [...tables.sessions.values()]
    .filter((kept) => isAskedFor(kept, filter))
    .map(({ row }) => row)
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, filter.limit);
}

export function listOpenSessionsOf(
  tables: Tables,
  tenant: string,
  mode: Mode,
  playerId: string,
): readonly string[] {
  const found: string[] = [];
  for (const { row, seats } of tables.sessions.values()) {
    const isOpen = row.tenant === tenant && row.mode === mode && row.status !== 'ended';
    if (isOpen && seats.some((player) => player?.playerId === playerId)) found.push(row.id);
  }
  return found.sort();
}

export function sleep(
  tables: Tables,
  node: string,
  sessions: readonly { readonly id: string; readonly wakeAt: number | null }[],
): void {
  for (const { id, wakeAt } of sessions) {
    const kept = tables.sessions.get(id);
    if (kept === undefined || kept.row.status === 'ended') continue;
    if (mayHold(tables, node, kept))
      Object.assign(kept, { holder: null, wakeAt, dueNode: null, claimedBy: null });
  }
}

/** In a cluster a session belongs to its holder while that one's lease is valid. */
function mayHold(
  tables: Tables,
  node: string,
  { holder }: Pick<SessionTableRow, 'holder'>,
): boolean {
  if (!tables.isCluster || holder === null || holder === node) return true;
  return !tables.isNodeValid(holder);
}

/** In a cluster each that is due is listed for one node: another has it once that one is dead. */
export function listDue(
  tables: Tables,
  node: string,
  wakeAt: number,
  limit: number,
): readonly string[] {
  const due: SessionTableRow[] = [];
  for (const kept of tables.sessions.values()) {
    const isDue = kept.holder === null && kept.wakeAt !== null && kept.wakeAt <= wakeAt;
    if (isDue && mayHold(tables, node, { holder: kept.dueNode })) due.push(kept);
  }
  const order = (a: SessionTableRow, b: SessionTableRow): number => a.wakeAt! - b.wakeAt!;
  const listed = due.sort(order).slice(0, limit);
  for (const kept of listed) kept.dueNode = node;
  return listed.map(({ row }) => row.id);
}

/** Alone: all that is held, by whichever process. In a cluster: what dead nodes held, claimed. */
export function listAwake(
  tables: Tables,
  node: string,
  after: string,
  limit: number,
): readonly string[] {
  const awake: SessionTableRow[] = [];
  for (const kept of tables.sessions.values()) {
    const { row, holder } = kept;
    if (holder === null || row.id <= after) continue;
    if (!tables.isCluster || (holder !== node && !tables.isNodeValid(holder))) awake.push(kept);
  }
  const listed = awake.sort((a, b) => (a.row.id < b.row.id ? -1 : 1)).slice(0, limit);
  for (const kept of tables.isCluster ? listed : []) {
    Object.assign(kept, { holder: node, claimedBy: kept.claimedBy === null ? null : node });
    kept.takers.add(node);
  }
  return listed.map(({ row }) => row.id);
}

export function removeSessions(tables: Tables, filter: PastSessions): number {
  const removed = listRemoved(tables.sessions.values(), filter, ({ log }) => log);
  for (const { row } of removed) tables.sessions.delete(row.id);
  if (filter.mode === 'training') removeGuestsOf(tables, removed);
  return removed.length;
}
