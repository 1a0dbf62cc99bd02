/** Registered bots in PostgreSQL. */

import type { BotRow, BotStore, BotWrite, CreateBotOutcome } from '../bots.ts';
import { toBot, toOnlyBot } from '../rows/bot-rows.ts';
import { note } from './answer-rows.ts';
import type { Sql, Transactor, Tx } from './sql.ts';
import { takeTurn } from './turns.ts';

export function makeBotStore(db: Sql & Transactor): BotStore {
  return {
    ...makeReads(db),
    createBot: (bot, max, write) => db.transaction((tx) => createBot(tx, bot, max, write)),
    updateBot: (tenant, id, change, write) =>
      db.transaction(async (tx) => {
        const { name, displayName, difficulty, weight, active } = change;
        const changed = await tx.run(
          `UPDATE bot SET name = coalesce($3, name), display_name = coalesce($4, display_name),
             difficulty = coalesce($5, difficulty), weight = coalesce($6, weight),
             active = coalesce($7, active)
           WHERE tenant = $1 AND id = $2 AND deleted_at IS NULL`,
          tenant,
          id,
          name ?? null,
          displayName ?? null,
          difficulty ?? null,
          weight ?? null,
          active ?? null,
        );
        if (changed > 0) await note(tx, write);
        return changed > 0;
      }),
    removeBot: (tenant, id, at, write) =>
      db.transaction(async (tx) => {
        const removed = await tx.run(
          'UPDATE bot SET deleted_at = $3 WHERE tenant = $1 AND id = $2 AND deleted_at IS NULL',
          tenant,
          id,
          at,
        );
        if (removed > 0) await note(tx, write);
        return removed > 0;
      }),
  };
}

function makeReads(db: Sql) {
  return {
    async findBot(tenant, id) {
      const row = await db.get('SELECT * FROM bot WHERE tenant = $1 AND id = $2', tenant, id);
      return row === undefined ? null : toBot(row);
    },
    async listBots({ tenant, mode, game, active, before, limit }) {
      const rows = await db.all(
        `SELECT * FROM bot WHERE tenant = $1 AND mode = $2 AND deleted_at IS NULL
           AND ($3::text IS NULL OR game = $3) AND ($4::boolean IS NULL OR active = $4)
           AND ($5::text IS NULL OR id < $5)
         ORDER BY id DESC LIMIT $6`,
        tenant,
        mode,
        game,
        active,
        before,
        limit,
      );
      return rows.map(toBot);
    },
    async listSeatableBots({ tenant, mode, game, id }) {
      const rows = await db.all(
        `SELECT * FROM bot WHERE tenant = $1 AND game = $3 AND deleted_at IS NULL
           AND (id = $4::text OR ($4::text IS NULL AND active))
           AND (mode = $2::text OR ($2::text = 'test' AND NOT EXISTS (SELECT FROM bot AS own
             WHERE own.tenant = $1 AND own.mode = 'test' AND own.player_id = bot.player_id)))
         ORDER BY id DESC`,
        tenant,
        mode,
        game,
        id,
      );
      return rows.map(toBot);
    },
    async isOnlyBot(tenant, worlds, playerId) {
      const rows = await db.all(
        `SELECT count(seat.session) AS seats, count(*) FILTER (WHERE seat.is_bot) AS bots,
           count(*) FILTER (WHERE session.status <> 'ended') AS open,
           EXISTS (SELECT FROM bot
             WHERE tenant = $1 AND player_id = $2 AND deleted_at IS NULL
               AND mode IN ('live', player.world)) AS registered
         FROM player LEFT JOIN seat ON seat.player = player.ref
           LEFT JOIN session ON session.id = seat.session
         WHERE player.tenant = $1 AND player.player_id = $2 AND player.world = ANY($3::text[])
         GROUP BY player.ref, player.world`,
        tenant,
        playerId,
        worlds,
      );
      return toOnlyBot(rows);
    },
  } satisfies Partial<BotStore>;
}

async function createBot(
  tx: Tx,
  bot: BotRow,
  max: number,
  write: BotWrite,
): Promise<CreateBotOutcome> {
  await takeTurn(tx, bot.tenant, 'bots');
  const held = await tx.get(
    'SELECT count(*) AS n FROM bot WHERE tenant = $1 AND mode = $2 AND deleted_at IS NULL',
    bot.tenant,
    bot.mode,
  );
  if (Number(held!['n']) >= max) return 'too_many';
  if (bot.mode === 'test' && (await isLivePlayer(tx, bot))) return 'player_taken';
  const made = await tx.run(
    `INSERT INTO bot (id, tenant, mode, game, name, display_name, player_id, kind, difficulty,
       weight, active, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
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
    bot.active,
    bot.createdAt,
  );
  if (made === 0) return 'player_taken';
  await note(tx, write);
  return 'created';
}

async function isLivePlayer(tx: Tx, { tenant, playerId }: BotRow): Promise<boolean> {
  const found = await tx.get(
    `SELECT 1 AS found FROM bot
     WHERE tenant = $1 AND mode = 'live' AND player_id = $2 AND deleted_at IS NULL`,
    tenant,
    playerId,
  );
  return found !== undefined;
}
