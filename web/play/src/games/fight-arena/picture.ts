/** The picture of a fight: still layers behind, and a canvas on which what moves is drawn anew. */

import { MOVES } from '../../../../../src/games/fight-arena/moves.ts';
import { BOLT_HIGH, BOLT_LOW, STAGE_WIDTH } from '../../../../../src/games/fight-arena/stage.ts';
import type { Fighter, FightState } from '../../../../../src/games/fight-arena/state.ts';
import { h } from '../../ui/dom.ts';
import type { Camera } from './camera.ts';
import { aim, follow, GROUND_PART } from './camera.ts';
import type { Effect } from './effects.ts';
import type { Mood } from './faces.ts';
import { paintBolt, paintCharge, paintEffect, paintTrace } from './paint-effects.ts';
import { paintFigure, paintRibbon } from './paint-fighter.ts';
import type { Palette } from './palette.ts';
import { readPalette } from './palette.ts';
import type { Joints, Point, Pose } from './pose.ts';
import { mix, solve } from './pose.ts';
import { STROKES } from './poses.ts';
import { endPose, poseOf, stageOf } from './posture.ts';
import type { Ribbon } from './ribbon.ts';
import { makeRibbon } from './ribbon.ts';
import {
  GROUND_ABOVE,
  GROUND_BEYOND,
  GROUND_HEIGHT,
  GROUND_LENGTH,
  makePlatform,
  makeSky,
} from './scenery.ts';

/** What is to be seen now. */
export interface Scene {
  readonly state: FightState;
  /** The state a tick before, and how far the picture is from it to `state`, 0 to 1. */
  readonly before: FightState;
  readonly part: number;
  /** Whose seat looks; null for watchers. */
  readonly seat: number | null;
  readonly effects: readonly Effect[];
  /** 0 to 1. */
  readonly shake: number;
  /** Seconds since the last picture. */
  readonly seconds: number;
  /** The player wants little to move. */
  readonly isCalm: boolean;
  /** Who has won a match that ended in the middle of a round; null while it goes on. */
  readonly winner: number | null;
}

export interface Picture {
  readonly element: HTMLElement;
  readonly canvas: HTMLCanvasElement;
  paint(scene: Scene): void;
  /** How many of the canvas's pixels there are to one of CSS, at most; takes effect at once. */
  setSharpness(ratio: number): void;
  /** Reads sizes and colours again. */
  refresh(): void;
}

/** A still part of the picture: only its transform changes. */
interface Layer {
  readonly drawing: SVGSVGElement;
  transform: string;
}

/** How fast a body takes a new pose: what is left of the difference after a second. */
const SUPPLE = 1e-14;
/** The far layer is so much wider than the picture, and moves by so much of the camera's way. */
const FAR_WIDER = 1.25;
const FAR_HIGHER = 1.1;
const SHAKE_PX = 9;
/** Two places of a fighter that are farther apart than a tick takes it are not joined. */
const LEAP = 600;

interface Body {
  pose: Pose | null;
  readonly ribbons: readonly Ribbon[];
}

interface Frame {
  width: number;
  height: number;
  /** Pixels of the canvas to one of CSS. */
  ratio: number;
  palette: Palette | null;
  camera: Camera | null;
  /** CSS pixels to a millimetre in the platform's picture. */
  groundScale: number;
  /** The part of the canvas that was drawn on last, in CSS pixels. */
  dirty: readonly [x: number, y: number, width: number, height: number] | null;
}

