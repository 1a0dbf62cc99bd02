/** Schemas of requests about bots, with fields in the order of their checks (section 4). */

import { z } from 'zod';
import { displayName, game, plainText, playerId } from '../fields.ts';
import { commandId } from '../messages.ts';
import { BOT_KINDS, DIFFICULTIES, KEY_MODES } from '../values.ts';

const NAME_CHARS_MAX = 64;
const WEIGHT_MAX = 1_000;
const PAGE_MAX = 100;

const name = plainText(1, NAME_CHARS_MAX).meta({
  description: 'Your name for the bot.',
  examples: ['Rosa'],
});
const difficulty = z.enum(DIFFICULTIES).meta({
  description: 'The level. Only for `builtin` bots.',
});
const weight = z.int().min(1).max(WEIGHT_MAX).meta({
  description: 'The relative weight with which it is picked among active bots.',
});

const botId = z.string().min(1);

export const botRequest = z
  .object({
    game,
    mode: z.enum(KEY_MODES).nullish().meta({
      description: "The bot's mode. Defaults to the key's mode.",
    }),
    name,
    displayName: displayName.nullish(),
    playerId: playerId.nullish(),
    kind: z.enum(BOT_KINDS).meta({
      description: '`builtin`: played by the service. `external`: played by your program.',
    }),
    difficulty: difficulty.nullish(),
    weight: weight.nullish(),
  })
  .meta({ id: 'BotRequest' });

export const botChange = z
  .object({
    name: name.nullish(),
    displayName: displayName.nullish(),
    difficulty: difficulty.nullish(),
    weight: weight.nullish(),
    active: z.boolean().nullish().meta({
      description: 'An inactive bot gets no new seats but keeps its current ones.',
    }),
  })
  .meta({ id: 'BotChange' });

export const botQuery = z.object({
  mode: z.enum(KEY_MODES).optional().meta({
    description:
      "Only bots of this mode. Defaults to the key's mode. A test key may read live bots.",
  }),
  game: game.optional().meta({ description: 'Only bots of this game.' }),
  active: z.enum(['true', 'false']).optional().meta({
    description: 'Only active bots, which get new seats, or only inactive ones.',
  }),
  limit: z.int().min(1).max(PAGE_MAX).optional().meta({
    description: 'The maximum number of items on a page.',
    default: 25,
  }),
  cursor: z.string().optional().meta({ description: '`nextCursor` of the previous page.' }),
});

export const botSeatRequest = z
  .object({
    botId: botId.nullish().meta({
      description: 'The bot. If absent, an active one is picked by weight.',
    }),
  })
  .meta({ id: 'BotSeatRequest' });

export const botTokenQuery = z.object({
  mode: z.enum(KEY_MODES).optional().meta({
    description: "Only sessions of this mode. Defaults to the bot's mode.",
  }),
});

export const botStreamQuery = z.object({
  mode: z.enum(KEY_MODES).optional().meta({
    description: 'Only sessions of this mode. Defaults to the mode of the bot or the token.',
  }),
});

export const botActionRequest = z
  .object({
    botId: botId.nullish().meta({
      description: "The bot that acts. Required with a key, optional with the bot's token.",
    }),
    id: commandId.meta({
      description: 'Your id for this action. A repeat has no second effect.',
    }),
    action: z.unknown().meta({ description: 'The action, as on the socket.' }),
  })
  .meta({ id: 'BotActionRequest' });
