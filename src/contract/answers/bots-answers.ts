/** Schemas of responses about bots (section 4). */

import { z } from 'zod';
import { game } from '../fields.ts';
import { BOT_KINDS, DIFFICULTIES, KEY_MODES } from '../values.ts';
import { session } from './answers.ts';

const count = z.int().min(0);

const botFields = {
  id: z.string(),
  game,
  mode: z.enum(KEY_MODES).meta({
    description: "The bot's mode. Test sessions may also seat live bots.",
  }),
  name: z.string(),
  displayName: z.string(),
  playerId: z.string().meta({ description: "The bot's player id in sessions." }),
  kind: z.enum(BOT_KINDS),
  difficulty: z.enum(DIFFICULTIES).nullable().meta({ description: 'Null for external bots.' }),
  weight: z.int().min(1),
  active: z.boolean(),
  createdAt: z.iso.datetime({ precision: 3 }),
};

export const bot = z.strictObject(botFields).meta({ id: 'Bot' });

const botScore = z
  .strictObject({
    mode: z.enum(KEY_MODES).meta({ description: 'The mode of the sessions.' }),
    difficulty: z.enum(DIFFICULTIES).nullable().meta({
      description: 'The level it played on; null for external bots.',
    }),
    matches: count,
    wins: count,
    losses: count,
    draws: count,
  })
  .meta({ id: 'BotScore' });

export const scoredBot = z
  .strictObject({
    ...botFields,
    score: z.array(botScore).meta({
      description:
        'Results by mode and level, against all opponents. Aborted and training matches do not count. ' +
        'A key sees the modes that it may read. Empty until the first match.',
    }),
  })
  .meta({ id: 'ScoredBot' });

export const botList = z
  .strictObject({ data: z.array(scoredBot), nextCursor: z.string().nullable() })
  .meta({ id: 'BotList' });

export const botDeleted = z
  .strictObject({ id: z.string(), deleted: z.literal(true) })
  .meta({ id: 'BotDeleted' });

export const botSeated = z.strictObject({ bot, session }).meta({ id: 'BotSeated' });

export const botToken = z
  .strictObject({
    token: z.string(),
    expiresIn: count.meta({ description: 'Lifetime of the token in seconds.' }),
    socketUrl: z.string(),
    streamUrl: z.string(),
  })
  .meta({ id: 'BotToken' });

export const botAck = z
  .strictObject({
    id: z.string(),
    v: count.meta({ description: "The version of the action's record." }),
  })
  .meta({ id: 'BotAck' });

export const botStream = z.string().meta({
  id: 'BotStream',
  description:
    'A stream with one JSON object per line. Blank lines keep the connection alive. The first line, ' +
    '`{ t: "welcome", bot, sessions, states }`, has the whole state of every session with the bot. ' +
    'The same frames as on a socket follow.',
});
