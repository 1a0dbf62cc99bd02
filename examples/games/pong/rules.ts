/**
 * Pong, sixty ticks a second: two paddles, a ball, and whole numbers alone, so that the server and every browser
 * come to the same state bit by bit. A browser that predicts runs this very `step` on what it was last shown.
 */

import { defineTickGame, type GameEvent, type Outcome, ranked, type Seat } from '@matchd/game';

/** The field, the ball and the paddles, in units of which a screen may make what it likes. */
export const FIELD = { width: 640, height: 360, paddleX: 20, paddleHalf: 32, ballHalf: 5 } as const;
/** What a seat may hold down, as bits of its mask. */
export const HELD = { up: 1, down: 2 } as const;
const TICKS_PER_SECOND = 60;
const PADDLE_SPEED = 5;
/** Of the ball to the side, per tick: a serve, what each hit adds, and the most. */
const SPEED = { serve: 4, more: 1, max: 12 } as const;
/** A ball that meets a paddle so far from its middle goes up or down by one a tick. */
const UNITS_A_SLOPE = 7;
/** Before a serve. Longer than a batch of ticks, so that none has two points in it. */
const WAIT_TICKS = 45;
/** Five minutes: then the score decides. */
const TICKS_MAX = 5 * 60 * TICKS_PER_SECOND;

type Ball = { readonly x: number; readonly y: number; readonly vx: number; readonly vy: number };

export type PongState = {
  /** Ticks played. */
  readonly tick: number;
  /** Points that win. */
  readonly goal: number;
  /** By seat, the one on the left first. */
  readonly scores: readonly number[];
  /** The height of each paddle's middle, from the top. */
  readonly paddles: readonly number[];
  /** Its middle, and how far it goes in a tick. */
  readonly ball: Ball;
  /** Ticks until the ball is served. */
  readonly wait: number;
};

/** The ball in the middle, on its way to a seat, steeper or flatter by how many points there were. */
function serveTo(seat: Seat, points: number): Ball {
  const vx = seat === 0 ? 0 - SPEED.serve : SPEED.serve;
  return { x: FIELD.width / 2, y: FIELD.height / 2, vx, vy: ((points * 2) % 5) - 2 };
}

function movePaddle(y: number, mask: number): number {
  const by = ((mask & HELD.down) === 0 ? 0 : 1) - ((mask & HELD.up) === 0 ? 0 : 1);
  const { height, paddleHalf } = FIELD;
  return Math.min(height - paddleHalf, Math.max(paddleHalf, y + by * PADDLE_SPEED));
}

/** A tick of flight, back from the upper or the lower edge. */
function fly({ x, y, vx, vy }: Ball): Ball {
  const [top, bottom] = [FIELD.ballHalf, FIELD.height - FIELD.ballHalf];
  const next = y + vy;
  // `0 - vy`, for `-vy` of 0 is -0, which JSON does not keep.
  if (next < top) return { x: x + vx, y: 2 * top - next, vx, vy: 0 - vy };
  if (next > bottom) return { x: x + vx, y: 2 * bottom - next, vx, vy: 0 - vy };
  return { x: x + vx, y: next, vx, vy };
}

/** Back from the paddle that the ball has come to in this tick, if that is where the ball is. */
function bounce(before: Ball, after: Ball, paddles: readonly number[]): Ball {
  const seat: Seat = after.vx < 0 ? 0 : 1;
  const line = seat === 0 ? FIELD.paddleX : FIELD.width - FIELD.paddleX;
  const hasCome =
    seat === 0 ? before.x > line && after.x <= line : before.x < line && after.x >= line;
  const off = after.y - paddles[seat]!;
  if (!hasCome || Math.abs(off) > FIELD.paddleHalf + FIELD.ballHalf) return after;
  const speed = Math.min(SPEED.max, Math.abs(after.vx) + SPEED.more);
  // `+ 0`, for what is cut off below 0 is -0.
  const vy = Math.trunc(off / UNITS_A_SLOPE) + 0;
  return { x: line, y: after.y, vx: seat === 0 ? speed : 0 - speed, vy };
}

function step(state: PongState, masks: readonly number[]): PongState {
  if (outcome(state) !== null) return state;
  const tick = state.tick + 1;
  const paddles = state.paddles.map((y, seat) => movePaddle(y, masks[seat]!));
  if (state.wait > 0) return { ...state, tick, paddles, wait: state.wait - 1 };
  const ball = bounce(state.ball, fly(state.ball), paddles);
  const missedBy: Seat | null = ball.x < 0 ? 0 : ball.x > FIELD.width ? 1 : null;
  if (missedBy === null) return { ...state, tick, paddles, ball };
  const scores = state.scores.map((score, seat) => (seat === missedBy ? score : score + 1));
  const points = scores.reduce((sum, score) => sum + score, 0);
  return { ...state, tick, paddles, scores, ball: serveTo(missedBy, points), wait: WAIT_TICKS };
}

function outcome({ tick, scores, goal }: PongState): Outcome | null {
  if (scores.some((score) => score >= goal)) return ranked(scores, 'goal_reached');
  return tick >= TICKS_MAX ? ranked(scores, 'time_up') : null;
}

function eventsOf(before: PongState, after: PongState): readonly GameEvent[] {
  const seat = after.scores.findIndex((score, each) => score > before.scores[each]!);
  return seat === -1 ? [] : [{ type: 'pong.scored', data: { seat, scores: after.scores } }];
}

export const game = defineTickGame<PongState>({
  id: 'pong',
  seats: 2,
  options: { goal: { kind: 'integer', min: 1, max: 11, default: 5 } },
  initial: ({ options }) => ({
    tick: 0,
    goal: Number(options['goal']),
    scores: [0, 0],
    paddles: [FIELD.height / 2, FIELD.height / 2],
    ball: serveTo(0, 0),
    wait: WAIT_TICKS,
  }),
  ticks: {
    ticksPerSecond: TICKS_PER_SECOND,
    maskMax: HELD.up | HELD.down,
    tickOf: ({ tick }) => tick,
    step,
    eventsOf,
  },
  outcome,
});
