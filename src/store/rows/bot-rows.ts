/** Rows of registered bots, and what they are to the rest of the house. */

import type { GameId } from '../../games/game.ts';
import type { BotDifficulty } from '../../match/record.ts';
import type { KeyMode } from '../../tenancy/tenant.ts';
import type { BotKind, BotRow } from '../bots.ts';
import type { Row } from './row.ts';

export function toBot(row: Row): BotRow {
  return {
    id: String(row['id']),
    tenant: String(row['tenant']),
    mode: row['mode'] as KeyMode,
    game: row['game'] as GameId,
    name: String(row['name']),
    displayName: String(row['display_name']),
    playerId: String(row['player_id']),
    kind: row['kind'] as BotKind,
    difficulty: row['difficulty'] as BotDifficulty | null,
    weight: Number(row['weight']),
    active: Boolean(row['active']),
    createdAt: Number(row['created_at']),
    deletedAt: row['deleted_at'] === null ? null : Number(row['deleted_at']),
  };
}

/** From how many seats an id has, how many are bots', in open sessions, and whether a bot has it. */
export function toOnlyBot(row: Row): boolean {
  const seats = Number(row['seats']);
  const isOfBots = seats > 0 && Number(row['bots']) === seats;
  return isOfBots && (Number(row['open']) > 0 || Boolean(row['registered']));
}
