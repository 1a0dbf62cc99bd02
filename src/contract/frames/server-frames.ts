/** The frames that the server sends (rule P3), as schemas: tests check every frame against them. */

import { z } from 'zod';
import type { RejectCode } from '../../match/decide.ts';
import { replay, result, series } from '../answers/answers.ts';
import { game } from '../fields.ts';
import { EMOTES } from '../messages.ts';
import { STATUSES } from '../values.ts';

/** Every `reject` reason, and when it is given. */
export const REJECTS = {
  not_your_turn: 'Another seat is to move.',
  illegal_move: 'The rules of the game forbid it.',
  ambiguous_move: 'It could mean more than one move.',
  bad_action: 'It is not an action of the game at all.',
  unknown_session: 'The socket does not show that session.',
  watch_only: 'The socket may watch the session and do nothing in it.',
  session_not_active: 'The match has not begun.',
  session_not_pending: 'The match has begun.',
  session_ended: 'The match, or this seat in it, is over.',
  session_not_ended: 'The match goes on: its replay is there when it is over.',
  room_full: 'Every seat is taken.',
  player_in_session: 'The player sits there already.',
  id_reused: 'The id was acknowledged for another command.',
  draws_not_offered_here: 'The game knows no draw offers.',
  draw_offer_too_soon: 'The last offer is less than 10 moves ago.',
  no_draw_offer: 'There is no offer to answer.',
  entropy_too_late: 'Entropy is taken before the start only.',
  entropy_given: 'The seat has given another value before.',
  too_fast: 'Too many messages: wait a little.',
  too_far_ahead: 'The masks are for ticks more than 30 ahead of the clock.',
  no_rematch: 'The session can have no rematch.',
  rematch_over: 'The rematch was declined or agreed on, or its time is up.',
  replay_too_large: 'Over 512 KiB: the tenant can have it by HTTP.',
  busy: 'Too much waits for this session: send it again, with the same id.',
  unavailable: 'It is not known whether it was committed: send it again, with the same id.',
} as const satisfies Record<RejectCode, string>;

const REJECT_CODES = Object.keys(REJECTS) as (keyof typeof REJECTS)[];

const s = z.string().meta({ description: 'The id of the session.' });
const version = z.int().min(0);
const v = version.meta({ description: 'Version of the record this shows.' });
const prev = version.meta({
  description: "Version of the session's frame before. No fit: `sync`.",
});
const seat = z.int().min(0);
const turn = seat.nullable().meta({ description: 'The seat to move; null when nobody is.' });
const acting = z
  .array(seat)
  .optional()
  .meta({ description: 'The seats that may act, of games in which several act at the same time.' });
const time = z.iso.datetime({ precision: 3 });
const deadline = time.nullable();
const json = z.unknown();
const legal = z.array(json).optional().meta({
  description:
    'Legal actions of the seat to move; left out where they are not finite. Where information is hidden, or several act, those of the receiver.',
});

const clock = z
  .strictObject({
    remainingMs: z.array(z.number()).meta({ description: 'By seat, as of `at`.' }),
    running: seat.nullable(),
    flagsAt: deadline,
  })
  .nullable();

const player = z.strictObject({
  id: z.string().nullable(),
  displayName: z.string().nullable(),
  seat,
  isBot: z.boolean(),
  connected: z.boolean(),
});

export const welcomeFrame = z.strictObject({
  t: z.literal('welcome'),
  player: z.string().nullable().meta({ description: 'Null for watchers.' }),
  sessions: z.array(z.string()).meta({ description: 'A `state` follows for each.' }),
  resumeToken: z.string(),
  pingMs: z.int().min(1),
});

export const stateFrame = z.strictObject({
  t: z.literal('state'),
  s,
  v,
  prev,
  game,
  variant: z.string(),
  status: z.enum(STATUSES),
  seat: seat.nullable().meta({ description: 'Whose view it is; null for watchers.' }),
  players: z.array(player),
  roomCode: z.string().optional().meta({
    description: 'While it opens a seat of a `private` session; to players alone.',
  }),
  turn,
  acting,
  view: json,
  legal,
  clock,
  deadline: deadline.meta({ description: "End of the turn; before the start, the session's." }),
  endsAt: deadline.meta({
    description: "When the game's own time is up; null where it has none, or does not run.",
  }),
  ticks: z
    .strictObject({
      next: z.int().min(0).meta({ description: 'The tick that comes after what `view` shows.' }),
      at: deadline.meta({ description: 'When that tick is due; null while play stands still.' }),
    })
    .optional()
    .meta({ description: 'Of games that run by the clock: then `ticks` may follow at once.' }),
  drawOfferedBy: seat.nullable(),
  graces: z.array(deadline).meta({ description: 'By seat: when its absence ends the match.' }),
  awaited: z.array(seat).optional().meta({
    description:
      'Seats of an active match whose players were never connected; left out when there are none.',
  }),
  series: series.optional().meta({ description: 'Of a rematch alone.' }),
  commitment: z.string().meta({
    description: "Hex SHA-256 of the match's secret seed, which the replay shows at the end.",
  }),
  at: time,
  result: result.nullable(),
});

