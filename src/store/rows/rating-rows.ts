/** Converts rows of ratings. */

import type { Standing } from '../../matchmaking/rating.ts';
import type { Leader } from '../ratings.ts';
import type { RatingChange } from '../rematches.ts';
import { type Row, textOrNull } from './row.ts';

export function toStanding(row: Row): Standing {
  return {
    rating: Number(row['rating']),
    deviation: Number(row['deviation']),
    volatility: Number(row['volatility']),
    games: Number(row['games']),
    wins: Number(row['wins']),
    losses: Number(row['losses']),
    draws: Number(row['draws']),
    lastPlayedAt: Number(row['last_played_at']),
  };
}

/** A standing's row, with the player's name. */
export function toLeader(row: Row): Leader {
  return {
    ref: String(row['player']),
    rating: Number(row['rating']),
    playerId: String(row['player_id']),
    displayName: textOrNull(row['display_name']),
    standing: toStanding(row),
  };
}

/** What a match did to its players' ratings, by seat; null for a match that was not rated. */
export function toRatingChanges(rated: unknown): readonly RatingChange[] | null {
  return typeof rated === 'string' ? (JSON.parse(rated) as readonly RatingChange[]) : null;
}
