/**
 * Pong at sixty ticks per second: two paddles and a ball. All numbers are integers, so the server and every browser
 * compute the same states. A browser predicts by running `step` on the last state it got.
 */

import { defineTickGame, type GameEvent, type Outcome, ranked, type Seat } from '@matchd/game';

/** Sizes of the field, the paddles and the ball, in units that a screen may scale. */
export const FIELD = { width: 640, height: 360, paddleX: 20, paddleHalf: 32, ballHalf: 5 } as const;
/** Bits of a seat's mask. */
export const HELD = { up: 1, down: 2 } as const;
const TICKS_PER_SECOND = 60;
const PADDLE_SPEED = 5;
/** Horizontal speed of the ball per tick: of a serve, added by each hit, and at most. */
const SPEED = { serve: 4, more: 1, max: 12 } as const;
/** Distance from the paddle's middle that adds one unit of vertical speed. */
const UNITS_A_SLOPE = 7;
/** Pause before a serve. Longer than a batch of ticks, so that no batch has two points. */
const WAIT_TICKS = 45;
/** After five minutes the score decides. */
const TICKS_MAX = 5 * 60 * TICKS_PER_SECOND;

type Ball = { readonly x: number; readonly y: number; readonly vx: number; readonly vy: number };

export type PongState = {
  /** Ticks played. */
  readonly tick: number;
  /** Points to win. */
  readonly goal: number;
  /** Points by seat. Seat 0 is on the left. */
  readonly scores: readonly number[];
  /** Vertical position of each paddle's middle, from the top. */
  readonly paddles: readonly number[];
  /** Position of the ball's middle and its speed per tick. */
  readonly ball: Ball;
  /** Ticks until the ball is served. */
  readonly wait: number;
};

/** The ball in the middle, moving to a seat at an angle that depends on the number of points. */
function serveTo(seat: Seat, points: number): Ball {
  const vx = seat === 0 ? 0 - SPEED.serve : SPEED.serve;
  return { x: FIELD.width / 2, y: FIELD.height / 2, vx, vy: ((points * 2) % 5) - 2 };
}

function movePaddle(y: number, mask: number): number {
  const by = ((mask & HELD.down) === 0 ? 0 : 1) - ((mask & HELD.up) === 0 ? 0 : 1);
  const { height, paddleHalf } = FIELD;
  return Math.min(height - paddleHalf, Math.max(paddleHalf, y + by * PADDLE_SPEED));
}

/** Moves the ball by one tick; it bounces off the upper and the lower edge. */
function fly({ x, y, vx, vy }: Ball): Ball {
  const [top, bottom] = [FIELD.ballHalf, FIELD.height - FIELD.ballHalf];
  const next = y + vy;
  // Not `-vy`: of 0 that is -0, which JSON does not keep.
  if (next < top) return { x: x + vx, y: 2 * top - next, vx, vy: 0 - vy };
  if (next > bottom) return { x: x + vx, y: 2 * bottom - next, vx, vy: 0 - vy };
  return { x: x + vx, y: next, vx, vy };
}

/** Bounces the ball off a paddle that it reaches in this tick. */
function bounce(before: Ball, after: Ball, paddles: readonly number[]): Ball {
  const seat: Seat = after.vx < 0 ? 0 : 1;
  const line = seat === 0 ? FIELD.paddleX : FIELD.width - FIELD.paddleX;
  const isReached =
    seat === 0 ? before.x > line && after.x <= line : before.x < line && after.x >= line;
  const off = after.y - paddles[seat]!;
  if (!isReached || Math.abs(off) > FIELD.paddleHalf + FIELD.ballHalf) return after;
  const speed = Math.min(SPEED.max, Math.abs(after.vx) + SPEED.more);
  // `+ 0` turns a -0 into 0.
  const vy = Math.trunc(off / UNITS_A_SLOPE) + 0;
  return { x: line, y: after.y, vx: seat === 0 ? speed : 0 - speed, vy };
}

function step(state: PongState, masks: readonly number[]): PongState {
  if (outcome(state) !== null) return state;
  const tick = state.tick + 1;
  const paddles = state.paddles.map((y, seat) => movePaddle(y, masks[seat]!));
  if (state.wait > 0) return { ...state, tick, paddles, wait: state.wait - 1 };
  const ball = bounce(state.ball, fly(state.ball), paddles);
  const loser: Seat | null = ball.x < 0 ? 0 : ball.x > FIELD.width ? 1 : null;
  if (loser === null) return { ...state, tick, paddles, ball };
  const scores = state.scores.map((score, seat) => (seat === loser ? score : score + 1));
  const points = scores.reduce((sum, score) => sum + score, 0);
  return { ...state, tick, paddles, scores, ball: serveTo(loser, points), wait: WAIT_TICKS };
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
