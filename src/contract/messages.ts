/** The client's messages on the socket (rule P3), as schemas that validate them. */

import { z } from 'zod';
import { DRAW_STEPS, REMATCH_STEPS } from './values.ts';

/** The subprotocol that every server and client supports. */
export const SUBPROTOCOL = 'matchd.v1';
/** The same with compact frames (rule P12): used if the client offers it. */
export const SUBPROTOCOL_2 = 'matchd.v2';
/** The prefix of a token sent as a second subprotocol. */
export const TOKEN_PROTOCOL_PREFIX = 'token.';

/** The emotes. A closed list (rule E4). */
export const EMOTES = [
  'thumbs_up',
  'thumbs_down',
  'clap',
  'laugh',
  'cry',
  'angry',
  'surprised',
  'thinking',
  'hello',
  'good_game',
  'good_luck',
  'oops',
] as const;

const COMMAND_ID_CHARS_MAX = 64;
const ENTROPY_CHARS_MAX = 64;
const TOKEN_CHARS_MAX = 2_048;
const SESSIONS_MAX = 1_000;

const session = z.string().min(1).max(64).meta({ description: 'The id of the session.' });
/** No control characters: ids are returned in frames and written to logs. */
export const commandId = z
  .string()
  .min(1)
  .max(COMMAND_ID_CHARS_MAX)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u)
  .meta({ description: "The client's id for this command. A repeat has no second effect." });

/** What a client may send. Unknown fields are ignored. */
export const clientFrame = z.discriminatedUnion('t', [
  z.object({
    t: z.literal('act'),
    s: session,
    id: commandId,
    action: z.unknown().optional().meta({ description: 'The action, as defined by the game.' }),
  }),
  z.object({ t: z.literal('resign'), s: session, id: commandId }),
  z.object({ t: z.literal('leave'), s: session, id: commandId }),
  z.object({ t: z.literal('draw'), s: session, id: commandId, do: z.enum(DRAW_STEPS) }),
  z.object({ t: z.literal('emote'), s: session, emote: z.enum(EMOTES) }),
  z.object({
    t: z.literal('entropy'),
    s: session,
    value: z
      .string()
      .min(1)
      .max(ENTROPY_CHARS_MAX)
      .regex(/^[^\p{Cc}\p{Cs}]*$/u)
      .meta({ description: "The player's entropy for the random seed." }),
  }),
  z.object({
    t: z.literal('in'),
    s: session,
    from: z.int().min(0).meta({ description: 'The tick of the first mask.' }),
    masks: z
      .array(z.number())
      .meta({ description: 'The pressed inputs of 1 to 60 ticks, one bit mask each.' }),
  }),
  z.object({ t: z.literal('sync'), s: session }),
  z.object({
    t: z.literal('replay'),
    s: session,
    id: commandId.meta({ description: "The client's id, returned in the answer." }),
  }),
  z.object({
    t: z.literal('rematch'),
    s: session,
    id: commandId.meta({ description: "The client's id, returned in the answer." }),
    do: z.enum(REMATCH_STEPS).optional().meta({
      description: 'Absent: request the state. `decline` is final.',
    }),
  }),
  z.object({
    t: z.literal('ping'),
    n: z.number().meta({ description: 'Returned in the `pong`.' }),
  }),
  z.object({
    t: z.literal('hello'),
    token: z.string().max(TOKEN_CHARS_MAX).optional().meta({
      description: 'Required unless sent as a subprotocol.',
    }),
    resume: z
      .record(session, z.number())
      .refine((value) => Object.keys(value).length <= SESSIONS_MAX)
      .optional()
      .meta({
        description:
          'The version last seen of each session. A lobby also receives those that ended while it was disconnected.',
      }),
  }),
]);
export type ClientFrame = z.infer<typeof clientFrame>;

/** Why a socket was closed (rule P5). */
export const CLOSE = {
  normal: { code: 1000, reason: 'bye' },
  restarting: { code: 1012, reason: 'restarting, come back' },
  overloaded: { code: 1013, reason: 'reading too slowly' },
  badFrame: { code: 4400, reason: 'bad frame' },
  token: { code: 4401, reason: 'token invalid or expired' },
  origin: { code: 4403, reason: 'origin not allowed' },
  noHello: { code: 4408, reason: 'no hello in time' },
  replaced: { code: 4409, reason: 'replaced by a newer socket' },
  left: { code: 4410, reason: 'left the session' },
  tooFast: { code: 4429, reason: 'too fast or too many' },
} as const;
export type CloseCause = (typeof CLOSE)[keyof typeof CLOSE];

/**
 * Close codes of the WebSocket protocol itself (RFC 6455, 7.4.1). An empty reason may be replaced
 * by a longer one.
 */
export const OWN_CLOSE = {
  goingAway: { code: 1001, reason: 'Server closed' },
  protocol: { code: 1002, reason: '' },
  noText: { code: 1007, reason: '' },
  tooBig: { code: 1009, reason: '' },
  fault: { code: 1011, reason: '' },
} as const;
