/** Registered bots in SQLite: the calls of the port, reads beside the writer. */

import type { BotStore } from '../bots.ts';
import { toBot, toOnlyBot } from '../rows/bot-rows.ts';
import type { GroupCommit } from './group-commit.ts';
import type { Prepare } from './rows.ts';

export type BotReads = Pick<BotStore, 'findBot' | 'listBots' | 'listSeatableBots' | 'isOnlyBot'>;

export function makeBotReads(all: Prepare): BotReads {
  const one = all('SELECT * FROM bot WHERE tenant = ? AND id = ?');
  const those = all(
    `SELECT * FROM bot WHERE tenant = ?1 AND mode = ?2 AND deleted_at IS NULL
       AND (?3 IS NULL OR game = ?3) AND (?4 IS NULL OR active = ?4) AND (?5 IS NULL OR id < ?5)
     ORDER BY id DESC LIMIT ?6`,
  );
  const seatable = all(
    `SELECT * FROM bot WHERE tenant = ?1 AND game = ?3 AND deleted_at IS NULL
       AND (id = ?4 OR (?4 IS NULL AND active = 1))
       AND (mode = ?2 OR (?2 = 'test' AND NOT EXISTS (SELECT 1 FROM bot AS own
         WHERE own.tenant = ?1 AND own.mode = 'test' AND own.player_id = bot.player_id)))
     ORDER BY id DESC`,
  );
  const onlyBot = all(
    `SELECT count(seat.session) AS seats, coalesce(sum(seat.is_bot), 0) AS bots,
       coalesce(sum(session.status <> 'ended'), 0) AS open,
       EXISTS (SELECT 1 FROM bot
         WHERE tenant = ?1 AND player_id = ?2 AND deleted_at IS NULL
           AND mode IN ('live', player.world)) AS registered
     FROM player LEFT JOIN seat ON seat.player = player.ref
       LEFT JOIN session ON session.id = seat.session
     WHERE player.tenant = ?1 AND player.player_id = ?2
       AND player.world IN (SELECT value FROM json_each(?3))
     GROUP BY player.ref`,
  );
  return {
    async findBot(tenant, id) {
      const [found] = one(tenant, id);
      return found === undefined ? null : toBot(found);
    },
    async listBots({ tenant, mode, game, active, before, limit }) {
      const isActive = active === null ? null : Number(active);
      return those(tenant, mode, game, isActive, before, limit).map(toBot);
    },
    listSeatableBots: async ({ tenant, mode, game, id }) =>
      seatable(tenant, mode, game, id).map(toBot),
    isOnlyBot: async (tenant, worlds, playerId) =>
      toOnlyBot(onlyBot(tenant, playerId, JSON.stringify(worlds))),
  };
}

export function makeBotStore(writer: GroupCommit, reads: BotReads): BotStore {
  return {
    ...reads,
    createBot: (bot, max, write) =>
      writer.perform<'createBot'>({ op: 'createBot', bot, max, write }),
    updateBot: (tenant, id, change, write) =>
      writer.perform<'updateBot'>({ op: 'updateBot', tenant, id, change, write }),
    removeBot: (tenant, id, at, write) =>
      writer.perform<'removeBot'>({ op: 'removeBot', tenant, id, at, write }),
  };
}
