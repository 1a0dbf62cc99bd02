/** A player is erased (rule R2), as one atomic step. */

import { namesPlayer } from '../../src/store/rows/answer-rows.ts';
import { worldOfAnswer } from '../../src/store/world.ts';
import type { KeyMode } from '../../src/tenancy/tenant.ts';
import { goesWith } from '../../src/testing/kept-rows.ts';
import type { HeldRows } from '../../src/testing/memory-cluster.ts';
import { rowName, type Tables } from './tables.ts';
import { leaveTickets } from './tickets.ts';
import { leaveWaiting } from './waiting.ts';

export function erasePlayer(
  tables: Tables,
  tenant: string,
  worlds: readonly KeyMode[],
  playerId: string,
  erasedAt: number,
): boolean {
  const players = worlds.flatMap(
    (world) => tables.players.get(rowName(tenant, world, playerId)) ?? [],
  );
  const isKnown = players.length > 0;
  for (const [name, row] of tables.answers) {
    const isGone = row.tenant === tenant && goesWith(row, { worlds, playerId }, isKnown);
    if (isGone) tables.answers.delete(name);
  }
  for (const player of players) {
    leaveWaiting(tables, player);
    leaveTickets(tables, player);
    tables.players.delete(rowName(tenant, player.world, playerId));
    Object.assign(player, { playerId: null, displayName: null, check: null, erasedAt });
  }
  if (isKnown) tables.erasures += 1;
  return isKnown;
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
    forgetAnswers(tenant, world, playerId) {
      if (tables.players.has(rowName(tenant, world, playerId))) return;
      for (const [name, row] of tables.answers) {
        if (row.tenant !== tenant || worldOfAnswer(row) !== world) continue;
        if (namesPlayer(row, playerId)) tables.answers.delete(name);
      }
    },
  };
}
