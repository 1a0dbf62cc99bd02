/** Schemas of requests for the list of rooms (rule S10). */

import { z } from 'zod';
import { game } from '../fields.ts';
import { KEY_MODES } from '../values.ts';

const PAGE_MAX = 100;

/** Query values are texts; numbers are parsed before they are checked. */
export const roomQuery = z.object({
  game: game.optional().meta({ description: 'Only rooms of this game.' }),
  mode: z.enum(KEY_MODES).optional().meta({
    description: "Only rooms of this mode. Defaults to the key's mode.",
  }),
  limit: z.int().min(1).max(PAGE_MAX).optional().meta({
    description: 'The maximum number of items on a page.',
    default: 25,
  }),
  cursor: z.string().optional().meta({ description: '`nextCursor` of the previous page.' }),
});
