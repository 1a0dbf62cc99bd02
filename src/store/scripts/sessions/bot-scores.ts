/** Results of registered bots, by level: counted in the transaction that ends a match. */

import type { Outcome } from '../../../../game/src/game.ts';
import type { BotDifficulty, Entry, Mode } from '../../../match/record.ts';
import { addOutcome, isRatedEnd, playerOutcome } from '../../../matchmaking/rating.ts';
import type { BotScore } from '../../bots.ts';
import { toBotScore } from '../../rows/bot-rows.ts';
import type { BotSeat } from '../../store.ts';
import type { Sql } from '../shared/script.ts';

/** An ended match, its last record, and the bots' seats. */
export interface EndedWithBots {
  readonly session: string;
  readonly tenant: string;
  readonly mode: Mode;
  readonly entry: Entry;
  readonly bots: readonly BotSeat[];
}

/** A bot's seat in a match that counts. */
interface Scored {
  readonly session: string;
  readonly seat: number;
  readonly level: BotDifficulty | null;
  readonly outcome: Outcome;
}

/** An external bot has no level, and key columns cannot be null. */
const NO_LEVEL = '';

/** A match with several bots counts for each of them. */
export async function scoreBots(sql: Sql, ended: readonly EndedWithBots[]): Promise<void> {
  const scored = ended.flatMap(({ session, mode, entry: { record }, bots }): Scored[] => {
    if (record.k !== 'ended' || !isRatedEnd(mode, record.outcome)) return [];
    return bots.map(({ seat, level }) => ({ session, seat, level, outcome: record.outcome }));
  });
  if (scored.length === 0) return;
  const rows = await sql.all(SEATED_BOTS, { given: scored });
  const seated = new Map(rows.map((row) => [`${row['session']} ${row['seat']}`, row]));
  const counts = new Map<string, Count>();
  for (const { session, seat, level, outcome } of scored) {
    // The service's own guests are not registered.
    const found = seated.get(`${session} ${seat}`);
    if (found === undefined) continue;
    const key = {
      bot: String(found['bot']),
      mode: String(found['mode']),
      level: level ?? NO_LEVEL,
    };
    const name = `${key.bot} ${key.mode} ${key.level}`;
    const before = counts.get(name) ?? {
      ...key,
      tenant: String(found['tenant']),
      matches: 0,
      wins: 0,
      losses: 0,
      draws: 0,
    };
    const counted = addOutcome(before, playerOutcome(outcome, seat));
    counts.set(name, { ...counted, matches: before.matches + 1 });
  }
  // In a fixed order, so that transactions do not deadlock.
  const given = [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
  if (given.length > 0) await sql.run(ADD, { given });
}

interface Count {
  readonly bot: string;
  readonly mode: string;
  readonly level: string;
  readonly tenant: string;
  readonly matches: number;
  readonly wins: number;
  readonly losses: number;
  readonly draws: number;
}

/** A live bot may sit in a test session if no test bot has its id (rule K3). */
const SEATED_BOTS = `SELECT seat.session, seat.seat, session.tenant, session.mode,
    (SELECT bot.id FROM bot
      WHERE bot.tenant = session.tenant AND bot.player_id = player.player_id
        AND bot.deleted_at IS NULL AND bot.mode IN ('live', session.mode)
      ORDER BY CASE WHEN bot.mode = session.mode THEN 0 ELSE 1 END LIMIT 1) AS bot
  FROM @given(session text, seat int)
    JOIN session ON session.id = given.session
    JOIN seat ON seat.session = given.session AND seat.seat = given.seat
    JOIN player ON player.ref = seat.player
  WHERE seat.is_bot AND session.mode <> 'training' AND EXISTS (SELECT 1 FROM bot
    WHERE bot.tenant = session.tenant AND bot.player_id = player.player_id
      AND bot.deleted_at IS NULL AND bot.mode IN ('live', session.mode))`;

const ADD = `INSERT INTO bot_score (bot, mode, level, tenant, matches, wins, losses, draws)
  SELECT bot, mode, level, tenant, matches, wins, losses, draws
    FROM @given(bot text, mode text, level text, tenant text, matches int, wins int, losses int, draws int)
   WHERE TRUE ORDER BY bot, mode, level
  ON CONFLICT (bot, mode, level) DO UPDATE SET matches = bot_score.matches + excluded.matches,
    wins = bot_score.wins + excluded.wins, losses = bot_score.losses + excluded.losses,
    draws = bot_score.draws + excluded.draws`;

/** By bot and mode, levels in alphabetical order. */
export async function readBotScores(
  sql: Sql,
  bots: readonly string[],
): Promise<readonly BotScore[]> {
  if (bots.length === 0) return [];
  const rows = await sql.all(
    'SELECT * FROM bot_score WHERE bot IN :bots(text) ORDER BY bot, mode, level',
    { bots },
  );
  return rows.map(toBotScore);
}
