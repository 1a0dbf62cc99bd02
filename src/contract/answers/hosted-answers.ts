/** Schemas of responses of hosted matchmaking (section 5). */

import { z } from 'zod';
import { game } from '../fields.ts';
import { KEY_MODES, TICKET_STATUSES } from '../values.ts';
import { session, sessionWithTokens } from './answers.ts';
import { OWN_VERDICT, verdict } from './integrity-answers.ts';

const time = z.iso.datetime({ precision: 3 });

const players = z
  .array(
    z.strictObject({
      id: z.string().nullable().meta({ description: 'Null once the player was erased.' }),
      displayName: z.string().nullable(),
      integrity: verdict.optional().meta({
        description: "What the check of the player's device found; absent when there was none.",
      }),
    }),
  )
  .meta({ description: 'In the order in which they were added.' });

const ticketFields = {
  game,
  mode: z.enum(KEY_MODES),
  players,
  capacity: z.int().min(1),
};

export const ticketMade = z.strictObject({ ticketId: z.string() }).meta({ id: 'TicketMade' });

export const resultOk = z.strictObject({ result: z.literal('ok') }).meta({ id: 'ResultOk' });

export const playerAdded = resultOk
  .extend({ integrity: verdict.optional().meta({ description: OWN_VERDICT }) })
  .meta({ id: 'TicketPlayerAdded' });

const group = z
  .strictObject({
    id: z.string(),
    ticketId: z.string(),
    ...ticketFields,
    status: z.enum(['promoted', 'started']),
    promotedAt: time,
  })
  .meta({ id: 'Group' });

export const promoted = z.strictObject({ group }).meta({ id: 'Promoted' });

export const pool = z
  .strictObject({
    groups: z.array(group).meta({ description: 'Promoted and not started, the oldest first.' }),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: 'Pool' });

export const ticket = z
  .strictObject({
    ticketId: z.string(),
    ...ticketFields,
    status: z.enum(TICKET_STATUSES),
    groupId: z.string().nullable().meta({ description: 'Null until it is promoted.' }),
    sessionId: z.string().nullable().meta({ description: 'Null until it is started.' }),
    createdAt: time,
    promotedAt: time.nullable(),
    endedAt: time.nullable().meta({ description: 'The time of the start or the cancellation.' }),
  })
  .meta({ id: 'Ticket' });

export const ticketList = z
  .strictObject({
    data: z.array(ticket).meta({ description: 'The newest first.' }),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: 'TicketList' });

const groups = z.array(group).meta({ description: 'What the match was made of.' });

export const matchStarted = sessionWithTokens
  .extend({ groups })
  .meta({ id: 'MatchStarted', description: 'The session, which is active, and its groups.' });

export const matchStartedBefore = session
  .extend({ groups })
  .meta({ id: 'MatchStartedBefore', description: 'The session as it now is, and its groups.' });
