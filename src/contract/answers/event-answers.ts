/** Events as tenants read them: the same in pages, streams and webhooks (rule E1). */

import { z } from 'zod';
import { game } from '../fields.ts';
import { EVENT_TYPES, KEY_ALERT_KINDS, MATCH_TYPES, SESSION_MODES } from '../values.ts';
import { result } from './answers.ts';
import { verdict } from './integrity-answers.ts';

const time = z.iso.datetime({ precision: 3 });
const seat = z.int().min(0);
/** A player's id; null once they were erased. */
const knownId = z.string().nullable();
const metadata = z.record(z.string(), z.string()).nullable();

const player = z.strictObject({
  id: knownId,
  displayName: z.string().nullable(),
  seat,
  isBot: z.boolean(),
});

/** Data of every event about a whole session; absent once the session has been removed. */
const sessionData = {
  game: game.optional(),
  matchType: z.enum(MATCH_TYPES).optional(),
  variant: z.string().optional(),
  players: z.array(player).optional(),
  metadata: metadata.optional(),
};
const seatData = {
  seat,
  game: game.optional(),
  playerId: knownId.optional(),
  isBot: z.boolean().optional(),
  metadata: metadata.optional(),
};

/** Data from a record of the session's log. */
const seatRecordData = {
  v: z.int().min(0).optional().meta({ description: 'The version of the record.' }),
  ...seatData,
};

const ticketData = { ticketId: z.string(), game };
const capacity = z.int().min(1);
const groupId = z.string();
const ticketPlayerData = {
  ...ticketData,
  playerId: knownId,
  taken: z.int().min(0).meta({ description: 'The number of players in the ticket now.' }),
  capacity,
};

const auditAnchor = z
  .strictObject({
    tenant: z.string().meta({ description: 'The tenant of the audit log.' }),
    n: z.int().min(1).meta({ description: 'The number of the newest row.' }),
    hash: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .meta({ description: 'The hash of the newest row.' }),
    at: time,
    signature: z.strictObject({
      keyId: z.string().meta({ description: 'The `kid` of a key in `/.well-known/jwks.json`.' }),
      algorithm: z.literal('Ed25519'),
      value: z.string().meta({ description: '64 bytes in base64url.' }),
    }),
  })
  .meta({
    description: 'Verify with `matchd audit verify --anchor`, which also takes the whole event.',
  });

/** The data of each event, by the prefix of its type. */
export const EVENT_DATA = {
  'session.created': z.looseObject({
    ...sessionData,
    roomCode: z.string().optional(),
    seats: z.array(seat).meta({ description: 'The seats taken at creation.' }),
  }),
  'session.started': z.looseObject(sessionData),
  'session.ended': z.looseObject({ ...sessionData, result }),
  'session.expired': z.looseObject({ ...sessionData, result }),
  'session.rematch_agreed': z.looseObject(sessionData),
  'player.joined': z.looseObject(seatRecordData),
  'player.left': z.looseObject(seatRecordData),
  'player.connected': z.looseObject(seatRecordData),
  'player.disconnected': z.looseObject(seatRecordData),
  'bot.injected': z.looseObject(seatRecordData),
  'integrity.checked': z.looseObject({ ...seatRecordData, ...verdict.shape }),
  'audit.anchored': z.looseObject({ anchor: auditAnchor }),
  'ticket.created': z.looseObject({ ...ticketData, capacity }),
  'ticket.player_added': z.looseObject(ticketPlayerData),
  'ticket.player_removed': z.looseObject(ticketPlayerData),
  'ticket.promoted': z.looseObject({ ...ticketData, groupId, players: z.array(knownId), capacity }),
  'ticket.cancelled': z.looseObject(ticketData),
  'group.started': z.looseObject({ ...ticketData, groupId, players: z.array(knownId) }),
  'group.cancelled': z.looseObject({ ...ticketData, groupId }),
  'key.alert': z.looseObject({
    keyId: z.string(),
    kind: z.enum(KEY_ALERT_KINDS).meta({ description: 'The kind of unusual use.' }),
    details: z.record(z.string(), z.union([z.string(), z.number()])).meta({
      description: 'Details by name, as shown in the alert.',
    }),
  }),
  'move.made': z.looseObject({
    ...seatData,
    v: z.int().min(0).meta({ description: 'The version of the record.' }),
    action: z.unknown(),
  }),
  'checkers.crowned': z.looseObject({
    ...seatData,
    square: z.int().min(0).max(99).meta({ description: 'The square of the new king.' }),
  }),
  'ludo.captured': z.looseObject({
    ...seatData,
    token: z.int().min(0).max(3),
    at: z.string().meta({ description: 'The field, as in the view: `track 17`.' }),
    captured: z.strictObject({ seat, token: z.int().min(0).max(3) }).meta({
      description: 'The token that goes back to its yard.',
    }),
  }),
  'fight.round_ended': z.looseObject({
    ...sessionData,
    round: z.int().min(1).meta({ description: 'Includes rounds without a winner.' }),
    winner: seat.nullable().meta({ description: 'Null: the round is repeated.' }),
    by: z.enum(['knockout', 'time', 'double_knockout', 'equal_health']),
    health: z.array(z.int().min(0)).meta({ description: 'The remaining health by seat.' }),
    ticks: z.int().min(1).meta({ description: 'The length of the round in ticks.' }),
  }),
} as const;

export const event = z
  .strictObject({
    id: z.string().meta({ description: 'The same in every delivery attempt.' }),
    type: z.enum(EVENT_TYPES),
    sessionId: z.string().optional(),
    mode: z.enum(SESSION_MODES),
    seq: z.int().min(1).meta({
      description: "The event's number in the log of its tenant and mode, without gaps.",
    }),
    timestamp: time,
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'Event' });

export const eventList = z.strictObject({
  data: z.array(event),
  nextCursor: z.string().nullable().meta({
    description: 'The cursor of the next page; null if there is none yet.',
  }),
});

export const eventStream = z.string().meta({
  description: 'Server-sent events: `id` is the event, `event` its type, `data` the event as JSON.',
});