export function makePicture(): Picture {
  const far: Layer = { drawing: makeSky(), transform: '' };
  const ground: Layer = { drawing: makePlatform(), transform: '' };
  const canvas = h('canvas', { class: 'fa-canvas' });
  const pen = canvas.getContext('2d')!;
  const element = h('div', { class: 'fa-picture' }, far.drawing, ground.drawing, canvas);
  const frame: Frame = {
    width: 0,
    height: 0,
    ratio: 1,
    palette: null,
    camera: null,
    groundScale: 1,
    dirty: null,
  };
  let sharpness = 2;
  const bodies: readonly Body[] = [
    { pose: null, ribbons: [makeRibbon(78), makeRibbon(70)] },
    { pose: null, ribbons: [makeRibbon(105)] },
  ];
  const resize = (): void => {
    frame.ratio = Math.min(sharpness, window.devicePixelRatio || 1);
    canvas.width = Math.round(frame.width * frame.ratio);
    canvas.height = Math.round(frame.height * frame.ratio);
    frame.dirty = null;
  };
  return {
    element,
    canvas,
    setSharpness(ratio) {
      sharpness = ratio;
      if (frame.width > 0) resize();
    },
    refresh() {
      frame.width = element.clientWidth;
      frame.height = element.clientHeight;
      if (frame.width === 0 || frame.height === 0) return;
      frame.palette = readPalette(element);
      frame.camera = null;
      resize();
      fitStill(frame, far, ground);
    },
    paint(scene) {
      if (frame.palette === null || frame.width === 0) return;
      const to = aim(scene.state, frame.width / frame.height);
      frame.camera ??= { ...to };
      follow(frame.camera, to, scene.seconds);
      place(frame, scene, far, ground);
      paintMoving(pen, frame as Frame & { palette: Palette; camera: Camera }, scene, bodies);
    },
  };
}

/** Gives the still layers their sizes: the platform's is that of the nearest view, so none is blurred. */
function fitStill(frame: Frame, far: Layer, ground: Layer): void {
  const { width, height } = frame;
  size(far, width * FAR_WIDER, height * FAR_HIGHER);
  frame.groundScale = width / aim({ fighters: STANDING }, width / height).width;
  size(ground, GROUND_LENGTH * frame.groundScale, GROUND_HEIGHT * frame.groundScale);
}

/** Both at the same place, where the camera is nearest. */
const STANDING = [{ x: 0, y: 0 } as Fighter, { x: 0, y: 0 } as Fighter] as const;

function size({ drawing }: Layer, width: number, height: number): void {
  drawing.style.width = `${Math.round(width)}px`;
  drawing.style.height = `${Math.round(height)}px`;
}

/** CSS pixels to a millimetre, and where the stage's zero and the ground are in the picture. */
function projection({ width, height, camera }: Frame): {
  scale: number;
  zero: number;
  ground: number;
} {
  const scale = width / camera!.width;
  return {
    scale,
    zero: width / 2 - camera!.x * scale,
    ground: height * GROUND_PART + camera!.y * scale,
  };
}

/** Moves the still layers with the camera; only their transforms change. */
function place(frame: Frame, { shake, isCalm, state }: Scene, far: Layer, ground: Layer): void {
  const { width, height, camera, groundScale } = frame;
  const { scale, zero, ground: floor } = projection(frame);
  const [shakeX, shakeY] = isCalm ? [0, 0] : shakeOf(shake, state.tick);
  const aside = (camera!.x / STAGE_WIDTH) * (FAR_WIDER - 1) * width;
  move(
    far,
    `translate(${(-aside).toFixed(1)}px, ${(camera!.y * scale * 0.15 - height * 0.05).toFixed(1)}px)`,
  );
  const x = zero - GROUND_BEYOND * scale + shakeX;
  const y = floor - GROUND_ABOVE * scale + shakeY;
  const zoom = (scale / groundScale).toFixed(4);
  move(ground, `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) scale(${zoom})`);
}

function move(layer: Layer, transform: string): void {
  if (layer.transform === transform) return;
  layer.transform = transform;
  layer.drawing.style.transform = transform;
}

function shakeOf(shake: number, tick: number): readonly [number, number] {
  return [Math.sin(tick * 2.1) * SHAKE_PX * shake, Math.cos(tick * 3.3) * SHAKE_PX * shake];
}

