/** Writes of registered bots: each runs inside the writer's transaction. */

import type { BotChange, BotRow, BotWrite, CreateBotOutcome } from '../bots.ts';
import { note } from './shared-rows.ts';
import type { Statements } from './statements.ts';

export type BotOp =
  | {
      readonly op: 'createBot';
      readonly bot: BotRow;
      readonly max: number;
      readonly write: BotWrite;
    }
  | {
      readonly op: 'updateBot';
      readonly tenant: string;
      readonly id: string;
      readonly change: BotChange;
      readonly write: BotWrite;
    }
  | {
      readonly op: 'removeBot';
      readonly tenant: string;
      readonly id: string;
      readonly at: number;
      readonly write: BotWrite;
    };

export interface BotAnswers {
  createBot: CreateBotOutcome;
  updateBot: boolean;
  removeBot: boolean;
}

export function performBotOp(sql: Statements, op: BotOp): BotAnswers[BotOp['op']] {
  switch (op.op) {
    case 'createBot':
      return createBot(sql, op);
    case 'updateBot':
      return updateBot(sql, op);
    case 'removeBot':
      return removeBot(sql, op);
  }
}

function createBot(
  sql: Statements,
  { bot, max, write }: Extract<BotOp, { op: 'createBot' }>,
): CreateBotOutcome {
  const held = sql.get(
    'SELECT count(*) AS n FROM bot WHERE tenant = ? AND mode = ? AND deleted_at IS NULL',
    bot.tenant,
    bot.mode,
  );
  if (Number(held?.['n']) >= max) return 'too_many';
  if (bot.mode === 'test' && isLivePlayer(sql, bot)) return 'player_taken';
  const made = sql.run(
    `INSERT INTO bot (id, tenant, mode, game, name, display_name, player_id, kind, difficulty,
       weight, active, created_at, deleted_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)
     ON CONFLICT (tenant, mode, player_id) WHERE deleted_at IS NULL DO NOTHING`,
    bot.id,
    bot.tenant,
    bot.mode,
    bot.game,
    bot.name,
    bot.displayName,
    bot.playerId,
    bot.kind,
    bot.difficulty,
    bot.weight,
    bot.active ? 1 : 0,
    bot.createdAt,
  );
  if (made === 0) return 'player_taken';
  note(sql, write);
  return 'created';
}

function isLivePlayer(sql: Statements, { tenant, playerId }: BotRow): boolean {
  const found = sql.get(
    `SELECT 1 AS found FROM bot
     WHERE tenant = ? AND mode = 'live' AND player_id = ? AND deleted_at IS NULL`,
    tenant,
    playerId,
  );
  return found !== undefined;
}

function updateBot(
  sql: Statements,
  { tenant, id, change, write }: Extract<BotOp, { op: 'updateBot' }>,
): boolean {
  const { name, displayName, difficulty, weight, active } = change;
  const changed = sql.run(
    `UPDATE bot SET name = coalesce(?, name), display_name = coalesce(?, display_name),
       difficulty = coalesce(?, difficulty), weight = coalesce(?, weight),
       active = coalesce(?, active)
     WHERE tenant = ? AND id = ? AND deleted_at IS NULL`,
    name ?? null,
    displayName ?? null,
    difficulty ?? null,
    weight ?? null,
    active === undefined ? null : Number(active),
    tenant,
    id,
  );
  if (changed === 0) return false;
  note(sql, write);
  return true;
}

function removeBot(
  sql: Statements,
  { tenant, id, at, write }: Extract<BotOp, { op: 'removeBot' }>,
): boolean {
  const removed = sql.run(
    'UPDATE bot SET deleted_at = ? WHERE tenant = ? AND id = ? AND deleted_at IS NULL',
    at,
    tenant,
    id,
  );
  if (removed === 0) return false;
  note(sql, write);
  return true;
}
