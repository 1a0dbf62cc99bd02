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
import { WORLDS } from '../../src/store/world.ts';
import type { KeyMode } from '../../src/tenancy/tenant.ts';
import { type PlayerTableRow, rowName, type Tables } from './tables.ts';

/** The player's one row in a world, with the name last given. */
export function playerOf(
  tables: Tables,
  tenant: string,
  world: KeyMode,
  seat: Pick<SeatedRow, 'playerId' | 'displayName' | 'newRef' | 'at'>,
): PlayerTableRow {
  const key = rowName(tenant, world, seat.playerId);
  let player = tables.players.get(key);
  if (player === undefined) {
    const { playerId, newRef: ref, at: createdAt } = seat;
    const empty = { displayName: null, check: null, standings: new Map() };
    player = { ref, tenant, world, playerId, createdAt, ...empty };
    tables.players.set(key, player);
    tables.refs.set(ref, player);
  }
  if (seat.displayName !== null) player.displayName = seat.displayName;
  return player;
}

export function findPlayer(
  tables: Tables,
  tenant: string,
  world: KeyMode,
  playerId: string,
): PlayerRecord | null {
  const found = tables.players.get(rowName(tenant, world, playerId));
  if (found === undefined) return null;
  return { playerId, displayName: found.displayName, createdAt: found.createdAt };
}

export function namePlayer(
  tables: Tables,
  naming: PlayerNaming,
  idempotency: IdempotencyRow | null,
): void {
  refuseAnswered(tables, idempotency);
  const { tenant, world, check, at } = naming;
  const player = playerOf(tables, tenant, world, naming);
  if (check !== undefined) player.check = { verdict: check, at };
  if (idempotency !== null) keep(tables, idempotency);
}

export function listLobbyChecks(
  tables: Tables,
  tenant: string,
  playerId: string,
): readonly LobbyCheck[] {
  return WORLDS.flatMap((mode) => {
    const check = tables.players.get(rowName(tenant, mode, playerId))?.check ?? null;
    return check === null ? [] : [{ mode, verdict: check.verdict }];
  });
}

export function listSessionsOf(
  tables: Tables,
  tenant: string,
  playerId: string,
): readonly PlayerSession[] {
  const players = WORLDS.map((world) => tables.players.get(rowName(tenant, world, playerId)));
  const rows = [...tables.sessions.values()].sort((a, b) => (a.row.id < b.row.id ? -1 : 1));
  return rows.flatMap(({ row, seats }) => {
    const seat = seats.findIndex((each) => each !== undefined && players.includes(each));
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
