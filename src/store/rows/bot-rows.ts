/** Converts rows of registered bots. */

import type { GameId } from '../../../game/src/game.ts';
import type { BotDifficulty } from '../../match/record.ts';
import type { KeyMode } from '../../tenancy/tenant.ts';
import type { BotKind, BotRow, BotScore } from '../bots.ts';
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

export function toBotScore(row: Row): BotScore {
  return {
    bot: String(row['bot']),
    mode: row['mode'] as KeyMode,
    level: row['level'] === '' ? null : (row['level'] as BotDifficulty),
    matches: Number(row['matches']),
    wins: Number(row['wins']),
    losses: Number(row['losses']),
    draws: Number(row['draws']),
  };
}

/** Rows per mode that knows an id: its seats, the bots' seats, the open ones, and whether a bot has it. */
export function toOnlyBot(worlds: readonly Row[]): boolean {
  const isOfBots = worlds.every(
    ({ seats, bots }) => Number(seats) > 0 && Number(bots) === Number(seats),
  );
  return isOfBots && worlds.some(({ open, registered }) => Number(open) > 0 || Boolean(registered));
}
