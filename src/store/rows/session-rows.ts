/** Converts rows of sessions and their seats. */

import type { GameId } from '../../../game/src/game.ts';
import type { EventSeat, FormerSeat } from '../../events/render.ts';
import type { MatchType, Mode } from '../../match/record.ts';
import type { SessionStatus } from '../../match/session.ts';
import type { KeyMode } from '../../tenancy/tenant.ts';
import type { SessionRow } from '../store.ts';
import { numberOrNull, type Row, textOrNull } from './row.ts';

/** How many records one transaction removes, except for a single long session: other commits wait for it. */
const REMOVED_TOGETHER = 2_000;

/** The first ids whose logs together stay under the limit; at least one. */
export function removedTogether(rows: readonly Row[]): string[] {
  let records = 0;
  const few = rows.filter((row, index) => {
    records += Number(row['v'] ?? 0) + 1;
    return index === 0 || records <= REMOVED_TOGETHER;
  });
  return few.map((row) => String(row['id']));
}

export function toSessionRow(row: Row): SessionRow {
  return {
    id: String(row['id']),
    tenant: String(row['tenant']),
    mode: row['mode'] as Mode,
    game: row['game'] as GameId,
    matchType: row['match_type'] as MatchType,
    variant: String(row['variant']),
    status: row['status'] as SessionStatus,
    roomCode: String(row['room_code']),
    metadata: textOrNull(row['metadata']),
    theme: textOrNull(row['theme']),
    createdAt: Number(row['created_at']),
    startedAt: numberOrNull(row['started_at']),
    endedAt: numberOrNull(row['ended_at']),
    ...(typeof row['world'] === 'string' ? { world: row['world'] as KeyMode } : null),
    ...(typeof row['integrity'] === 'string' ? { integrity: row['integrity'] } : null),
    ...(typeof row['seal'] === 'string' ? { seal: row['seal'] } : null),
    ...(typeof row['next_session'] === 'string' ? { next: row['next_session'] } : null),
  };
}

export function toFormerSeat(row: Row): FormerSeat {
  return { ...toEventSeat(row), leftV: Number(row['left_v']) };
}

export function toEventSeat(row: Row): EventSeat {
  return {
    seat: Number(row['seat']),
    playerId: textOrNull(row['player_id']),
    displayName: textOrNull(row['display_name']),
    isBot: Boolean(row['is_bot']),
  };
}