function paintMoving(
  pen: CanvasRenderingContext2D,
  frame: Frame & { palette: Palette },
  scene: Scene,
  bodies: readonly Body[],
): void {
  const { ratio, palette, dirty } = frame;
  const { scale, zero, ground } = projection(frame);
  const [shakeX, shakeY] = scene.isCalm ? [0, 0] : shakeOf(scene.shake, scene.state.tick);
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  if (dirty === null) pen.clearRect(0, 0, frame.width, frame.height);
  else pen.clearRect(...dirty);
  pen.setTransform(
    ratio * scale,
    0,
    0,
    -ratio * scale,
    ratio * (zero + shakeX),
    ratio * (ground + shakeY),
  );
  const spots = ([0, 1] as const).map((seat) => spotOf(scene, seat));
  for (const spot of spots) paintShadow(pen, spot, palette);
  for (const seat of drawingOrder(scene.state)) {
    paintBody(pen, scene, seat, spots[seat]!, bodies[seat]!, palette);
  }
  for (const seat of [0, 1] as const) paintFlying(pen, scene, seat, palette);
  for (const effect of scene.effects) paintEffect(pen, effect, palette, scene.isCalm);
  if (scene.seat === 0 || scene.seat === 1) {
    paintMark(pen, spots[scene.seat]!, palette, palette.outfits[scene.seat].main);
  }
  frame.dirty = boundsOf(scene, spots, { scale, zero, ground });
}

/** Whoever strikes is in front. */
function drawingOrder({ fighters: [a, b] }: FightState): readonly (0 | 1)[] {
  return a.act === 'attack' && b.act !== 'attack' ? [1, 0] : [0, 1];
}

/** Where a fighter is between two ticks. */
function spotOf({ before, state, part }: Scene, seat: 0 | 1): Point {
  const [was, is] = [before.fighters[seat], state.fighters[seat]];
  if (Math.abs(is.x - was.x) > LEAP || Math.abs(is.y - was.y) > LEAP) return [is.x, is.y];
  return [was.x + (is.x - was.x) * part, was.y + (is.y - was.y) * part];
}

/** All that may have been drawn, in CSS pixels: what the next picture has to clear. */
function boundsOf(
  { state, effects }: Scene,
  spots: readonly Point[],
  at: { readonly scale: number; readonly zero: number; readonly ground: number },
): readonly [number, number, number, number] {
  const xs = spots.map(([x]) => x);
  const ys = spots.map(([, y]) => y);
  for (const { boltX, boltFacing } of state.fighters) if (boltFacing !== 0) xs.push(boltX);
  for (const { x } of effects) xs.push(x);
  const left = Math.min(...xs) - 1_900;
  const right = Math.max(...xs) + 1_900;
  const top = Math.max(...ys) + 3_000;
  const x = at.zero + left * at.scale;
  const y = at.ground - top * at.scale;
  return [x, y, (right - left) * at.scale, (top + 500) * at.scale];
}

function paintShadow(pen: CanvasRenderingContext2D, [x, y]: Point, palette: Palette): void {
  const size = 1 - Math.min(0.5, y / 5_000);
  pen.fillStyle = palette.shadow;
  pen.beginPath();
  pen.ellipse(x, -20, 430 * size, 74 * size, 0, 0, 2 * Math.PI);
  pen.fill();
}

function moodOf(state: FightState, seat: 0 | 1): Mood {
  const { act, health } = state.fighters[seat];
  if (health === 0) return 'out';
  if (act === 'hit' || act === 'fall' || act === 'down') return 'hurt';
  const last = state.rounds.at(-1);
  if ((state.phase === 'pause' || state.phase === 'over') && last?.winner === seat) return 'glad';
  return state.phase === 'fight' ? 'keen' : 'calm';
}