export const updateFrame = z.strictObject({
  t: z.literal('update'),
  s,
  v,
  prev,
  seat,
  action: json.meta({ description: 'Null where the receiver may not see it.' }),
  view: json,
  turn,
  acting,
  legal,
  clock,
  deadline,
  at: time,
});

export const overFrame = z.strictObject({ t: z.literal('over'), s, v, prev, result, at: time });

export const presenceFrame = z.strictObject({
  t: z.literal('presence'),
  s,
  v,
  prev,
  seat,
  connected: z.boolean(),
  deadline,
});

/** The last frame of a session for a player who left it or was removed. */
export const leftFrame = z.strictObject({ t: z.literal('left'), s, v, prev, seat });

export const warningFrame = z.strictObject({
  t: z.literal('warning'),
  s,
  v,
  prev,
  kind: z.literal('afk'),
  seat: turn,
  deadline: time,
});

/** Not part of the `v` chain: ticks are shown before a record has them, and `from` is their chain. */
export const ticksFrame = z.strictObject({
  t: z.literal('ticks'),
  s,
  from: z.int().min(0).meta({ description: 'The first tick. A gap before it: `sync`.' }),
  inputs: z.array(z.array(z.int().min(0))).meta({
    description: 'Runs: what each seat held down, by seat, and last for how many ticks.',
  }),
  committed: z.int().min(0).meta({ description: 'So many ticks are in the log for good.' }),
  hash: z.string().optional().meta({
    description: 'Of the state after the last of these ticks; once a second.',
  }),
});

/** Not part of the chain of `v` and `prev`: it answers a command and shows no record. */
export const ackFrame = z.strictObject({ t: z.literal('ack'), s, id: z.string(), v, prev });

export const rejectFrame = z.strictObject({
  t: z.literal('reject'),
  s: s.nullable(),
  id: z.string().nullable().meta({ description: 'Null for frames without an id.' }),
  code: z.enum(REJECT_CODES),
  error: z.string().meta({ description: 'One sentence for the developer.' }),
});

export const emoteFrame = z.strictObject({
  t: z.literal('emote'),
  s,
  v,
  prev,
  seat,
  emote: z.enum(EMOTES),
});

export const pongFrame = z.strictObject({
  t: z.literal('pong'),
  n: z.number(),
  now: time,
  resumeToken: z.string().optional().meta({ description: 'In place of the older one.' }),
  watchers: z.int().min(0).optional().meta({
    description: 'How many watch now, on a socket that is of one session.',
  }),
});

/** The answer to `replay`; not part of the chain. */
export const replayFrame = z.strictObject({ t: z.literal('replay'), s, id: z.string(), replay });

/** Not part of the chain: it shows nothing from the log. */
export const rematchFrame = z.strictObject({
  t: z.literal('rematch'),
  s,
  id: z.string().optional().meta({ description: 'Of the frame it answers; absent in news.' }),
  asked: z.array(seat).meta({ description: 'Seats of players who want a rematch, in order.' }),
  agreed: z.boolean().meta({ description: 'All of them do; bots are always ready.' }),
  declined: seat.nullable().meta({ description: 'Who said no: there is no agreement any more.' }),
  here: z.array(seat).meta({ description: 'Seats of players who have a socket open anywhere.' }),
  until: deadline.meta({
    description: 'Until when players can agree; null where the session can have no rematch.',
  }),
  next: z
    .strictObject({
      session: z.string(),
      token: z.string().optional().meta({
        description: "Opens it. In the answer to a player's own frame alone.",
      }),
    })
    .nullable()
    .meta({ description: 'The rematch, once it is made.' }),
  refused: z.string().nullable().meta({
    description: 'Why the service could not make the rematch that was agreed on; else null.',
  }),
  ratings: z
    .array(z.tuple([z.number(), z.number()]))
    .nullable()
    .meta({ description: "Each seat's rating before and after; null where it did not count." }),
});

/** Everything that the server sends. */
export const serverFrame = z.discriminatedUnion('t', [
  welcomeFrame,
  stateFrame,
  updateFrame,
  overFrame,
  presenceFrame,
  leftFrame,
  warningFrame,
  ticksFrame,
  ackFrame,
  rejectFrame,
  emoteFrame,
  pongFrame,
  replayFrame,
  rematchFrame,
]);
export type ServerFrame = z.infer<typeof serverFrame>;
