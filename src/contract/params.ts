/** The parameters of paths. */

import { z } from 'zod';
import { playerId } from './fields.ts';
import { PLATFORMS } from './values.ts';

export const PARAMS = {
  id: z
    .string()
    .meta({ description: "The session's id.", examples: ['ses_01kafw3q9t5ne8rz2m4xbcd7hj'] }),
  ticketId: z
    .string()
    .meta({ description: "The ticket's id.", examples: ['tkt_01kafw3q9t5ne8rz2m4xbcd7hj'] }),
  groupId: z
    .string()
    .meta({ description: "The group's id.", examples: ['grp_01kafw3q9t5ne8rz2m4xbcd7hj'] }),
  webhookId: z
    .string()
    .meta({ description: "The webhook's id.", examples: ['whk_01kafw3q9t5ne8rz2m4xbcd7hj'] }),
  eventId: z
    .string()
    .meta({ description: "The event's id.", examples: ['evt_01kafw3q9t5ne8rz2m4xbcd7hj'] }),
  botId: z
    .string()
    .meta({ description: "The bot's id.", examples: ['bot_01kafw3q9t5ne8rz2m4xbcd7hj'] }),
  playerId,
  platform: z.enum(PLATFORMS).meta({ description: 'The platform whose devices are checked.' }),
} as const;

/** Names of a path's parameters, in order. */
export function paramsOf(path: string): (keyof typeof PARAMS)[] {
  return Array.from(path.matchAll(/:(\w+)/g), (found) => found[1] as keyof typeof PARAMS);
}
