/** A fighter's body on the stage: its current pose, its extent, and how it is drawn. */

import { MOVES } from '../../../../../../src/games/fight-arena/moves.ts';
import type { Fighter, FightState } from '../../../../../../src/games/fight-arena/state.ts';
import type { Mood } from './faces.ts';
import { type Box, bodyBox, boxAround, clothBox, unite } from './moving-part.ts';
import { paintCharge, paintTrace } from './paint-effects.ts';
import { type Pen, paintFigure, paintRibbon } from './paint-fighter.ts';
import type { Palette } from './palette.ts';
import type { Joints, Point, Pose } from './pose.ts';
import { mix, solve } from './pose.ts';
import { STROKES } from './poses.ts';
import { endPose, poseOf, stageOf } from './posture.ts';
import { makeRibbon, type Ribbon } from './ribbon.ts';
import type { Scene } from './scene.ts';

/** How fast a body takes a new pose: the part of the difference left after a second. */
const SUPPLE = 1e-14;
/** Two positions of a fighter that are farther apart than a tick allows are not interpolated. */
const LEAP = 600;

/** From the middle of a head to the tip of its hair, and of a hand to its edge; with the outline. */
const HAIR_HIGH = 310;
const CLOTH_HIGH = 50;
const FIST_HIGH = 95;
/** A trail deviates from the straight line by less than this. Millimetres. */
const STROKE_MARGIN = 310;

export interface Body {
  pose: Pose | null;
  readonly ribbons: readonly Ribbon[];
}

/** A body as it is drawn now. */
export interface Settled {
  readonly spot: Point;
  readonly joints: Joints;
  readonly ribbons: readonly Ribbon[];
  /** Its extent on the stage, with cloth and attack, and how high head and hands reach. Millimetres. */
  readonly box: Box;
  readonly top: number;
  /** The stance in which a resigned match ended. */
  readonly isLeft: boolean;
}

/** One seat has the two ends of a headband, the other a scarf. */
export const makeBodies = (): readonly Body[] => [
  { pose: null, ribbons: [makeRibbon(78), makeRibbon(70)] },
  { pose: null, ribbons: [makeRibbon(105)] },
];

/** Moves towards the wanted pose with limited speed, and lets the cloth follow. */
export function settle(scene: Scene, seat: 0 | 1, body: Body): Settled {
  const { state, seconds, part } = scene;
  const fighter = state.fighters[seat];
  const isLeft = scene.winner !== null && fighter.act === 'free';
  const wanted = isLeft
    ? endPose(scene.winner === seat)
    : poseOf(state, seat, state.tick - 1 + part);
  body.pose = body.pose === null ? wanted : mix(body.pose, wanted, 1 - SUPPLE ** seconds);
  const joints = solve(body.pose);
  const spot = spotOf(scene, seat);
  const toStage = ([px, py]: Point): Point => [spot[0] + px * fighter.facing, spot[1] + py];
  for (const [n, anchor] of clothAnchors(seat, joints).entries()) {
    body.ribbons[n]!.follow(toStage(anchor), seconds, fighter.facing);
  }
  const { ribbons } = body;
  const cloth = ribbons.flatMap(({ points }) => points.map(([, y]) => y + CLOTH_HIGH));
  const top = Math.max(spot[1] + topOf(joints), ...cloth);
  const stroke = strokeOf(fighter);
  const box = unite([
    bodyBox(joints, toStage),
    ...ribbons.map(({ points }) => clothBox(points)),
    ...(stroke === null ? [] : [boxAround([toStage(stroke.from)], STROKE_MARGIN)]),
  ]);
  return { spot, joints, ribbons, box, top, isLeft };
}

export function paintBody(
  pen: Pen,
  scene: Scene,
  seat: 0 | 1,
  { spot, joints, ribbons, isLeft }: Settled,
  palette: Palette,
): void {
  const [x, y] = spot;
  const { state } = scene;
  const fighter = state.fighters[seat];
  const outfit = palette.outfits[seat];
  paintClothStrips(pen, seat, ribbons, palette);
  pen.save();
  pen.translate(x, y);
  pen.scale(fighter.facing, 1);
  paintStroke(pen, fighter, joints, palette);
  paintFigure(pen, {
    joints,
    outfit,
    outline: palette.outline,
    seat,
    mood: isLeft ? (scene.winner === seat ? 'glad' : 'calm') : moodOf(state, seat),
    ...glowOf(state, seat, scene.isCalm, palette),
  });
  if (fighter.move === 'bolt' && stageOf(fighter) === 'startup') {
    const hands = mixPoints(joints.armFar[2], joints.armNear[2]);
    paintCharge(pen, hands, fighter.age / MOVES.bolt.startup, outfit.main);
  }
  pen.restore();
}

