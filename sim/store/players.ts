/** Players, kept answers and who is connected, as atomic steps. */

import { AnsweredBefore } from '../../src/store/answered-before.ts';
import type {
  IdempotencyId,
  IdempotencyRow,
  LobbyCheck,
  PlayerNaming,
  PlayerRecord,
  PlayerSession,
  SeatedRow,
} from '../../src/store/store.ts';
import type { PlayerPresence } from '../../src/store/tickets.ts';
import { type PlayerTableRow, rowName, type Tables } from './tables.ts';

/** The player's one row, with the name last given. */
export function playerOf(
  tables: Tables,
  tenant: string,
  seat: Pick<SeatedRow, 'playerId' | 'displayName' | 'newRef' | 'at'>,
): PlayerTableRow {
  const key = rowName(tenant, seat.playerId);
  let player = tables.players.get(key);
  if (player === undefined) {
    const { playerId, newRef: ref, at: createdAt } = seat;
    const empty = { displayName: null, checks: new Map(), standings: new Map() };
    player = { ref, tenant, playerId, createdAt, ...empty };
    tables.players.set(key, player);
    tables.refs.set(ref, player);
  }
  if (seat.displayName !== null) player.displayName = seat.displayName;
  return player;
}

export function findPlayer(tables: Tables, tenant: string, playerId: string): PlayerRecord | null {
  const found = tables.players.get(rowName(tenant, playerId));
  if (found === undefined) return null;
  return { playerId, displayName: found.displayName, createdAt: found.createdAt };
}

export function namePlayer(
  tables: Tables,
  naming: PlayerNaming,
  idempotency: IdempotencyRow | null,
): void {
  refuseAnswered(tables, idempotency);
  const player = playerOf(tables, naming.tenant, naming);
  const { check, at } = naming;
  if (check !== undefined) player.checks.set(check.mode, { ...check, at });
  if (idempotency !== null) keep(tables, idempotency);
}

export function listLobbyChecks(
  tables: Tables,
  tenant: string,
  playerId: string,
): readonly LobbyCheck[] {
  const checks = [...(tables.players.get(rowName(tenant, playerId))?.checks.values() ?? [])];
  return checks
    .map(({ mode, verdict }) => ({ mode, verdict }))
    .sort((a, b) => (a.mode < b.mode ? -1 : 1));
}

export function listSessionsOf(
  tables: Tables,
  tenant: string,
  playerId: string,
): readonly PlayerSession[] {
  const player = tables.players.get(rowName(tenant, playerId));
  if (player === undefined) return [];
  const rows = [...tables.sessions.values()].sort((a, b) => (a.row.id < b.row.id ? -1 : 1));
  return rows.flatMap(({ row, seats }) => {
    const seat = seats.indexOf(player);
    return seat === -1 ? [] : [{ session: row.id, seat }];
  });
}

export function findIdempotent(
  tables: Tables,
  id: IdempotencyId,
  now: number,
): IdempotencyRow | null {
  const row = tables.answers.get(answerName(id));
  return row !== undefined && row.expiresAt > now ? row : null;
}

/**
 * To be called before anything is written. Nodes that share a store may do one request at one time:
 * the second does nothing of it.
 */
export function refuseAnswered(tables: Tables, row: IdempotencyRow | null | undefined): void {
  if (row === null || row === undefined || !tables.isCluster) return;
  if (findIdempotent(tables, row, row.keptAt) !== null) throw new AnsweredBefore();
}

/** Answers false where one stands that has not expired: the first answer stays. */
export function keep(tables: Tables, row: IdempotencyRow): boolean {
  const held = tables.answers.get(answerName(row));
  if (held !== undefined && held.expiresAt > row.keptAt) return false;
  tables.answers.set(answerName(row), row);
  return true;
}

export function removeIdempotent(tables: Tables, expiredBefore: number, limit: number): number {
  const expired = [...tables.answers]
    .filter(([, row]) => row.expiresAt < expiredBefore)
    .slice(0, limit);
  for (const [name] of expired) tables.answers.delete(name);
  return expired.length;
}

function answerName({ tenant, mode, method, path, key }: IdempotencyId): string {
  return rowName(tenant, mode, method, path, key);
}

export function setPresence(
  tables: Tables,
  { tenant, mode, playerId, node, isConnected }: PlayerPresence,
): void {
  const key = rowName(tenant, mode, playerId);
  const nodes = tables.presence.get(key) ?? new Set();
  if (isConnected) nodes.add(node);
  else nodes.delete(node);
  if (nodes.size === 0) tables.presence.delete(key);
  else tables.presence.set(key, nodes);
}

/** Connected on a node that lives, or on another than one, as far as the database can tell. */
export function isPresent(
  tables: Tables,
  tenant: string,
  mode: string,
  player: string,
  besides?: string,
): boolean {
  const nodes = tables.presence.get(rowName(tenant, mode, player)) ?? [];
  return [...nodes].some((node) => node !== besides && tables.isPresenceValid(node));
}
