/**
 * One example of every frame, from a match of tic-tac-toe and, for ticks, a fight. Tests check them
 * against the schemas.
 */

import type { CompactName } from '../frames/compact-frames.ts';
import type { ServerFrame } from '../frames/server-frames.ts';
import type { ClientFrame } from '../messages.ts';

type FrameOf<Frame extends { t: string }, Name extends Frame['t']> = Extract<Frame, { t: Name }>;

const s = 'ses_01kafw3q9t5ne8rz2m4xbcd7hj';
const fight = 'ses_01kafw8m2c7p4xk0v9t3hdqzye';
const at = '2026-11-21T12:00:07.250Z';
const turnEnds = '2026-11-21T12:01:07.250Z';
/** After the first move, in the centre. */
const legal = [0, 1, 2, 3, 5, 6, 7, 8].map((position) => ({ position }));
const view = { board: [null, null, null, null, 'X', null, null, null, null] };

export const CLIENT_EXAMPLES: {
  readonly [Name in ClientFrame['t']]: FrameOf<ClientFrame, Name>;
} = {
  hello: { t: 'hello', resume: { [s]: 3 } },
  act: { t: 'act', s, id: 'c-1', action: { position: 4 } },
  leave: { t: 'leave', s, id: 'c-0' },
  resign: { t: 'resign', s, id: 'c-2' },
  draw: { t: 'draw', s, id: 'c-3', do: 'offer' },
  emote: { t: 'emote', s, emote: 'good_luck' },
  entropy: { t: 'entropy', s, value: 'as I threw: 4, 1, 6' },
  in: { t: 'in', s: fight, from: 240, masks: [2, 2, 18] },
  sync: { t: 'sync', s },
  replay: { t: 'replay', s, id: 'r-1' },
  rematch: { t: 'rematch', s, id: 'r-2', do: 'offer' },
  ping: { t: 'ping', n: 1 },
};

const seed = '3d1f9b7c5a20486eb1d4f7a3905c2e8674b0d9f16a8c3e52f7094b6d1ac85e03';
const commitment = 'bc631a3f97eb59444e28501c43afb60d110d9a205389c7d123d7f260689034cd';
const players = [
  { id: 'alice', displayName: 'Alice', seat: 0, isBot: false, connected: true },
  { id: 'bob', displayName: 'Bob', seat: 1, isBot: false, connected: true },
];
const result = {
  winner: 'alice',
  winners: ['alice'],
  placements: [
    { playerId: 'alice', seat: 0, isBot: false, place: 1 },
    { playerId: 'bob', seat: 1, isBot: false, place: 2 },
  ],
  reason: 'resignation',
  durationMs: 21_400,
  moveCount: 6,
};

export const SERVER_EXAMPLES: {
  readonly [Name in ServerFrame['t']]: FrameOf<ServerFrame, Name>;
} = {
  welcome: {
    t: 'welcome',
    player: 'alice',
    sessions: [s],
    resumeToken: 'eyJhbGciOiJIUzI1NiIs…',
    pingMs: 25_000,
  },
  state: {
    t: 'state',
    s,
    v: 4,
    prev: 3,
    game: 'tictactoe',
    variant: 'standard',
    status: 'active',
    seat: 0,
    players,
    turn: 1,
    view,
    legal,
    clock: null,
    deadline: turnEnds,
    endsAt: null,
    drawOfferedBy: null,
    graces: [null, null],
    commitment,
    at,
    result: null,
  },
  update: {
    t: 'update',
    s,
    v: 4,
    prev: 3,
    seat: 0,
    action: { position: 4 },
    view,
    turn: 1,
    legal,
    clock: null,
    deadline: turnEnds,
    at,
  },
  over: { t: 'over', s, v: 10, prev: 9, result, at },
  left: { t: 'left', s, v: 2, prev: 1, seat: 1 },
  presence: { t: 'presence', s, v: 5, prev: 4, seat: 1, connected: false, deadline: turnEnds },
  warning: { t: 'warning', s, v: 4, prev: 4, kind: 'afk', seat: 1, deadline: turnEnds },
  ticks: {
    t: 'ticks',
    s: fight,
    from: 237,
    inputs: [
      [2, 0, 5],
      [18, 0, 1],
    ],
    committed: 225,
  },
  ack: { t: 'ack', s, id: 'c-1', v: 4, prev: 3 },
  reject: { t: 'reject', s, id: 'c-1', code: 'not_your_turn', error: "It is seat 1's turn" },
  emote: { t: 'emote', s, v: 4, prev: 4, seat: 0, emote: 'good_luck' },
  pong: { t: 'pong', n: 1, now: at, watchers: 12 },
  rematch: {
    t: 'rematch',
    s,
    id: 'r-2',
    asked: [0],
    agreed: false,
    declined: null,
    here: [0, 1],
    until: '2026-11-21T12:10:21.400Z',
    next: null,
    refused: null,
    ratings: [
      [1_500, 1_512.4],
      [1_488, 1_475.6],
    ],
  },
  replay: {
    t: 'replay',
    s,
    id: 'r-1',
    replay: {
      sessionId: s,
      rulesVersion: 1,
      game: 'tictactoe',
      variant: 'standard',
      seats: 2,
      options: {},
      players: players.map(({ connected: _, ...player }) => player),
      fairness: { commitment, seed, entropy: '' },
      drawnSeats: null,
      inputs: [{ v: 4, at, seat: 0, action: { position: 4 } }],
      controls: [{ v: 5, at, seat: 1, kind: 'resignation' }],
      chance: [],
      hash: '6f7a1c3d84e0b95a2c47d1f0839be6d25c14a07f9b3e68d1527ca4f0e91b8d36',
      result,
      signature: {
        keyId: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
        algorithm: 'Ed25519',
        value:
          'hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg',
      },
    },
  },
};

/** The same match in `matchd.v2`: the frames above in their compact form. */
const base = Date.parse('2026-11-21T12:00:00.000Z');
export const COMPACT_EXAMPLES: Readonly<Record<CompactName, unknown>> = {
  act: [0, 'c-1', { position: 4 }],
  in: [0, 240, [2, 2, 18]],
  state: { ...SERVER_EXAMPLES.state, base, n: 0 },
  update: [0, 4, 7_250, 0, { position: 4 }, 1, 67_250, { board: [4, 1, 'X'] }, [4, 1], 'c-1'],
  over: [0, 'over', 10, 7_250, 'resignation', [0], [1, 2], 21_400, 6],
  ticks: [
    0,
    'ticks',
    237,
    [
      [2, 0, 5],
      [18, 0, 1],
    ],
    225,
  ],
};
