/** @table The poses between which fighters move. Millimetres from the feet, x ahead, y up. */

import type { MoveName } from '../../../../../../src/games/fight-arena/moves.ts';
import type { Point, Pose } from './pose.ts';

/** hip, neck, head; far and near hand; far and near foot. */
const pose = (
  hip: Point,
  neck: Point,
  head: Point,
  handFar: Point,
  handNear: Point,
  footFar: Point,
  footNear: Point,
): Pose => ({ hip, neck, head, handFar, handNear, footFar, footNear });

export const GUARD = pose(
  [-20, 810],
  [60, 1_265],
  [120, 1_465],
  [420, 1_260],
  [270, 1_190],
  [250, 70],
  [-290, 70],
);

export const RELAXED = pose(
  [0, 905],
  [0, 1_365],
  [20, 1_565],
  [150, 830],
  [-130, 820],
  [110, 70],
  [-130, 70],
);

export const CROUCH = pose(
  [-70, 420],
  [70, 850],
  [160, 1_030],
  [400, 880],
  [270, 800],
  [260, 70],
  [-280, 70],
);

/** Before a jump and after it. */
export const SQUAT = pose(
  [-20, 620],
  [90, 1_060],
  [170, 1_240],
  [180, 820],
  [-160, 850],
  [230, 70],
  [-250, 70],
);

export const DASH = pose(
  [60, 700],
  [330, 1_070],
  [480, 1_210],
  [120, 800],
  [-60, 880],
  [430, 150],
  [-500, 130],
);

export const BACKDASH = pose(
  [-90, 790],
  [-110, 1_245],
  [-40, 1_440],
  [310, 1_230],
  [190, 1_130],
  [330, 150],
  [-300, 110],
);

export const JUMP_UP = pose(
  [0, 880],
  [40, 1_340],
  [90, 1_540],
  [310, 980],
  [-350, 880],
  [150, 330],
  [-150, 230],
);

export const JUMP_TOP = pose(
  [0, 900],
  [60, 1_350],
  [130, 1_545],
  [420, 1_250],
  [-460, 1_020],
  [270, 520],
  [-60, 460],
);

export const JUMP_DOWN = pose(
  [0, 860],
  [70, 1_310],
  [130, 1_505],
  [470, 1_400],
  [-500, 1_130],
  [240, 300],
  [-190, 250],
);

export const BLOCK = pose(
  [-70, 790],
  [-20, 1_245],
  [-10, 1_445],
  [290, 1_440],
  [210, 1_330],
  [240, 70],
  [-330, 70],
);

export const BLOCK_LOW = pose(
  [-110, 420],
  [-10, 860],
  [30, 1_055],
  [330, 1_010],
  [260, 880],
  [230, 70],
  [-310, 70],
);

export const HIT_HEAD = pose(
  [-70, 800],
  [-210, 1_230],
  [-350, 1_370],
  [210, 1_030],
  [-90, 960],
  [260, 70],
  [-340, 70],
);

export const HIT_BODY = pose(
  [-170, 800],
  [60, 1_190],
  [210, 1_310],
  [220, 930],
  [120, 860],
  [220, 70],
  [-380, 70],
);

export const HIT_LOW = pose(
  [-130, 420],
  [-130, 870],
  [-250, 1_020],
  [230, 760],
  [-60, 620],
  [240, 70],
  [-320, 70],
);

/** Thrown off its feet, on the way down. */
export const FALL = pose(
  [0, 480],
  [-420, 590],
  [-600, 680],
  [-120, 950],
  [-560, 980],
  [470, 700],
  [390, 470],
);

export const LYING = pose(
  [0, 150],
  [-455, 130],
  [-660, 165],
  [-330, 90],
  [-720, 75],
  [470, 80],
  [690, 80],
);

export const KNEEL = pose(
  [-110, 420],
  [30, 840],
  [130, 1_000],
  [250, 460],
  [-30, 500],
  [240, 70],
  [-330, 70],
);

export const WIN = pose(
  [0, 905],
  [-10, 1_365],
  [-10, 1_570],
  [-140, 980],
  [90, 1_860],
  [140, 70],
  [-150, 70],
);

/** An attack: its wind-up, its active pose, and its recovery. */
export interface Stroke {
  readonly windup: Pose;
  readonly strike: Pose;
  readonly follow: Pose;
  /** The attacking limb, for its trail in the air. */
  readonly limb: 'handFar' | 'handNear' | 'footFar' | 'footNear' | null;
}

const LIGHT_STRIKE = pose(
  [50, 800],
  [195, 1_235],
  [250, 1_435],
  [810, 1_275],
  [230, 1_160],
  [330, 70],
  [-300, 70],
);

