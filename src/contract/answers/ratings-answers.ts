/** Players with their ratings, and leaderboards (section 3a). */

import { z } from 'zod';
import { game } from '../fields.ts';
import { KEY_MODES } from '../values.ts';

const time = z.iso.datetime({ precision: 3 });
const count = z.int().min(0);

const ratingFields = {
  rating: z.number().meta({ description: 'Glicko-2. Players start at 1500.' }),
  deviation: z
    .number()
    .min(0)
    .meta({ description: 'The rating deviation (uncertainty) as of now.' }),
  games: count.meta({ description: 'The number of rated matches.' }),
};

export const playerRating = z
  .strictObject({
    ...ratingFields,
    wins: count,
    losses: count,
    draws: count,
    lastPlayedAt: time.nullable(),
  })
  .meta({ id: 'PlayerRating' });

export const player = z
  .strictObject({
    playerId: z.string(),
    displayName: z.string().nullable(),
    connected: z.boolean().meta({
      description:
        'Whether the player has an open socket of that mode, as known to the node that answers.',
    }),
    ratings: z
      .partialRecord(game, playerRating)
      .meta({ description: 'By game. Games without a rated match are absent.' }),
    createdAt: time,
  })
  .meta({ id: 'Player' });

const rating = z.number();

/** What a match did to a player's rating. */
export const ratingChange = z
  .strictObject({
    before: rating.meta({ description: "The player's rating before the match." }),
    after: rating.meta({ description: "The player's rating after the match." }),
  })
  .meta({ id: 'RatingChange', description: 'A rating change. Values have one decimal.' });

export const ratedMatch = z
  .strictObject({
    at: time.meta({ description: 'When the match ended.' }),
    sessionId: z.string(),
    ...ratingChange.shape,
    outcome: z.enum(['win', 'loss', 'draw']),
  })
  .meta({ id: 'RatedMatch' });

export const ratingHistory = z
  .strictObject({ data: z.array(ratedMatch), nextCursor: z.string().nullable() })
  .meta({
    id: 'RatingHistory',
    description:
      'Newest session first. A page may be short or empty and still have a `nextCursor`.',
  });

/** A rating in an export, which covers every mode that the key may see. */
export const exportedRating = playerRating
  .extend({ game, mode: z.enum(KEY_MODES) })
  .meta({ id: 'ExportedRating' });

export const leader = z
  .strictObject({
    rank: z.int().min(1),
    playerId: z.string(),
    displayName: z.string().nullable(),
    ...ratingFields,
  })
  .meta({ id: 'Leader' });

export const leaderList = z
  .strictObject({ data: z.array(leader), nextCursor: z.string().nullable() })
  .meta({ id: 'LeaderList', description: 'Highest rating first.' });
