/** The frames that the server sends (rule P3), as schemas: tests check every frame against them. */

import { z } from 'zod';
import type { RejectCode } from '../../match/decide.ts';
import { replay, result, series } from '../answers/answers.ts';
import { game } from '../fields.ts';
import { EMOTES } from '../messages.ts';
import { STATUSES } from '../values.ts';

/** Every `reject` reason, and when it is given. */
export const REJECTS = {
  not_your_turn: "It is another seat's turn.",
  illegal_move: 'The rules do not allow the action.',
  ambiguous_move: 'The action matches more than one move.',
  bad_action: 'Not an action of this game.',
  unknown_session: 'The socket does not show that session.',
  watch_only: 'A watcher cannot act.',
  session_not_active: 'The match has not started.',
  session_not_pending: 'The match has started.',
  session_ended: 'The match has ended, or the player is out of it.',
  session_not_ended: 'The match has not ended. Its replay is available afterwards.',
  room_full: 'Every seat is taken.',
  player_in_session: 'The player already has a seat.',
  id_reused: 'The id was acknowledged for another command.',
  draws_not_offered_here: 'The game has no draw offers.',
  draw_offer_too_soon: 'The last offer was less than 10 moves ago.',
  no_draw_offer: 'There is no offer to answer.',
  entropy_too_late: 'Entropy is accepted only before the match starts.',
  entropy_given: 'The seat has already sent another value.',
  too_fast: 'Too many messages. Slow down.',
  too_far_ahead: 'The inputs are for ticks more than 30 ahead of the server.',
  no_rematch: 'The session can have no rematch.',
  rematch_over: 'The rematch was declined or agreed on, or its time is up.',
  replay_too_large: 'The replay is over 512 KiB. The tenant can download it over HTTP.',
  busy: "The session's queue is full. Retry with the same id.",
  unavailable: 'The commit may or may not have succeeded. Retry with the same id.',
} as const satisfies Record<RejectCode, string>;

const REJECT_CODES = Object.keys(REJECTS) as (keyof typeof REJECTS)[];

const s = z.string().meta({ description: 'The id of the session.' });
const version = z.int().min(0);
const v = version.meta({ description: 'The version of the record shown.' });
const prev = version.meta({
  description: "The version of the session's previous frame. If it does not match, send `sync`.",
});
const seat = z.int().min(0);
const turn = seat.nullable().meta({ description: 'The seat to move; null for none.' });
const acting = z
  .array(seat)
  .optional()
  .meta({ description: 'The seats that may act, in games with simultaneous moves.' });
const time = z.iso.datetime({ precision: 3 });
const deadline = time.nullable();
const json = z.unknown();
const legal = z.array(json).optional().meta({
  description:
    "Legal actions of the seat to move; absent if not finite. With hidden information or simultaneous moves: the receiver's.",
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
  player: z.string().nullable().meta({ description: 'Null for a watcher.' }),
  sessions: z.array(z.string()).meta({ description: 'A `state` of each follows.' }),
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
  seat: seat.nullable().meta({ description: 'The seat of the view; null for a watcher.' }),
  players: z.array(player),
  roomCode: z.string().optional().meta({
    description: 'Only for players, while a `private` session has an open seat.',
  }),
  turn,
  acting,
  view: json,
  legal,
  clock,
  deadline: deadline.meta({
    description: 'When the turn ends; before the start, when the session expires.',
  }),
  endsAt: deadline.meta({
    description:
      "When the game's time limit ends the match; null if it has none or the limit is not running.",
  }),
  ticks: z
    .strictObject({
      next: z.int().min(0).meta({ description: 'The tick after the one that `view` shows.' }),
      at: deadline.meta({ description: 'When that tick is due; null while play is paused.' }),
    })
    .optional()
    .meta({ description: 'Only in real-time games. `ticks` may follow at once.' }),
  drawOfferedBy: seat.nullable(),
  graces: z
    .array(deadline)
    .meta({ description: 'By seat: when a disconnected player forfeits the match.' }),
  awaited: z.array(seat).optional().meta({
    description:
      'Seats of an active match whose players have never connected; absent if there are none.',
  }),
  series: series.optional().meta({ description: 'Only for a rematch.' }),
  commitment: z.string().meta({
    description:
      "Hex SHA-256 of the match's secret seed. The replay reveals the seed after the end.",
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
  action: json.meta({ description: 'Null if hidden from the receiver.' }),
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
  from: z.int().min(0).meta({ description: 'The first tick. After a gap, send `sync`.' }),
  inputs: z.array(z.array(z.int().min(0))).meta({
    description: 'Runs: the input of each seat, then the number of ticks.',
  }),
  committed: z.int().min(0).meta({ description: 'The number of committed ticks.' }),
  hash: z.string().optional().meta({
    description: 'Hash of the state after the last of these ticks; once a second.',
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
  resumeToken: z.string().optional().meta({ description: 'Replaces the earlier one.' }),
  watchers: z.int().min(0).optional().meta({
    description: 'The number of watchers now. Only on a socket of one session.',
  }),
});

/** The answer to `replay`; not part of the chain. */
export const replayFrame = z.strictObject({ t: z.literal('replay'), s, id: z.string(), replay });

/** Not part of the chain: it shows nothing from the log. */
export const rematchFrame = z.strictObject({
  t: z.literal('rematch'),
  s,
  id: z
    .string()
    .optional()
    .meta({ description: 'The id of the frame it answers; absent otherwise.' }),
  asked: z.array(seat).meta({ description: 'Seats that offered a rematch, in order.' }),
  agreed: z.boolean().meta({ description: 'Whether all players agreed. Bots always agree.' }),
  declined: seat
    .nullable()
    .meta({ description: 'The seat that declined. No agreement is possible any more.' }),
  here: z.array(seat).meta({ description: 'Seats of players who are connected.' }),
  until: deadline.meta({
    description: 'Until when players can agree; null if the session can have no rematch.',
  }),
  next: z
    .strictObject({
      session: z.string(),
      token: z.string().optional().meta({
        description: "The player's token for it. Only in answers to the player's own frames.",
      }),
    })
    .nullable()
    .meta({ description: 'The rematch, once created.' }),
  refused: z.string().nullable().meta({
    description: 'Why the service could not create the agreed rematch; otherwise null.',
  }),
  ratings: z
    .array(z.tuple([z.number(), z.number()]))
    .nullable()
    .meta({ description: "Each seat's rating before and after; null for an unrated match." }),
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
