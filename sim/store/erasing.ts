/** A player is erased (rule R2), as one atomic step. */

import { namesPlayer } from '../../src/store/rows/answer-rows.ts';
import { goesWith } from '../../src/testing/kept-rows.ts';
import type { HeldRows } from '../../src/testing/memory-cluster.ts';
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
    const isGone = row.tenant === tenant && goesWith(row, playerId, player !== undefined);
    if (isGone) tables.answers.delete(name);
  }
  if (player === undefined) return false;
  leaveWaiting(tables, player);
  leaveTickets(tables, player);
  player.checks.clear();
  tables.players.delete(key);
  tables.erasures += 1;
  Object.assign(player, { playerId: null, displayName: null, erasedAt });
  return true;
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
        if (row.tenant === tenant && namesPlayer(row, playerId)) tables.answers.delete(name);
      }
    },
  };
}
