/** Requests: bodies and queries, with fields in the order of their checks. */

import { z } from 'zod';
import {
  displayName,
  game,
  metadata,
  metadataFilter,
  optionalTime,
  player,
  playerId,
  shortText,
} from '../fields.ts';
import { theme } from '../theme.ts';
import { DIFFICULTIES, MATCH_TYPES_ASKED, SESSION_MODES, STATUSES } from '../values.ts';
import { deviceFields } from './integrity-requests.ts';

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
const REASON_CHARS_MAX = 200;
const PAGE_MAX = 100;

const ms = (min: number, max: number) => z.int().min(min).max(max);

/** The options of every game; each game adds its own. `parseOptions` checks them. */
export const sessionOptions = z
  .object({
    turnTimeoutMs: ms(5 * SECOND_MS, 14 * DAY_MS)
      .nullish()
      .meta({
        description: "The time for one turn. Defaults to the game's.",
      }),
    clock: z
      .strictObject({
        initialMs: ms(10 * SECOND_MS, 14 * DAY_MS).meta({ description: 'The time of each seat.' }),
        incrementMs: ms(0, DAY_MS).nullish().meta({ description: 'The time that each move adds.' }),
      })
      .nullish()
      .meta({ description: 'A chess clock. Defaults to none.' }),
    disconnectGraceMs: ms(0, 14 * DAY_MS)
      .nullish()
      .meta({
        description: 'How long a player may be disconnected.',
        default: 60 * SECOND_MS,
      }),
    afk: z.boolean().nullish().meta({
      description: 'Whether a player who exceeds the turn time loses the match.',
      default: true,
    }),
    botDifficulty: z.enum(DIFFICULTIES).nullish().meta({
      description: 'The level of bots in this session.',
      default: 'medium',
    }),
  })
  .catchall(z.union([z.boolean(), z.int(), z.string(), z.null()]))
  .meta({
    id: 'SessionOptions',
    description: 'Options of every session and of the game. Unknown names are refused.',
  });

export const sessionRequest = z
  .object({
    game,
    mode: z.enum(SESSION_MODES).nullish().meta({ description: "Defaults to the key's mode." }),
    players: z.array(player).min(1).nullish().meta({
      description: 'Required in live and test sessions; at most as many as the game has seats.',
    }),
    ...deviceFields,
    matchType: z.enum(MATCH_TYPES_ASKED).nullish().meta({
      description: 'How open seats are filled.',
      default: 'matchmaking',
    }),
    variant: z.string().nullish().meta({
      description: "The game's rule set. Defaults to its first.",
    }),
    seats: z.int().min(2).max(4).nullish().meta({
      description: 'The number of seats: 2 to 4 in ludo, 2 in the other shipped games.',
    }),
    options: sessionOptions.nullish(),
    metadata: metadata.nullish(),
    theme: theme.nullish(),
  })
  .meta({
    id: 'SessionRequest',
    examples: [
      { game: 'connect4', players: [{ id: 'alice', displayName: 'Alice' }, { id: 'bob' }] },
    ],
  });

export const joinRequest = z
  .object({
    game,
    mode: z.enum(SESSION_MODES).nullish().meta({
      description: "The session's mode. Defaults to the key's mode.",
    }),
    roomCode: z.string().meta({
      description: 'The room code of the session. Case and spaces are ignored.',
      examples: ['K7WQ3D'],
    }),
    player,
    ...deviceFields,
  })
  .meta({ id: 'JoinRequest' });

export const endRequest = z
  .object({
    reason: shortText(0, REASON_CHARS_MAX).nullish().meta({
      description: 'Your note. The result is always `aborted`.',
    }),
  })
  .meta({ id: 'EndRequest' });

export const lobbyRequest = z
  .object({ displayName: displayName.nullish(), ...deviceFields })
  .meta({ id: 'LobbyRequest' });

/** Query values are texts; numbers are parsed before they are checked. */
export const sessionQuery = z.object({
  game: game.optional().meta({ description: 'Only sessions of this game.' }),
  mode: z.enum(SESSION_MODES).optional().meta({
    description: "Only sessions of this mode. Defaults to the key's mode.",
  }),
  status: z.enum(STATUSES).optional().meta({ description: 'Only sessions in this state.' }),
  player: playerId
    .optional()
    .meta({ description: 'Only sessions in which this player has a seat.' }),
  metadata: metadataFilter.optional().meta({
    description:
      'Only sessions with this metadata value: `metadata[orderId]=77`. One key per request.',
  }),
  createdFrom: optionalTime.meta({ description: 'Only sessions created at or after this time.' }),
  createdTo: optionalTime.meta({ description: 'Only sessions created before this time.' }),
  limit: z.int().min(1).max(PAGE_MAX).optional().meta({
    description: 'The maximum number of items on a page.',
    default: 25,
  }),
  cursor: z.string().optional().meta({ description: '`nextCursor` of the previous page.' }),
});
