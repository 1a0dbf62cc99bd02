/** The writes, by hand and prepared: each runs inside the writer's transaction. */

import { Buffer } from 'node:buffer';
import type { AuditKey } from '../../accounts/audit-key.ts';
import type { GameId } from '../../games/game.ts';
import type { Mode } from '../../match/record.ts';
import type { KeyMode } from '../../tenancy/tenant.ts';
import { ALONE } from '../alone.ts';
import type { AuditKeysInUse } from '../audit-keys.ts';
import { openCounter } from '../rows/open-counter.ts';
import { type EndedMatch, rateMatches } from '../scripts/ratings.ts';
import type { Tx } from '../scripts/script.ts';
import type { CreateOutcome, LeftSeat, MatchCommit, NewSession, SessionChange } from '../store.ts';
import { worldOf } from '../world.ts';
import { forgetLateAnswers } from './answer-rows.ts';
import { insertAudit } from './audit-rows.ts';
import { count, INSERT_RECORD, insertSession, keep, seat, uncount } from './shared-rows.ts';
import type { Statements, WriterTools } from './statements.ts';
import { leaveTickets, performTicketOp } from './ticket-ops.ts';
import {
  insertWaiting,
  isAnyWaiting,
  joinWaiting,
  leaveWaiting,
  removeWaiting,
  requeue,
} from './waiting.ts';
import type { UseAuditKeys, WriterAnswers, WriterOp } from './writer-protocol.ts';

type CommitAnswer = WriterAnswers['commit'];
type OtherOp = Exclude<WriterOp, { op: 'commit' }>;

/**
 * Commits that come together, in their order. `tx` is the transaction that `sql` writes in: one statement of it for
 * all matches that end costs less than one for each.
 */
export async function performCommits(
  sql: WriterTools,
  tx: Tx,
  commits: readonly MatchCommit[],
): Promise<readonly CommitAnswer[]> {
  const answers = commits.map((each) => commit(sql, each));
  const ended = commits.filter(
    ({ change }, i) => answers[i] === 'committed' && change?.status === 'ended',
  );
  await rateMatches(tx, ended.map(toEnded));
  return answers;
}

function toEnded({ session, tenant, mode, entries }: MatchCommit): EndedMatch {
  return { session, tenant, mode, entry: entries.at(-1)! };
}

export function performOp(sql: WriterTools, op: OtherOp): WriterAnswers[OtherOp['op']] {
  switch (op.op) {
    case 'create':
      return create(sql, op.session);
    case 'sleep':
      return sleep(sql, op.sessions);
    case 'ping':
      // Changes nothing, and fails when the file cannot be written.
      sql.run("UPDATE revision SET n = n WHERE name = 'tenancy'");
      return null;
    case 'useAuditKeys':
      return useAuditKeys(sql.auditKeys, op);
    case 'erasePlayer':
      return erasePlayer(sql, op);
    default:
      return performTicketOp(sql, op);
  }
}

function useAuditKeys(inUse: AuditKeysInUse, { keys }: UseAuditKeys): null {
  inUse.keys = keys.map(
    ({ kid, secret }): AuditKey => ({
      kid,
      secret: Uint8Array.from(Buffer.from(secret, 'base64')),
    }),
  );
  return null;
}

function commit(
  sql: WriterTools,
  { session, tenant, mode, world, entries, change, events = [] }: MatchCommit,
): CommitAnswer {
  if (change?.queued && waitsElsewhere(sql, session, tenant, mode, change)) return 'conflict';
  for (const [i, { v, at, record }] of entries.entries()) {
    if (sql.run(INSERT_RECORD, session, v, at, JSON.stringify(record)) > 0) continue;
    // Nothing is written yet, so there is nothing to undo.
    if (i === 0) return 'conflict';
    throw new Error(`session ${session} has a record ${v} without the one before it`);
  }
  if (change !== null) applyChange(sql, { session, tenant, mode, world }, change);
  for (const event of events) sql.emit(event);
  return 'committed';
}

/** Rule S2: nobody is seated from the queue who waits for the game in another session. */
function waitsElsewhere(
  sql: Statements,
  session: string,
  tenant: string,
  mode: Mode,
  { seats = [] }: SessionChange,
): boolean {
  const game = sql.get('SELECT game FROM session WHERE id = ?', session)?.['game'] as GameId;
  return isAnyWaiting(sql, { tenant, mode, game }, seats);
}

function applyChange(
  sql: Statements,
  { session, tenant, mode, world }: Pick<MatchCommit, 'session' | 'tenant' | 'mode' | 'world'>,
  change: SessionChange,
): void {
  if (change.status === 'active') {
    freeRoomCode(sql, session);
    sql.run(
      `UPDATE session SET status = 'active', started_at = ?, holder = ?, wake_at = NULL WHERE id = ?`,
      change.startedAt ?? null,
      ALONE,
      session,
    );
  } else if (change.status === 'ended') {
    freeRoomCode(sql, session);
    sql.run(
      `UPDATE session SET status = 'ended', started_at = coalesce(?, started_at), ended_at = ?,
         holder = NULL, wake_at = NULL, seal = ? WHERE id = ?`,
      change.startedAt ?? null,
      change.endedAt ?? null,
      change.seal ?? null,
      session,
    );
    uncount(sql, tenant, openCounter({ mode, world }));
  } else if (change.awake) {
    sql.run('UPDATE session SET holder = ?, wake_at = NULL WHERE id = ?', ALONE, session);
  }
  for (const each of change.left ?? []) leaveSeat(sql, session, each);
  if (change.requeued !== undefined) requeue(sql, session, change.requeued.pairing);
  for (const each of change.seats ?? []) {
    seat(sql, session, tenant, worldOf({ mode, world }), each);
    joinWaiting(sql, session, each.seat, each.at);
  }
  // Ended, too: it may have been pending until now.
  if (change.full || change.status !== undefined) removeWaiting(sql, session);
  if (change.integrity !== undefined) {
    sql.run('UPDATE session SET integrity = ? WHERE id = ?', change.integrity, session);
  }
  if (change.idempotency !== undefined) keep(sql, change.idempotency);
  if (change.audit !== undefined) insertAudit(sql, change.audit);
}

