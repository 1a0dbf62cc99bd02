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
    description: 'The world it belongs to. Test sessions seat live bots, too.',
  }),
  name: z.string(),
  displayName: z.string(),
  playerId: z.string().meta({ description: 'Under which it sits in sessions.' }),
  kind: z.enum(BOT_KINDS),
  difficulty: z.enum(DIFFICULTIES).nullable().meta({ description: 'Null for external bots.' }),
  weight: z.int().min(1),
  active: z.boolean(),
  createdAt: z.iso.datetime({ precision: 3 }),
};

export const bot = z.strictObject(botFields).meta({ id: 'Bot' });

const botScore = z
  .strictObject({
    mode: z.enum(KEY_MODES).meta({ description: 'Of which sessions.' }),
    difficulty: z.enum(DIFFICULTIES).nullable().meta({
      description: 'At which level it played them; null for external bots.',
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
        'Matches that ended with a result, against anybody, by mode and level. Aborted and training ' +
        'matches are left out. A key sees the modes that it may read. Empty until its first match.',
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
    expiresIn: count.meta({ description: 'Life of the token in seconds.' }),
    socketUrl: z.string(),
    streamUrl: z.string(),
  })
  .meta({ id: 'BotToken' });

export const botAck = z
  .strictObject({
    id: z.string(),
    v: count.meta({ description: 'Version of the record that the action became.' }),
  })
  .meta({ id: 'BotAck' });

export const botStream = z.string().meta({
  id: 'BotStream',
  description:
    'One JSON object a line, for as long as it stays open; blank lines while nothing happens. The ' +
    'first, `{ t: "welcome", bot, sessions, states }`, has the whole state of every session in ' +
    'which the bot sits; then come the frames that a socket is sent.',
});
