/** Reads and writes of registered bots. */

import type { KeyMode } from '../../tenancy/tenant.ts';
import type { BotChange, BotRow, BotStore, BotWrite, CreateBotOutcome } from '../bots.ts';
import { toBot, toOnlyBot } from '../rows/bot-rows.ts';
import { readBotScores } from './sessions/bot-scores.ts';
import { note } from './shared/answers.ts';
import { type Runner, type Sql, scriptOfOne, type Tx } from './shared/script.ts';
import { takeTurn } from './shared/turns.ts';

export function makeBotStore({ sql, write }: Runner): BotStore {
  return {
    ...makeReads(sql),
    createBot: (bot, max, noted) => write(CREATE, { bot, max, noted }),
    updateBot: (tenant, id, change, noted) => write(UPDATE, { tenant, id, change, noted }),
    removeBot: (tenant, id, at, noted) => write(REMOVE, { tenant, id, at, noted }),
  };
}

// ── writes ─────────────────────────────────────────────────────────────────────────────────────

interface Create {
  readonly bot: BotRow;
  readonly max: number;
  readonly noted: BotWrite;
}

interface OfBot {
  readonly tenant: string;
  readonly id: string;
  readonly noted: BotWrite;
}

const CREATE = scriptOfOne('createBot', createBot);

async function createBot(tx: Tx, { bot, max, noted }: Create): Promise<CreateBotOutcome> {
  await takeTurn(tx, bot.tenant, 'bots');
  const held = await tx.get(
    'SELECT count(*) AS n FROM bot WHERE tenant = :tenant AND mode = :mode AND deleted_at IS NULL',
    { tenant: bot.tenant, mode: bot.mode },
  );
  if (Number(held!['n']) >= max) return 'too_many';
  if (bot.mode === 'test' && (await isLivePlayer(tx, bot))) return 'player_taken';
  const made = await tx.run(
    `INSERT INTO bot (id, tenant, mode, game, name, display_name, player_id, kind, difficulty,
       weight, active, created_at)
     SELECT id, tenant, mode, game, name, display_name, player_id, kind, difficulty, weight, active, created_at
       FROM @given(id text, tenant text, mode text, game text, name text, display_name text, player_id text,
         kind text, difficulty text, weight int, active boolean, created_at bigint) WHERE TRUE
     ON CONFLICT (tenant, mode, player_id) WHERE deleted_at IS NULL DO NOTHING`,
    { given: [bot] },
  );
  if (made === 0) return 'player_taken';
  await note(tx, noted);
  return 'created';
}

async function isLivePlayer(tx: Tx, { tenant, playerId }: BotRow): Promise<boolean> {
  const found = await tx.get(
    `SELECT 1 AS found FROM bot
     WHERE tenant = :tenant AND mode = 'live' AND player_id = :player AND deleted_at IS NULL`,
    { tenant, player: playerId },
  );
  return found !== undefined;
}

const UPDATE = scriptOfOne('updateBot', async (tx, ask: OfBot & { readonly change: BotChange }) => {
  const { tenant, id, noted, change } = ask;
  const { name, displayName, difficulty, weight, active } = change;
  const changed = await tx.run(
    `UPDATE bot SET name = coalesce(:name, name), display_name = coalesce(:display_name, display_name),
       difficulty = coalesce(:difficulty, difficulty), weight = coalesce(:weight, weight),
       active = coalesce(:active, active)
     WHERE tenant = :tenant AND id = :id AND deleted_at IS NULL`,
    {
      tenant,
      id,
      name: name ?? null,
      display_name: displayName ?? null,
      difficulty: difficulty ?? null,
      weight: weight ?? null,
      active: active ?? null,
    },
  );
  if (changed > 0) await note(tx, noted);
  return changed > 0;
});

const REMOVE = scriptOfOne('removeBot', async (tx, ask: OfBot & { readonly at: number }) => {
  const { tenant, id, at, noted } = ask;
  const removed = await tx.run(
    'UPDATE bot SET deleted_at = :at WHERE tenant = :tenant AND id = :id AND deleted_at IS NULL',
    { tenant, id, at },
  );
  if (removed > 0) await note(tx, noted);
  return removed > 0;
});

export const BOT_SCRIPTS = [CREATE, UPDATE, REMOVE];

// ── reads ──────────────────────────────────────────────────────────────────────────────────────

/** One row per mode that knows the player's id. */
const ONLY_BOT = `SELECT count(seat.session) AS seats, count(*) FILTER (WHERE seat.is_bot) AS bots,
    count(*) FILTER (WHERE session.status <> 'ended') AS open,
    EXISTS (SELECT 1 FROM bot WHERE tenant = :tenant AND player_id = :player AND deleted_at IS NULL
      AND mode IN ('live', player.world)) AS registered
  FROM player LEFT JOIN seat ON seat.player = player.ref
    LEFT JOIN session ON session.id = seat.session
  WHERE player.tenant = :tenant AND player.player_id = :player AND player.world IN :worlds(text)
  GROUP BY player.ref, player.world`;

function makeReads(sql: Sql) {
  return {
    async findBot(tenant, id) {
      const row = await sql.get('SELECT * FROM bot WHERE tenant = :tenant AND id = :id', {
        tenant,
        id,
      });
      return row === undefined ? null : toBot(row);
    },
    async listBots({ tenant, mode, game, active, before, limit }) {
      const rows = await sql.all(
        `SELECT * FROM bot WHERE tenant = :tenant AND mode = :mode AND deleted_at IS NULL
           AND (:game::text IS NULL OR game = :game) AND (:active::boolean IS NULL OR active = :active)
           AND (:before::text IS NULL OR id < :before)
         ORDER BY id DESC LIMIT :limit`,
        { tenant, mode, game, active, before, limit },
      );
      return rows.map(toBot);
    },
    async listSeatableBots({ tenant, mode, game, id }) {
      const rows = await sql.all(
        `SELECT * FROM bot WHERE tenant = :tenant AND game = :game AND deleted_at IS NULL
           AND (id = :id::text OR (:id::text IS NULL AND active))
           AND (mode = :mode::text OR (:mode::text = 'test' AND NOT EXISTS (SELECT 1 FROM bot AS own
             WHERE own.tenant = :tenant AND own.mode = 'test' AND own.player_id = bot.player_id)))
         ORDER BY id DESC`,
        { tenant, mode, game, id },
      );
      return rows.map(toBot);
    },
    listBotScores: (ids) => readBotScores(sql, ids),
    isOnlyBot: async (tenant, worlds: readonly KeyMode[], playerId) =>
      toOnlyBot(await sql.all(ONLY_BOT, { tenant, player: playerId, worlds })),
  } satisfies Partial<BotStore>;
}
