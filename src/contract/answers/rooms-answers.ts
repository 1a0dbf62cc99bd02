/** Schemas of rooms, and of a watcher's token (rule S10). */

import { z } from 'zod';
import { game } from '../fields.ts';
import { KEY_MODES, MATCH_TYPES } from '../values.ts';
import { seatedPlayer } from './answers.ts';

export const room = z
  .strictObject({
    sessionId: z.string(),
    game,
    mode: z.enum(KEY_MODES),
    matchType: z.enum(MATCH_TYPES),
    variant: z.string(),
    status: z.literal('active'),
    seats: z.int().min(1),
    players: z.array(seatedPlayer),
    watchers: z.int().min(0).meta({ description: 'The number of watchers now.' }),
    startedAt: z.iso.datetime({ precision: 3 }),
  })
  .meta({ id: 'Room', description: 'An active match that can be watched.' });

export const roomList = z
  .strictObject({ data: z.array(room), nextCursor: z.string().nullable() })
  .meta({ id: 'RoomList' });

export const watchToken = z
  .strictObject({
    token: z.string(),
    expiresIn: z.int().min(0).meta({ description: 'Lifetime of the token in seconds.' }),
    socketUrl: z.string(),
    playUrl: z.string().meta({ description: 'The play page in watch mode.' }),
  })
  .meta({ id: 'WatchToken' });