/** Whoever left is remembered apart, for the events that tell of them (rule E1). */
function leaveSeat(sql: Statements, session: string, { seat: left, v }: LeftSeat): void {
  sql.run(
    `INSERT INTO former_seat (session, left_v, seat, player, is_bot)
     SELECT session, ?3, seat, player, is_bot FROM seat WHERE session = ?1 AND seat = ?2`,
    session,
    left,
    v,
  );
  sql.run(
    `DELETE FROM waiting WHERE session = ?1
       AND player = (SELECT player FROM seat WHERE session = ?1 AND seat = ?2)`,
    session,
    left,
  );
  sql.run('DELETE FROM seat WHERE session = ? AND seat = ?', session, left);
}

/** A session that was active has given its code back before. */
function freeRoomCode(sql: Statements, session: string): void {
  sql.run(
    `DELETE FROM room_code WHERE (tenant, mode, code) = (SELECT tenant, mode, room_code
       FROM session WHERE id = ?1 AND status = 'pending') AND session = ?1`,
    session,
  );
}

function create(sql: WriterTools, session: NewSession): CreateOutcome {
  const { row, quota } = session;
  const open = openCounter(row);
  if (session.waiting !== undefined && isAnyWaiting(sql, row, session.seats)) {
    return 'already_waiting';
  }
  // Each step says by itself whether there is room. What was taken before a refusal is given back.
  if (!holdRoomCode(sql, session)) return 'room_code_taken';
  if (!count(sql, row.tenant, open, quota.openSessionsMax)) {
    releaseRoomCode(sql, session);
    return 'open_full';
  }
  const month = quota.month === null ? null : `sessions:${quota.month}`;
  if (month !== null && !count(sql, row.tenant, month, quota.sessionsPerMonthMax)) {
    uncount(sql, row.tenant, open);
    releaseRoomCode(sql, session);
    return 'month_full';
  }
  const names = insertSession(sql, {
    row: { ...row, status: 'pending', startedAt: null },
    seats: session.seats,
    entries: [session.entry],
    wakeAt: session.wakeAt,
  });
  if (session.waiting !== undefined) {
    insertWaiting(sql, { ...row, ...session.waiting }, row.id, row.createdAt);
  }
  for (const event of session.events ?? []) sql.emit(event);
  if (session.idempotency !== null) keep(sql, session.idempotency);
  return { names };
}

/** Takes the room's code, if it is free or has expired. */
function holdRoomCode(sql: Statements, { row, roomCodeExpiresAt }: NewSession): boolean {
  const changes = sql.run(
    `INSERT INTO room_code (tenant, mode, code, session, expires_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (tenant, mode, code)
     DO UPDATE SET session = excluded.session, expires_at = excluded.expires_at
     WHERE room_code.expires_at <= ?`,
    row.tenant,
    row.mode,
    row.roomCode,
    row.id,
    roomCodeExpiresAt,
    row.createdAt,
  );
  return changes > 0;
}

function releaseRoomCode(sql: Statements, { row }: NewSession): void {
  sql.run(
    'DELETE FROM room_code WHERE tenant = ? AND mode = ? AND code = ?',
    row.tenant,
    row.mode,
    row.roomCode,
  );
}

function sleep(sql: Statements, sessions: readonly { id: string; wakeAt: number | null }[]): null {
  for (const { id, wakeAt } of sessions) {
    sql.run(
      `UPDATE session SET holder = NULL, wake_at = ? WHERE id = ? AND status <> 'ended'`,
      wakeAt,
      id,
    );
  }
  return null;
}

function erasePlayer(sql: Statements, op: Extract<WriterOp, { op: 'erasePlayer' }>): boolean {
  const { tenant, worlds, playerId, now, looked, audit } = op;
  let changed = 0;
  for (const world of worlds) changed += eraseIn(sql, tenant, world, playerId, now);
  const isKnown = changed > 0;
  // Who was not known a moment ago: what else names him has not been looked for.
  const since = isKnown && !looked.isKnown ? 0 : looked.since;
  forgetLateAnswers(sql, { tenant, worlds, playerId, isKnown }, since);
  if (!isKnown) return false;
  if (audit !== null) insertAudit(sql, audit);
  return true;
}

/** Answers how many rows named the player in that world. */
function eraseIn(
  sql: Statements,
  tenant: string,
  world: KeyMode,
  playerId: string,
  now: number,
): number {
  leaveWaiting(sql, tenant, world, playerId);
  leaveTickets(sql, tenant, world, playerId);
  sql.run(
    `DELETE FROM lobby_check WHERE player = (
       SELECT ref FROM player WHERE tenant = ? AND world = ? AND player_id = ?)`,
    tenant,
    world,
    playerId,
  );
  return sql.run(
    `UPDATE player SET player_id = NULL, display_name = NULL, erased_at = ?
     WHERE tenant = ? AND world = ? AND player_id = ?`,
    now,
    tenant,
    world,
    playerId,
  );
}