const HEAVY_STRIKE = pose(
  [300, 860],
  [30, 1_235],
  [-10, 1_435],
  [210, 1_080],
  [-430, 860],
  [220, 70],
  [1_100, 1_200],
);

const LOW_STRIKE = pose(
  [10, 400],
  [-90, 845],
  [-50, 1_040],
  [230, 850],
  [-400, 430],
  [850, 150],
  [-170, 70],
);

const SWEEP_STRIKE = pose(
  [370, 370],
  [180, 790],
  [200, 990],
  [470, 830],
  [-40, 300],
  [250, 70],
  [1_170, 120],
);

const AIR_LIGHT_STRIKE = pose(
  [60, 860],
  [10, 1_315],
  [70, 1_510],
  [330, 1_120],
  [-450, 1_000],
  [530, 380],
  [-60, 520],
);

const AIR_HEAVY_STRIKE = pose(
  [130, 800],
  [-40, 1_225],
  [-50, 1_430],
  [260, 1_150],
  [-560, 960],
  [40, 460],
  [850, 330],
);

const BOLT_STRIKE = pose(
  [90, 730],
  [280, 1_150],
  [380, 1_330],
  [800, 1_120],
  [770, 1_080],
  [420, 70],
  [-360, 70],
);

const RISE_STRIKE = pose(
  [60, 1_330],
  [110, 1_790],
  [180, 1_980],
  [-150, 1_500],
  [220, 2_360],
  [220, 830],
  [-110, 560],
);

const THROW_STRIKE = pose(
  [90, 770],
  [250, 1_200],
  [320, 1_390],
  [720, 1_210],
  [680, 1_080],
  [360, 70],
  [-320, 70],
);

export const STROKES: Readonly<Record<MoveName, Stroke>> = {
  light: {
    windup: { ...GUARD, hip: [-40, 810], neck: [10, 1_265], handFar: [210, 1_190] },
    strike: LIGHT_STRIKE,
    follow: { ...LIGHT_STRIKE, handFar: [620, 1_230] },
    limb: 'handFar',
  },
  heavy: {
    windup: pose(
      [-60, 850],
      [-90, 1_310],
      [-60, 1_510],
      [300, 1_260],
      [80, 1_170],
      [60, 70],
      [330, 640],
    ),
    strike: HEAVY_STRIKE,
    follow: { ...HEAVY_STRIKE, hip: [180, 850], footNear: [720, 520] },
    limb: 'footNear',
  },
  lowLight: {
    windup: { ...CROUCH, footFar: [210, 160] },
    strike: LOW_STRIKE,
    follow: { ...LOW_STRIKE, footFar: [560, 90] },
    limb: 'footFar',
  },
  sweep: {
    windup: pose(
      [-90, 400],
      [-40, 845],
      [20, 1_035],
      [300, 900],
      [-400, 560],
      [180, 70],
      [-480, 110],
    ),
    strike: SWEEP_STRIKE,
    follow: { ...SWEEP_STRIKE, hip: [220, 390], footNear: [760, 90] },
    limb: 'footNear',
  },
  airLight: {
    windup: { ...JUMP_TOP, footFar: [200, 620] },
    strike: AIR_LIGHT_STRIKE,
    follow: JUMP_TOP,
    limb: 'footFar',
  },
  airHeavy: {
    windup: { ...JUMP_TOP, hip: [-30, 890], footNear: [60, 700] },
    strike: AIR_HEAVY_STRIKE,
    follow: JUMP_DOWN,
    limb: 'footNear',
  },
  bolt: {
    windup: pose(
      [-60, 740],
      [-90, 1_195],
      [0, 1_380],
      [-150, 880],
      [-240, 790],
      [280, 70],
      [-330, 70],
    ),
    strike: BOLT_STRIKE,
    follow: { ...BOLT_STRIKE, handFar: [720, 1_060], handNear: [680, 1_000] },
    limb: null,
  },
  rise: {
    windup: pose(
      [10, 460],
      [180, 880],
      [280, 1_050],
      [330, 800],
      [110, 430],
      [280, 70],
      [-260, 70],
    ),
    strike: RISE_STRIKE,
    follow: { ...RISE_STRIKE, handNear: [330, 2_060], footFar: [180, 700] },
    limb: 'handNear',
  },
  throw: {
    windup: { ...GUARD, neck: [100, 1_250], handFar: [320, 1_320], handNear: [210, 1_290] },
    strike: THROW_STRIKE,
    follow: pose(
      [60, 720],
      [310, 1_105],
      [440, 1_255],
      [760, 700],
      [640, 640],
      [380, 70],
      [-330, 70],
    ),
    limb: null,
  },
};
