/** Players with their ratings, and leaderboards (section 3a). */

import { z } from 'zod';
import { game } from '../fields.ts';
import { KEY_MODES } from '../values.ts';

const time = z.iso.datetime({ precision: 3 });
const count = z.int().min(0);

const ratingFields = {
  rating: z.number().meta({ description: 'By Glicko-2; everybody begins with 1500.' }),
  deviation: z.number().min(0).meta({ description: 'How unsure the rating is, as of now.' }),
  games: count.meta({ description: 'Matches that counted.' }),
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
      description: 'Has the player a socket of that mode open now? As the answering process knows.',
    }),
    ratings: z
      .partialRecord(game, playerRating)
      .meta({ description: 'By game; games that the player has no rated match of are left out.' }),
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
  .meta({ id: 'RatingChange', description: 'Both have one decimal.' });

export const ratedMatch = z
  .strictObject({
    at: time.meta({ description: 'When the match ended, and the rating changed.' }),
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
      'The newest session first. A page may be short or empty and still have a `nextCursor`.',
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
  .meta({ id: 'LeaderList', description: 'The highest rating first.' });
