/** Schemas of requests for players' ratings and for leaderboards (section 3a). */

import { z } from 'zod';
import { game } from '../fields.ts';
import { KEY_MODES } from '../values.ts';

const PAGE_MAX = 100;

const mode = z.enum(KEY_MODES).optional();
const page = {
  limit: z.int().min(1).max(PAGE_MAX).optional().meta({
    description: 'The maximum number of items on a page.',
    default: 25,
  }),
  cursor: z.string().optional().meta({ description: '`nextCursor` of the previous page.' }),
};

/** Query values are texts; numbers are parsed before they are checked. */
export const playerQuery = z.object({
  mode: mode.meta({ description: "Only ratings of this mode. Defaults to the key's mode." }),
});

export const ratingHistoryQuery = z.object({
  game,
  mode: mode.meta({ description: "The player of this mode. Defaults to the key's mode." }),
  ...page,
});

export const leaderQuery = z.object({
  game,
  mode: mode.meta({ description: "The board of this mode. Defaults to the key's mode." }),
  ...page,
});
