/** Schemas of requests of hosted matchmaking (section 5). */

import { z } from 'zod';
import { game, playerId } from '../fields.ts';
import { TICKET_STATUSES } from '../values.ts';
import { deviceFields } from './integrity-requests.ts';
import { sessionOptions } from './requests.ts';

const SEATS_MOST = 4;
const PAGE_MAX = 100;
/** How many groups may start together: more than any game has seats, because groups may be empty. */
export const GROUPS_MAX = 64;

/** Every call names the game. */
export const hostedQuery = z.object({ game });

export const ticketQuery = z.object({
  game,
  capacity: z.int().min(1).max(SEATS_MOST).optional().meta({
    description: "The number of players, from 1 to the game's seats. Defaults to the game's seats.",
  }),
});

const page = {
  limit: z.int().min(1).max(PAGE_MAX).optional().meta({
    description: 'The maximum number of items on a page.',
    default: 25,
  }),
  cursor: z.string().optional().meta({ description: '`nextCursor` of the previous page.' }),
};

export const poolQuery = z.object({ game, ...page });

export const ticketListQuery = z.object({
  game,
  status: z.enum(TICKET_STATUSES).optional().meta({ description: 'Only tickets in this state.' }),
  player: playerId.optional().meta({ description: 'Only tickets that hold this player.' }),
  ...page,
});

export const startQuery = z.object({
  game,
  requireConnected: z.enum(['true', 'false']).optional().meta({
    description: 'Refuse the start unless every player is connected.',
    default: 'false',
  }),
});

export const ticketPlayerRequest = z
  .object({ playerId, ...deviceFields })
  .meta({ id: 'TicketPlayerRequest' });

export const startRequest = z
  .object({
    groupIds: z
      .array(z.string().min(1))
      .min(1)
      .max(GROUPS_MAX)
      .meta({
        description: 'Promoted groups, each once, in seat order.',
        examples: [['grp_01kafw3q9t5ne8rz2m4xbcd7hj']],
      }),
    variant: z.string().nullish().meta({
      description: "The game's rule set. Defaults to its first.",
    }),
    options: sessionOptions.nullish(),
  })
  .meta({ id: 'StartMatchRequest' });
