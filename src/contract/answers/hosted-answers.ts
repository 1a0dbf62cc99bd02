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
      id: z.string().nullable().meta({ description: 'Null after the player was erased.' }),
      displayName: z.string().nullable(),
      integrity: verdict.optional().meta({
        description: "The check of the player's device; absent without a check.",
      }),
    }),
  )
  .meta({ description: 'In the order of being added.' });

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
    groups: z
      .array(group)
      .meta({ description: 'Promoted groups that were not started, oldest first.' }),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: 'Pool' });

export const ticket = z
  .strictObject({
    ticketId: z.string(),
    ...ticketFields,
    status: z.enum(TICKET_STATUSES),
    groupId: z.string().nullable().meta({ description: 'Null until promoted.' }),
    sessionId: z.string().nullable().meta({ description: 'Null until started.' }),
    createdAt: time,
    promotedAt: time.nullable(),
    endedAt: time.nullable().meta({ description: 'The time of the start or the cancellation.' }),
  })
  .meta({ id: 'Ticket' });

export const ticketList = z
  .strictObject({
    data: z.array(ticket).meta({ description: 'Newest first.' }),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: 'TicketList' });

const groups = z.array(group).meta({ description: 'The groups of the match.' });

export const matchStarted = sessionWithTokens
  .extend({ groups })
  .meta({ id: 'MatchStarted', description: 'The active session and its groups.' });

export const matchStartedBefore = session.extend({ groups }).meta({
  id: 'MatchStartedBefore',
  description: 'The session in its current state and its groups.',
});
