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
    summary: 'Shows the token, if the handshake did not; on an open socket it asks for the gap.',
    replies: ['welcome', 'state'],
  },
  act: {
    summary: 'Plays an action of the game. The `ack` comes after it was committed.',
    replies: ['ack', 'reject'],
  },
  leave: {
    summary: 'Leaves a session that is still pending: the seat is open again.',
    replies: ['ack', 'left', 'reject'],
  },
  resign: { summary: 'Gives the match up.', replies: ['ack', 'reject'] },
  draw: {
    summary: 'Offers a draw, or answers the offer: checkers and connect4 only.',
    replies: ['ack', 'reject'],
  },
  emote: {
    summary: 'Shows a feeling to everybody. It is no record of the match.',
    replies: ['emote', 'reject'],
  },
  entropy: {
    summary: "Adds to the chance of the match before its start; each player's once.",
    replies: ['state', 'reject'],
  },
  in: {
    summary: 'Tells what is held down from tick `from` on, in games that run by the clock.',
    replies: ['ticks', 'reject'],
  },
  sync: { summary: 'Asks for the whole state.', replies: ['state', 'reject'] },
  replay: {
    summary: 'Asks for the replay of a match that is over.',
    replies: ['replay', 'reject'],
  },
  rematch: {
    summary:
      'Says what the player thinks of a rematch, or only asks what was said. Of matches that are over.',
    replies: ['rematch', 'reject'],
  },
  ping: { summary: 'Asks for the time, and says that one is still there.', replies: ['pong'] },
};

export const SERVER_FRAMES: Readonly<Record<ServerName, string>> = {
  welcome: 'The token was good, and the presence is committed. A `state` of each session follows.',
  state: 'A session as a whole, as its reader may see it.',
  update: 'One committed action, and the session after it.',
  over: 'The match has ended.',
  presence: 'A player came or went.',
  left: 'You left the session, or were removed from it. No frame of it follows.',
  warning: 'Two thirds of the turn are over.',
  ticks: 'What every seat held down, tick by tick, in games that run by the clock.',
  ack: 'A command was committed, now or when it was first sent.',
  reject: 'A frame had no effect.',
  emote: 'A player shows a feeling.',
  pong: 'The answer to `ping`.',
  rematch:
    'What the players say about a rematch: to whoever asked, and to everybody whenever it changes.',
  replay: 'The match from its start to its end, as `GET /v1/sessions/:id/replay` gives it.',
};

/** Frames of `matchd.v2` only. */
export const COMPACT_FRAMES: Readonly<Record<CompactName, string>> = {
  act: '`act`, where the second element is text.',
  in: '`in`, where the second element is a number.',
  state: '`state` of `matchd.v1`, with the number of its session, and `base`.',
  update:
    '`update`, by what changed since the frame of version `prev`; a clock, `prev` and the id only where there is one to tell.',
  over: '`over`: the names of players are those of the last `state`.',
  ticks: '`ticks` of games that run by the clock.',
};

/** When a socket is closed with this code, and what a client does then. */
export const CLOSE_MEANS: Readonly<Record<keyof typeof CLOSE | keyof typeof OWN_CLOSE, string>> = {
  normal: 'Either side is done.',
  restarting: 'The service restarts: come back with the resume token after a short wait.',
  overloaded: 'More than 1 MiB was not read: come back.',
  badFrame:
    'A frame was no JSON, not in this description, or binary. The reason names what was wrong.',
  token: 'The token was wrong or has expired, or its key or player is gone: ask for a new one.',
  origin: 'The page is not among the origins of the key that issued the token.',
  noHello: 'No `hello` within 5 seconds.',
  left: 'The player left this session, or was removed from it: do not come back.',
  replaced: 'A newer socket took the place of this one: do not come back by itself.',
  tooFast: 'Too many messages, or too many sockets.',
  goingAway: 'The service went, and could not say more: come back.',
  protocol: 'What came is no WebSocket frame of a client: unmasked, say, or of an unknown kind.',
  noText: 'A text frame was not UTF-8.',
  tooBig: 'A frame was larger than 16 KiB.',
  fault: 'Something broke in the service: come back.',
};

export const EVENTS: Readonly<Record<EventType, string>> = {
  'session.created': 'A session was created.',
  'session.started': 'Every seat is taken and every player has connected: the match begins.',
  'session.ended': 'The match has ended.',
  'session.expired': 'The session expired before it began. Sent instead of `session.ended`.',
  'session.rematch_agreed': 'All players of a session that has ended want a rematch.',
  'player.joined': 'A player took a seat.',
  'player.left': 'A player left before the match began: the seat is open again.',
  'player.connected': 'A seated player connected.',
  'player.disconnected': "A seated player's last socket closed.",
  'move.made': 'An action was committed. Webhooks get it only if they ask for it.',
  'bot.injected': 'A bot took a seat.',
  'ticket.created': 'A ticket was created.',
  'ticket.player_added': 'A player was added to a ticket.',
  'ticket.player_removed': 'A player was removed from a ticket.',
  'ticket.promoted': 'A ticket was promoted to a group.',
  'ticket.cancelled': 'A ticket was cancelled.',
  'group.started': 'A group was started in a match.',
  'group.cancelled': 'A group was cancelled.',
  'integrity.checked': 'A device was checked.',
  'key.alert': 'Unusual use of an API key. Webhooks get it only if they ask for it.',
  'audit.anchored':
    "The signed head of the tenant's audit chain, once a day, if an active live webhook subscribes to it.",
  'checkers.crowned': 'A man was crowned.',
  'ludo.captured': 'A piece was sent back.',
  'fight.round_ended': 'A round of the fight is over.',
};
