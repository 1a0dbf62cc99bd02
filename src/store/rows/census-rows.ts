/** The counts of a census: the same SQL for both databases. */

import type { GameId } from '../../../game/src/game.ts';
import type { Mode } from '../../match/record.ts';
import type { Census, OpenSessions, Waiting } from '../census.ts';

type Row = Readonly<Record<string, unknown>>;

/** From the partial index `session_census` only: it has no rows of ended sessions. */
export const COUNT_SESSIONS = `SELECT game, mode, status, count(*) AS n FROM session
  WHERE status <> 'ended' GROUP BY game, mode, status`;

export const COUNT_WAITING = `SELECT 'player' AS kind, game, mode, count(*) AS n, min(since) AS since
    FROM waiting GROUP BY game, mode
  UNION ALL
  SELECT 'group', game, mode, count(*), min(promoted_at) FROM ticket
    WHERE status = 'promoted' GROUP BY game, mode`;

export function toCensus(sessions: readonly Row[], waiting: readonly Row[]): Census {
  return {
    sessions: sessions.map(
      (row): OpenSessions => ({ ...toKind(row), status: row['status'] as OpenSessions['status'] }),
    ),
    waiting: waiting.map(
      (row): Waiting => ({
        ...toKind(row),
        kind: row['kind'] as Waiting['kind'],
        since: Number(row['since']),
      }),
    ),
  };
}

function toKind({ game, mode, n }: Row) {
  return { game: game as GameId, mode: mode as Mode, n: Number(n) };
}