function paintBody(
  pen: CanvasRenderingContext2D,
  scene: Scene,
  seat: 0 | 1,
  [x, y]: Point,
  body: Body,
  palette: Palette,
): void {
  const { state, seconds, part } = scene;
  const fighter = state.fighters[seat];
  const isLeft = scene.winner !== null && fighter.act === 'free';
  const wanted = isLeft
    ? endPose(scene.winner === seat)
    : poseOf(state, seat, state.tick - 1 + part);
  body.pose = body.pose === null ? wanted : mix(body.pose, wanted, 1 - SUPPLE ** seconds);
  const joints = solve(body.pose);
  const { facing } = fighter;
  const outfit = palette.outfits[seat];
  const toStage = ([px, py]: Point): Point => [x + px * facing, y + py];
  paintClothStrips(pen, seat, joints, body, toStage, fighter, seconds, palette);
  pen.save();
  pen.translate(x, y);
  pen.scale(facing, 1);
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

function paintClothStrips(
  pen: CanvasRenderingContext2D,
  seat: 0 | 1,
  { head, neck }: Joints,
  { ribbons }: Body,
  toStage: (point: Point) => Point,
  { facing }: Fighter,
  seconds: number,
  palette: Palette,
): void {
  const { main, shade, trim } = palette.outfits[seat];
  const anchors: readonly Point[] =
    seat === 0
      ? [
          [head[0] - 130, head[1] + 58],
          [head[0] - 128, head[1] + 44],
        ]
      : [[neck[0] - 60, neck[1] + 20]];
  for (const [n, ribbon] of ribbons.entries()) {
    ribbon.follow(toStage(anchors[n]!), seconds, facing);
    const colour = seat === 0 ? (n === 0 ? shade : main) : trim;
    paintRibbon(pen, ribbon.points, seat === 0 ? [24, 16] : [58, 40], colour, palette.outline);
  }
}

/** What a blow leaves in the air while it is active; a special's is in the fighter's colour. */
function paintStroke(
  pen: CanvasRenderingContext2D,
  fighter: Fighter,
  joints: Joints,
  palette: Palette,
): void {
  if (fighter.move === null || stageOf(fighter) !== 'active') return;
  const { limb, windup } = STROKES[fighter.move];
  if (limb === null) return;
  const tip = {
    handFar: joints.armFar,
    handNear: joints.armNear,
    footFar: joints.legFar,
    footNear: joints.legNear,
  }[limb][2];
  const isUp = fighter.move === 'rise';
  paintTrace(pen, windup[limb], tip, isUp ? -0.2 : 0.25, isUp ? palette.spark : palette.dust);
}

/** A body shines when a blow has just met it, and while nothing can reach it. */
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

function paintFlying(
  pen: CanvasRenderingContext2D,
  { state, before, part }: Scene,
  seat: 0 | 1,
  palette: Palette,
): void {
  const { boltX, boltFacing } = state.fighters[seat];
  if (boltFacing === 0) return;
  const was = before.fighters[seat];
  const from = was.boltFacing === boltFacing ? was.boltX : boltX;
  const x = from + (boltX - from) * part;
  const { main } = palette.outfits[seat];
  const colours = { main, core: '#fff', outline: palette.outline };
  paintBolt(pen, x, (BOLT_LOW + BOLT_HIGH) / 2, boltFacing, state.tick, colours);
}

/** The mark over one's own fighter. */
function paintMark(
  pen: CanvasRenderingContext2D,
  [x, y]: Point,
  palette: Palette,
  colour: string,
): void {
  const at = y + 1_880;
  pen.beginPath();
  pen.moveTo(x - 90, at + 105);
  pen.lineTo(x + 90, at + 105);
  pen.lineTo(x, at);
  pen.closePath();
  pen.lineJoin = 'round';
  pen.strokeStyle = palette.outline;
  pen.lineWidth = 44;
  pen.stroke();
  pen.fillStyle = colour;
  pen.fill();
}