const mixPoints = ([ax, ay]: Point, [bx, by]: Point): Point => [(ax + bx) / 2, (ay + by) / 2];

/** How high a body reaches above its feet: the head with its hair, a fist, a foot. */
function topOf({ head, armFar, armNear, legFar, legNear }: Joints): number {
  const limbs = [armFar, armNear, legFar, legNear].map(([, , tip]) => tip[1] + FIST_HIGH);
  return Math.max(head[1] + HAIR_HIGH, ...limbs);
}

/** The anchor of cloth: a headband's two ends, or a scarf. */
function clothAnchors(seat: 0 | 1, { head, neck }: Joints): readonly Point[] {
  return seat === 0
    ? [
        [head[0] - 130, head[1] + 58],
        [head[0] - 128, head[1] + 44],
      ]
    : [[neck[0] - 60, neck[1] + 20]];
}

function paintClothStrips(
  pen: Pen,
  seat: 0 | 1,
  ribbons: readonly Ribbon[],
  palette: Palette,
): void {
  const { main, shade, trim } = palette.outfits[seat];
  for (const [n, ribbon] of ribbons.entries()) {
    const colour = seat === 0 ? (n === 0 ? shade : main) : trim;
    paintRibbon(pen, ribbon.points, seat === 0 ? [24, 16] : [58, 40], colour, palette.outline);
  }
}

/** The limb of an active attack, and where it came from; null while there is none. */
function strokeOf(
  fighter: Fighter,
): { readonly limb: keyof typeof LIMBS; readonly from: Point } | null {
  if (fighter.move === null || stageOf(fighter) !== 'active') return null;
  const { limb, windup } = STROKES[fighter.move];
  return limb === null ? null : { limb, from: windup[limb] };
}

const LIMBS = {
  handFar: 'armFar',
  handNear: 'armNear',
  footFar: 'legFar',
  footNear: 'legNear',
} as const satisfies Record<string, keyof Joints>;

/** The trail of an attack while it is active; a special's is in the fighter's colour. */
function paintStroke(pen: Pen, fighter: Fighter, joints: Joints, palette: Palette): void {
  const stroke = strokeOf(fighter);
  if (stroke === null) return;
  const tip = joints[LIMBS[stroke.limb]][2];
  const isUp = fighter.move === 'rise';
  paintTrace(pen, stroke.from, tip, isUp ? -0.2 : 0.25, isUp ? palette.spark : palette.dust);
}

/** A body flashes when it has just been hit, and while it is invulnerable. */
function glowOf(
  { fighters, stop }: FightState,
  seat: 0 | 1,
  isCalm: boolean,
  palette: Palette,
): { glow: number; glowColour: string } {
  const { act, age, move } = fighters[seat];
  const isFresh = stop > 0 && age === 1;
  if (isFresh && act === 'block') return { glow: isCalm ? 0.2 : 0.35, glowColour: palette.guard };
  if (isFresh && (act === 'hit' || act === 'fall')) {
    return { glow: isCalm ? 0.25 : Math.min(0.75, stop / 14), glowColour: '#fff' };
  }
  const isSafe = move !== null && age <= MOVES[move].safeTicks;
  return { glow: isSafe ? 0.4 : 0, glowColour: palette.spark };
}

function moodOf(state: FightState, seat: 0 | 1): Mood {
  const { act, health } = state.fighters[seat];
  if (health === 0) return 'out';
  if (act === 'hit' || act === 'fall' || act === 'down') return 'hurt';
  const last = state.rounds.at(-1);
  if ((state.phase === 'pause' || state.phase === 'over') && last?.winner === seat) return 'glad';
  return state.phase === 'fight' ? 'keen' : 'calm';
}

/** A fighter's position between two ticks. */
function spotOf({ before, state, part }: Scene, seat: 0 | 1): Point {
  const [was, is] = [before.fighters[seat], state.fighters[seat]];
  if (Math.abs(is.x - was.x) > LEAP || Math.abs(is.y - was.y) > LEAP) return [is.x, is.y];
  return [was.x + (is.x - was.x) * part, was.y + (is.y - was.y) * part];
}
