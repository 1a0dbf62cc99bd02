/** Rows as they are read, and what they are to the rest of the house. */

import type { SQLInputValue } from 'node:sqlite';
import type { GameId } from '../../games/game.ts';
import type { MatchType, Mode } from '../../match/record.ts';
import type { SessionStatus } from '../../match/session.ts';
import type { KeyMode } from '../../tenancy/tenant.ts';
import type { SessionRow } from '../store.ts';

export type Row = Record<string, SQLInputValue>;

/** Prepares a read. */
export type Prepare = (sql: string) => (...values: SQLInputValue[]) => Row[];

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
  };
}

export function textOrNull(value: SQLInputValue | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}

export function numberOrNull(value: SQLInputValue | undefined): number | null {
  return value === null || value === undefined ? null : Number(value);
}
