/** What is asked of players' ratings and of boards (section 3a). */

import { z } from 'zod';
import { game } from './fields.ts';
import { KEY_MODES } from './values.ts';

const PAGE_MAX = 100;

const mode = z.enum(KEY_MODES).optional();

/** Values of queries are texts; whole numbers are read as such before they are checked. */
export const playerQuery = z.object({
  mode: mode.meta({ description: "Ratings of this world; by default of the key's." }),
});

export const leaderQuery = z.object({
  game,
  mode: mode.meta({ description: "The board of this world; by default of the key's." }),
  limit: z.int().min(1).max(PAGE_MAX).optional().meta({
    description: 'How many at once.',
    default: 25,
  }),
  cursor: z.string().optional().meta({ description: '`nextCursor` of the page before.' }),
});
