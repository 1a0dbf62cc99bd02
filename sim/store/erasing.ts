/** A player is erased (rule R2), as one atomic step. */

import type { IdempotencyRow } from '../../src/store/store.ts';
import type { HeldRows } from '../../src/testing/memory-cluster.ts';
import { isTokenOf } from '../../src/testing/memory-store.ts';
import { rowName, type Tables } from './tables.ts';
import { leaveTickets } from './tickets.ts';
import { leaveWaiting } from './waiting.ts';

export function erasePlayer(
  tables: Tables,
  tenant: string,
  playerId: string,
  erasedAt: number,
): boolean {
  const key = rowName(tenant, playerId);
  const player = tables.players.get(key);
  for (const [name, row] of tables.answers) {
    const isGone =
      player === undefined
        ? isTokenOf(row, playerId)
        : isNamed(row, playerId) || row.path.includes('/players/');
    if (row.tenant === tenant && isGone) tables.answers.delete(name);
  }
  if (player === undefined) return false;
  leaveWaiting(tables, player);
  leaveTickets(tables, player);
  tables.players.delete(key);
  tables.erasures += 1;
  Object.assign(player, { playerId: null, displayName: null, erasedAt });
  return true;
}

function isNamed({ body, mint }: IdempotencyRow, playerId: string): boolean {
  const name = JSON.stringify(playerId);
  const text = `${body}${mint ?? ''}`;
  return text.replaceAll(`${name}:`, '').includes(name) || text.includes(`: ${playerId}"`);
}

/** What nodes ask about players whom another of them has erased. */
export function makeErasures(
  tables: Tables,
): Pick<HeldRows, 'erasures' | 'erasedIn' | 'forgetAnswers'> {
  return {
    erasures: () => tables.erasures,
    erasedIn: (session) =>
      (tables.sessions.get(session)?.seats ?? []).flatMap((player, seat) =>
        player?.playerId === null ? [{ seat, at: player.erasedAt ?? 0 }] : [],
      ),
    forgetAnswers(tenant, playerId) {
      if (tables.players.has(rowName(tenant, playerId))) return;
      for (const [name, row] of tables.answers) {
        if (row.tenant === tenant && isNamed(row, playerId)) tables.answers.delete(name);
      }
    },
  };
}
