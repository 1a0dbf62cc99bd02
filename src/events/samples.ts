/** What events look like, for those that are only tried out: nothing has happened (`trigger`). */

import type { EventType } from './event.ts';

/** Invented players: they belong to no one, so their names may be in an event. */
const PLAYERS = [
  { id: 'sample-1', displayName: 'Sample 1', seat: 0, isBot: false },
  { id: 'sample-2', displayName: 'Sample 2', seat: 1, isBot: false },
];
const GAME = { game: 'tictactoe', metadata: null };
const SESSION = { ...GAME, matchType: 'matchmaking', variant: 'standard', players: PLAYERS };
const SEAT = { ...GAME, seat: 0, playerId: 'sample-1', isBot: false };
const PLACES = [
  { playerId: 'sample-1', seat: 0, isBot: false, place: 1 },
  { playerId: 'sample-2', seat: 1, isBot: false, place: 2 },
];
const WON = {
  winner: 'sample-1',
  winners: ['sample-1'],
  placements: PLACES,
  reason: 'resignation',
  durationMs: 42_000,
  moveCount: 5,
};
const EXPIRED = {
  winner: null,
  winners: [],
  placements: [],
  reason: 'expired',
  durationMs: 0,
  moveCount: 0,
};
const TICKET = { game: 'tictactoe', ticketId: 'tkt_sample' };
const GROUP = { game: 'tictactoe', groupId: 'grp_sample', ticketId: 'tkt_sample' };

const VERDICT = {
  platform: 'android',
  status: 'passed',
  rooted: false,
  reasons: [],
  bound: 'challenge',
  details: null,
  checkedAt: '2026-01-01T00:00:00.000Z',
  latencyMs: 180,
};

const ANCHOR = {
  tenant: 'ten_sample',
  n: 42,
  hash: '0'.repeat(64),
  at: '2026-01-01T00:00:00.000Z',
  signature: { keyId: 'sample', algorithm: 'Ed25519', value: 'sample' },
};

const SAMPLES: Readonly<Record<EventType, object>> = {
  'session.created': { ...SESSION, seats: [0, 1], roomCode: 'SAMPLE' },
  'session.started': SESSION,
  'session.ended': { ...SESSION, result: WON },
  'session.expired': { ...SESSION, result: EXPIRED },
  'session.rematch_agreed': SESSION,
  'player.joined': { ...SEAT, v: 1 },
  'player.left': { ...SEAT, v: 2 },
  'player.connected': { ...SEAT, v: 1 },
  'player.disconnected': { ...SEAT, v: 3 },
  'move.made': { ...SEAT, v: 4, action: { position: 4 } },
  'bot.injected': { ...SEAT, v: 1, isBot: true },
  'ticket.created': { ...TICKET, capacity: 2 },
  'ticket.player_added': { ...TICKET, playerId: 'sample-1', taken: 1, capacity: 2 },
  'ticket.player_removed': { ...TICKET, playerId: 'sample-1', taken: 0, capacity: 2 },
  'ticket.promoted': { ...GROUP, players: ['sample-1', 'sample-2'], capacity: 2 },
  'ticket.cancelled': TICKET,
  'group.started': { ...GROUP, players: ['sample-1', 'sample-2'] },
  'group.cancelled': GROUP,
  'integrity.checked': { ...SEAT, ...VERDICT },
  'key.alert': { keyId: 'key_sample', kind: 'new_network', details: { networksKnown: 2 } },
  'audit.anchored': { anchor: ANCHOR },
  'checkers.crowned': { ...SEAT, game: 'checkers', square: 3 },
  'ludo.captured': {
    ...SEAT,
    game: 'ludo',
    token: 1,
    at: 'track 17',
    captured: { seat: 1, token: 0 },
  },
  'fight.round_ended': {
    ...GAME,
    game: 'fight-arena',
    round: 1,
    winner: 0,
    by: 'knockout',
    health: [420, 0],
    ticks: 2_400,
  },
};

const NOT_OF_SESSION: ReadonlySet<EventType> = new Set([
  'group.cancelled',
  'key.alert',
  'audit.anchored',
]);

/** Is such an event about a session? */
export function isOfSession(type: EventType): boolean {
  return !type.startsWith('ticket.') && !NOT_OF_SESSION.has(type);
}

/** The `data` of a test event, as JSON: `triggered` distinguishes it from a real one. */
export function makeSampleData(type: EventType): string {
  return JSON.stringify({ triggered: true, ...SAMPLES[type] });
}
