/** The texts of the message description: frames, events, closes. */

import type { EventType } from '../../events/event.ts';
import type { CompactName } from '../frames/compact-frames.ts';
import type { ServerFrame } from '../frames/server-frames.ts';
import type { CLOSE, ClientFrame, OWN_CLOSE } from '../messages.ts';

type ClientName = ClientFrame['t'];
type ServerName = ServerFrame['t'];

/** What a client's frame is for, and how the server answers. */
export const CLIENT_FRAMES: Readonly<
  Record<ClientName, { readonly summary: string; readonly replies: readonly ServerName[] }>
> = {
  hello: {
    summary:
      'Send the token, unless the handshake had it. On an open socket, request missed frames.',
    replies: ['welcome', 'state'],
  },
  act: {
    summary: 'Play an action of the game. The `ack` follows the commit.',
    replies: ['ack', 'reject'],
  },
  leave: {
    summary: 'Leave a pending session. The seat is open again.',
    replies: ['ack', 'left', 'reject'],
  },
  resign: { summary: 'Resign the match.', replies: ['ack', 'reject'] },
  draw: {
    summary: 'Offer a draw, or answer an offer. In checkers and connect4 only.',
    replies: ['ack', 'reject'],
  },
  emote: {
    summary: 'Show an emote to everybody. It is not part of the log.',
    replies: ['emote', 'reject'],
  },
  entropy: {
    summary: 'Add entropy to the random seed before the match starts, once for each player.',
    replies: ['state', 'reject'],
  },
  in: {
    summary: 'Send the inputs of the ticks from `from` on, in real-time games.',
    replies: ['ticks', 'reject'],
  },
  sync: { summary: 'Request the whole state.', replies: ['state', 'reject'] },
  replay: {
    summary: 'Request the replay of an ended match.',
    replies: ['replay', 'reject'],
  },
  rematch: {
    summary: 'Offer, withdraw or decline a rematch of an ended match, or request its state.',
    replies: ['rematch', 'reject'],
  },
  ping: { summary: 'Request the time, and keep the connection alive.', replies: ['pong'] },
};

export const SERVER_FRAMES: Readonly<Record<ServerName, string>> = {
  welcome: 'The token was accepted and the presence committed. A `state` of each session follows.',
  state: 'The whole session, as the receiver may see it.',
  update: 'One committed action, and the session after it.',
  over: 'The match has ended.',
  presence: 'A player connected or disconnected.',
  left: 'You left the session or were removed. No more of its frames follow.',
  warning: 'Two thirds of the turn have passed.',
  ticks: 'The inputs of every seat, tick by tick, in real-time games.',
  ack: 'The command is committed, by this frame or an earlier one with its id.',
  reject: 'A frame had no effect.',
  emote: 'A player shows an emote.',
  pong: 'The answer to `ping`.',
  rematch: 'The state of the rematch, sent on request and to everybody when it changes.',
  replay: 'The replay, as returned by `GET /v1/sessions/:id/replay`.',
};

/** Frames of `matchd.v2` only. */
export const COMPACT_FRAMES: Readonly<Record<CompactName, string>> = {
  act: '`act`, where the second element is text.',
  in: '`in`, where the second element is a number.',
  state: '`state` of `matchd.v1`, with the number of its session, and `base`.',
  update:
    '`update`, as changes since the frame of version `prev`. The clock, `prev` and the id are optional.',
  over: '`over`. The players are those of the last `state`.',
  ticks: '`ticks` of real-time games.',
};

/** When a socket is closed with this code, and what a client does then. */
export const CLOSE_MEANS: Readonly<Record<keyof typeof CLOSE | keyof typeof OWN_CLOSE, string>> = {
  normal: 'Either side closed the socket normally.',
  restarting: 'The service restarts. Reconnect with the resume token after a short wait.',
  overloaded: 'The client left more than 1 MiB unread. Reconnect.',
  badFrame: 'A frame was binary, not JSON, or not in this document. The reason names the fault.',
  token: 'The token is invalid or expired, or its key or player was removed. Get a new token.',
  origin: "The page's origin is not allowed by the key that issued the token.",
  noHello: 'No `hello` within 5 seconds.',
  left: 'The player left the session or was removed. Do not reconnect.',
  replaced: 'A newer socket replaced this one. Do not reconnect automatically.',
  tooFast: 'Too many messages, or too many sockets.',
  goingAway: 'The service is gone. Reconnect.',
  protocol: 'Not a valid WebSocket frame of a client, such as an unmasked one.',
  noText: 'A text frame was not UTF-8.',
  tooBig: 'A frame was larger than 16 KiB.',
  fault: 'Internal error. Reconnect.',
};

export const EVENTS: Readonly<Record<EventType, string>> = {
  'session.created': 'A session was created.',
  'session.started': 'Every seat is taken and every player has connected. The match starts.',
  'session.ended': 'The match has ended.',
  'session.expired': 'The session expired before it started. Sent instead of `session.ended`.',
  'session.rematch_agreed': 'All players of an ended session agreed on a rematch.',
  'player.joined': 'A player took a seat.',
  'player.left': 'A player left before the match started. The seat is open again.',
  'player.connected': 'A seated player connected.',
  'player.disconnected': "A seated player's last socket closed.",
  'move.made': 'An action was committed. Sent only to webhooks that name this type.',
  'bot.injected': 'A bot took a seat.',
  'ticket.created': 'A ticket was created.',
  'ticket.player_added': 'A player was added to a ticket.',
  'ticket.player_removed': 'A player was removed from a ticket.',
  'ticket.promoted': 'A ticket was promoted to a group.',
  'ticket.cancelled': 'A ticket was cancelled.',
  'group.started': 'A match was started from a group.',
  'group.cancelled': 'A group was cancelled.',
  'integrity.checked': 'A device was checked.',
  'key.alert': 'Unusual use of an API key. Sent only to webhooks that name this type.',
  'audit.anchored':
    "A signed anchor of the tenant's audit log. Sent once a day, only to webhooks that name this type.",
  'checkers.crowned': 'A man became a king.',
  'ludo.captured': 'A token was captured and sent back to its yard.',
  'fight.round_ended': 'A round of the fight ended.',
};
