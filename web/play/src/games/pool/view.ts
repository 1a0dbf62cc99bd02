/** The view of a game of pool as the server sends it, read without trust. Lengths in metres. Pure. */

import type { Path } from '../../../../../src/games/pool/motion.ts';
import type { Pocket } from '../../../../../src/games/pool/physics/table.ts';
import { POCKETS } from '../../../../../src/games/pool/physics/table.ts';
import { fieldOf, indexIn } from '../../field.ts';
import type { Seat } from '../../protocol.ts';

export interface Ball {
  readonly n: number;
  readonly x: number;
  readonly y: number;
}

export interface LastShot {
  readonly seat: Seat;
  /** The old positions of balls that moved. */
  readonly before: readonly Ball[];
  readonly pocketed: readonly { readonly ball: number; readonly pocket: Pocket | null }[];
  readonly scratched: Pocket | null;
  readonly foul: string | null;
  /** Seconds until all balls are at rest. */
  readonly duration: number;
  readonly paths: readonly Path[];
  /** Sounds, by time in seconds. */
  readonly sounds: readonly { readonly at: number; readonly cue: 'ball' | 'cushion' }[];
}

export interface PoolView {
  readonly variant: string;
  readonly callPocket: string;
  readonly balls: readonly Ball[];
  readonly isBreak: boolean;
  readonly inHand: 'anywhere' | 'behind_head_string' | null;
  readonly choices: readonly string[];
  readonly groups: readonly unknown[] | null;
  readonly mayPushOut: boolean;
  readonly fouls: readonly number[];
  readonly shots: number;
  readonly last: LastShot | null;
}

const BALLS = 16;
const MICRO = 1e-6;

export function readView(view: unknown): PoolView {
  const inHand = fieldOf(view, 'inHand');
  const groups = fieldOf(view, 'groups');
  return {
    variant: textOf(fieldOf(view, 'variant')) ?? 'eightball',
    callPocket: textOf(fieldOf(view, 'callPocket')) ?? 'all',
    balls: readBalls(fieldOf(view, 'balls')),
    isBreak: fieldOf(view, 'isBreak') === true,
    inHand: inHand === 'anywhere' || inHand === 'behind_head_string' ? inHand : null,
    choices: listOf(fieldOf(view, 'choices')).flatMap((each) => textOf(each) ?? []),
    groups: Array.isArray(groups) ? groups : null,
    mayPushOut: fieldOf(view, 'mayPushOut') === true,
    fouls: listOf(fieldOf(view, 'fouls')).map((each) => numberOf(each) ?? 0),
    shots: numberOf(fieldOf(view, 'shots')) ?? 0,
    last: readLast(fieldOf(view, 'last')),
  };
}

function readLast(last: unknown): LastShot | null {
  const seat = indexIn(fieldOf(last, 'seat'), 2);
  if (seat === null) return null;
  const motion = fieldOf(last, 'motion');
  return {
    seat,
    before: readBalls(fieldOf(last, 'before')),
    pocketed: listOf(fieldOf(last, 'pocketed')).flatMap((each) => {
      const ball = indexIn(fieldOf(each, 'ball'), BALLS);
      return ball === null ? [] : [{ ball, pocket: readPocket(fieldOf(each, 'pocket')) }];
    }),
    scratched: readPocket(fieldOf(last, 'scratched')),
    foul: textOf(fieldOf(last, 'foul')),
    duration: (numberOf(fieldOf(motion, 'duration')) ?? 0) * MICRO,
    paths: listOf(fieldOf(motion, 'paths')).filter(isPath),
    sounds: [
      ...readSounds(fieldOf(motion, 'contacts'), 'ball'),
      ...readSounds(fieldOf(motion, 'cushions'), 'cushion'),
    ],
  };
}

/** A path consists of its ball, its beginning, and pieces of five figures each. */
function isPath(value: unknown): value is Path {
  const isFigures = Array.isArray(value) && value.every((each) => typeof each === 'number');
  return isFigures && value.length >= 4 && (value.length - 4) % 5 === 0;
}

function readSounds(list: unknown, cue: 'ball' | 'cushion'): LastShot['sounds'] {
  return listOf(list).flatMap((each) => {
    const at = numberOf(listOf(each)[0]);
    return at === null ? [] : [{ at: at * MICRO, cue }];
  });
}

function readBalls(value: unknown): Ball[] {
  return listOf(value).flatMap((each) => {
    const n = indexIn(fieldOf(each, 'n'), BALLS);
    const x = numberOf(fieldOf(each, 'x'));
    const y = numberOf(fieldOf(each, 'y'));
    return n === null || x === null || y === null ? [] : [{ n, x, y }];
  });
}

function readPocket(value: unknown): Pocket | null {
  return POCKETS.find((each) => each === value) ?? null;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

function groupOf(ball: number): 'solids' | 'stripes' {
  return ball < 8 ? 'solids' : 'stripes';
}

/** The balls that the seat has to pocket next. */
export function ownBalls({ variant, balls, groups }: PoolView, seat: Seat): readonly Ball[] {
  const objects = balls.filter(({ n }) => n > 0).sort((a, b) => a.n - b.n);
  if (variant === 'nineball') return objects.slice(0, 1);
  const group = groups?.[seat];
  const own = objects.filter(({ n }) => n !== 8 && (groups === null || groupOf(n) === group));
  return own.length > 0 ? own : objects.filter(({ n }) => n === 8);
}

/** Whether the shot must name a ball and a pocket. */
export function needsCall(view: PoolView, seat: Seat): boolean {
  if (view.variant === 'nineball' || view.isBreak) return false;
  const onEight = ownBalls(view, seat).every(({ n }) => n === 8);
  return view.callPocket === 'all' || (view.callPocket === 'eight' && onEight);
}
