/** The sweeper's work on sessions: removes old ones with their guests, and indexes metadata. */

import type { KeyMode } from '../../../tenancy/tenant.ts';
import { GUEST_PREFIX, GUESTS_END, type GuestSweep, isMadeGuestId } from '../../guests.ts';
import { pairsOf } from '../../rows/metadata-pairs.ts';
import type { Row } from '../../rows/row.ts';
import { removedTogether, toSessionRow } from '../../rows/session-rows.ts';
import type { PlayerStore, SessionStore } from '../../store.ts';
import { insertPairs, removePairs } from '../shared/metadata-rows.ts';
import { type Runner, scriptOfOne, type Tx } from '../shared/script.ts';

export type SessionSweepStore = Pick<SessionStore, 'removeSessions' | 'indexMetadata'> &
  Pick<PlayerStore, 'removeGuests'>;

export function makeSessionSweepStore({ write }: Runner): SessionSweepStore {
  return {
    removeSessions: (filter) => write(REMOVE_SESSIONS, filter),
    indexMetadata: (limit) => write(INDEX_METADATA, limit),
    removeGuests: (tenant, world, after, limit) =>
      write(REMOVE_GUESTS, { tenant, world, after, limit }),
  };
}

const REMOVE_SESSIONS = scriptOfOne('removeSessions', removeSessions);
const INDEX_METADATA = scriptOfOne('indexMetadata', indexMetadata);
const REMOVE_GUESTS = scriptOfOne('removeGuests', removeGuests);

export const SESSION_SWEEP_SCRIPTS = [REMOVE_SESSIONS, INDEX_METADATA, REMOVE_GUESTS];

// ── sessions ───────────────────────────────────────────────────────────────────────────────────

/** Skips rows that another node is removing. */
async function removeSessions(
  tx: Tx,
  { tenant, mode, endedBefore, limit }: Parameters<SessionStore['removeSessions']>[0],
): Promise<number> {
  const rows = await tx.all(
    `SELECT session.*, (SELECT max(v) FROM log WHERE log.session = session.id) AS v FROM session
      WHERE tenant = :tenant AND mode = :mode AND ended_at < :ended_before
      ORDER BY ended_at LIMIT :limit FOR UPDATE SKIP LOCKED`,
    { tenant, mode, ended_before: endedBefore, limit },
  );
  if (rows.length === 0) return 0;
  const ids = removedTogether(rows);
  const guests = mode === 'training' ? await lockGuests(tx, ids) : [];
  await tx.run('DELETE FROM log WHERE session IN :ids(text)', { ids });
  await tx.run('DELETE FROM seat WHERE session IN :ids(text)', { ids });
  const removed = rows.map(toSessionRow).filter(({ id }) => ids.includes(id));
  await removePairs(tx, removed.flatMap(pairsOf));
  await tx.run('DELETE FROM former_seat WHERE session IN :ids(text)', { ids });
  const count = await tx.run('DELETE FROM session WHERE id IN :ids(text)', { ids });
  await removeUnused(tx, guests);
  return count;
}

/** Skips rows that another node is indexing. */
async function indexMetadata(tx: Tx, limit: number): Promise<number> {
  const rows = await tx.all(
    `SELECT * FROM session WHERE metadata IS NOT NULL AND NOT metadata_indexed
      ORDER BY id LIMIT :limit FOR UPDATE SKIP LOCKED`,
    { limit },
  );
  if (rows.length === 0) return 0;
  const sessions = rows.map(toSessionRow);
  await insertPairs(tx, sessions.flatMap(pairsOf));
  return await tx.run('UPDATE session SET metadata_indexed = TRUE WHERE id IN :ids(text)', {
    ids: sessions.map(({ id }) => id),
  });
}

// ── guests ─────────────────────────────────────────────────────────────────────────────────────

interface GuestsAfter {
  readonly tenant: string;
  readonly world: KeyMode;
  readonly after: string;
  readonly limit: number;
}

/** Nothing is stored of the player but the name. */
const IS_UNUSED = `NOT EXISTS (SELECT 1 FROM seat WHERE seat.player = player.ref)
  AND NOT EXISTS (SELECT 1 FROM rating WHERE rating.player = player.ref)
  AND NOT EXISTS (SELECT 1 FROM waiting WHERE waiting.player = player.ref)
  AND NOT EXISTS (SELECT 1 FROM ticket_player WHERE ticket_player.player = player.ref)
  AND NOT EXISTS (SELECT 1 FROM lobby_check WHERE lobby_check.player = player.ref)`;

/** Guests left over after their sessions were removed: examines `limit` after one. */
async function removeGuests(
  tx: Tx,
  { tenant, world, after, limit }: GuestsAfter,
): Promise<GuestSweep> {
  const rows = await tx.all(
    `SELECT ref, player_id FROM player
      WHERE tenant = :tenant AND world = :world AND player_id > :after AND player_id < :end
      ORDER BY player_id LIMIT :limit`,
    {
      tenant,
      world,
      limit,
      after: after > GUEST_PREFIX ? after : GUEST_PREFIX,
      end: GUESTS_END,
    },
  );
  const guests = rows.map((row) => ({ ref: refOf(row), id: String(row['player_id']) }));
  const last = guests.length < limit ? null : guests.at(-1)!.id;
  const refs = guests.filter(({ id }) => isMadeGuestId(id)).map(({ ref }) => ref);
  // A guest who is being seated is skipped; a guest seated meanwhile is seen once the row is locked.
  const unused = await tx.all(
    `SELECT ref FROM player WHERE ref IN :refs(text) AND ${IS_UNUSED}
      ORDER BY ref FOR UPDATE SKIP LOCKED`,
    { refs },
  );
  return { removed: await removeUnused(tx, unused.map(refOf)), last };
}

/** Locks the guests of some sessions, except those who are being seated. */
async function lockGuests(tx: Tx, sessions: readonly string[]): Promise<readonly string[]> {
  const rows = await tx.all(
    `SELECT ref FROM player WHERE strpos(player_id, :prefix) = 1 AND ref IN (
       SELECT player FROM seat WHERE session IN :sessions(text) AND NOT is_bot)
      ORDER BY ref FOR UPDATE SKIP LOCKED`,
    { prefix: GUEST_PREFIX, sessions },
  );
  return rows.map(refOf);
}

/** Removes those of the locked players of whom nothing else is stored. Returns how many. */
async function removeUnused(tx: Tx, refs: readonly string[]): Promise<number> {
  if (refs.length === 0) return 0;
  return await tx.run(`DELETE FROM player WHERE ref IN :refs(text) AND ${IS_UNUSED}`, { refs });
}

function refOf(row: Row): string {
  return String(row['ref']);
}
