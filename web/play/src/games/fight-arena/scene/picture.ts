/** Draws a fight: static layers behind, and canvases on which moving parts are redrawn. */

import {
  BOLT_HIGH,
  BOLT_LOW,
  STAGE_WIDTH,
  START_X,
} from '../../../../../../src/games/fight-arena/stage.ts';
import type { FightState } from '../../../../../../src/games/fight-arena/state.ts';
import { makeFighter } from '../../../../../../src/games/fight-arena/state.ts';
import { h } from '../../../ui/dom.ts';
import { makeBodies, paintBody, type Settled, settle } from './body.ts';
import { paintBoxes } from './boxes.ts';
import type { Camera } from './camera.ts';
import { aim, follow, GROUND_PART, keepInSight } from './camera.ts';
import { makeMarkers } from './markers.ts';
import { type MovingCanvas, makeMovingCanvas, type View } from './moving-canvas.ts';
import { boltBox, effectBox, unite } from './moving-part.ts';
import { paintBolt, paintEffect } from './paint-effects.ts';
import type { Pen } from './paint-fighter.ts';
import type { Palette } from './palette.ts';
import { readPalette } from './palette.ts';
import type { Scene } from './scene.ts';
import {
  GROUND_ABOVE,
  GROUND_BEYOND,
  GROUND_HEIGHT,
  GROUND_LENGTH,
  makePlatform,
  makeSky,
} from './scenery.ts';

export interface Picture {
  readonly element: HTMLElement;
  paint(scene: Scene): void;
  /** The maximum of canvas pixels per CSS pixel; takes effect at once. */
  setSharpness(ratio: number): void;
  /** Reads sizes and colours again. `covered` is the height of the bars below the upper edge, in pixels. */
  refresh(covered: number): void;
}

/** A static layer: only its transform changes. */
interface Layer {
  readonly drawing: SVGSVGElement;
  transform: string;
}

/** The far layer's width relative to the view, and its part of the camera's motion. */
const FAR_WIDER = 1.25;
const FAR_HIGHER = 1.1;
const SHAKE_PX = 9;

interface Frame {
  width: number;
  height: number;
  /** The part of the height, from above, that bars cover. */
  covered: number;
  /** Canvas pixels per CSS pixel. */
  ratio: number;
  palette: Palette | null;
  camera: Camera | null;
  /** CSS pixels to a millimetre in the platform's picture. */
  groundScale: number;
}

interface Canvases {
  /** By seat. */
  readonly fighters: readonly MovingCanvas[];
  readonly bolts: readonly MovingCanvas[];
  readonly effects: readonly MovingCanvas[];
  /** Above everything else. */
  readonly boxes: readonly MovingCanvas[];
}

/** The number of simultaneous effects with a canvas each. */
const EFFECTS = 4;

const SEATS = [0, 1] as const;

function makeCanvases(): Canvases {
  const make = (count: number) => Array.from({ length: count }, makeMovingCanvas);
  const canvases = { fighters: make(2), bolts: make(2), effects: make(EFFECTS), boxes: make(1) };
  for (const each of [...canvases.bolts, ...canvases.effects, ...canvases.boxes]) each.lift(2);
  return canvases;
}

/** Before its first `refresh`: nothing is drawn. */
function makeFrame(): Frame {
  return {
    width: 0,
    height: 0,
    covered: 0,
    ratio: 1,
    palette: null,
    camera: null,
    groundScale: 1,
  };
}

export function makePicture(): Picture {
  const far: Layer = { drawing: makeSky(), transform: '' };
  const ground: Layer = { drawing: makePlatform(), transform: '' };
  const canvases = makeCanvases();
  const moving = Object.values(canvases).flat();
  const markers = makeMarkers();
  const element = h(
    'div',
    { class: 'fa-picture' },
    far.drawing,
    ground.drawing,
    ...markers.shadows,
    ...moving.map((each) => each.element),
    markers.mark,
  );
  const frame = makeFrame();
  let sharpness = 2;
  const bodies = makeBodies();
  /** The seat whose colour the mark has; undefined before it has one. */
  let fittedFor: number | null | undefined;
  const sharpen = (): void => {
    frame.ratio = Math.min(sharpness, window.devicePixelRatio || 1);
  };
  return {
    element,
    setSharpness(ratio) {
      sharpness = ratio;
      sharpen();
    },
    refresh(covered) {
      frame.width = element.clientWidth;
      frame.height = element.clientHeight;
      if (frame.width === 0 || frame.height === 0) return;
      frame.covered = covered / frame.height;
      frame.palette = readPalette(element);
      frame.camera = null;
      sharpen();
      fitStill(frame, far, ground);
      fittedFor = undefined;
      for (const each of moving) each.reset();
    },
    paint(scene) {
      const { palette, width, height, ratio } = frame;
      if (palette === null || width === 0) return;
      const settled = SEATS.map((seat) => settle(scene, seat, bodies[seat]!));
      moveCamera(frame, scene, settled);
      const { scale, zero, ground: floor } = projection(frame);
      const [shakeX, shakeY] = scene.isCalm ? [0, 0] : shakeOf(scene.shake, scene.state.tick);
      const view = { width, height, ratio, scale, zero: zero + shakeX, ground: floor + shakeY };
      place(frame, view, far, ground);
      if (fittedFor !== scene.seat) markers.fit(frame.groundScale, palette, scene.seat);
      fittedFor = scene.seat;
      markers.place(
        settled.map(({ spot }) => spot),
        scene.seat,
        view,
      );
      paintMoving(canvases, view, palette, scene, settled);
    },
  };
}

/** Follows both fighters, and at once if one of them would go behind the bars. */
function moveCamera(frame: Frame, scene: Scene, settled: readonly Settled[]): void {
  const { width, height, covered } = frame;
  const shape = width / height;
  const to = aim(scene.state, shape, covered);
  frame.camera ??= { ...to };
  follow(frame.camera, to, scene.seconds);
  keepInSight(frame.camera, Math.max(...settled.map(({ top }) => top)), shape, covered);
}

/** Sizes the static layers: the platform's is that of the nearest view, so that none is blurred. */
function fitStill(frame: Frame, far: Layer, ground: Layer): void {
  const { width, height } = frame;
  size(far, width * FAR_WIDER, height * FAR_HIGHER);
  frame.groundScale = width / aim({ fighters: STANDING }, width / height).width;
  size(ground, GROUND_LENGTH * frame.groundScale, GROUND_HEIGHT * frame.groundScale);
}

/** Both at the same position, where the camera is nearest. */
const STANDING = [makeFighter(0, 0), { ...makeFighter(1, 0), x: START_X[0] }] as const;

function size({ drawing }: Layer, width: number, height: number): void {
  drawing.style.width = `${Math.round(width)}px`;
  drawing.style.height = `${Math.round(height)}px`;
}

/** CSS pixels to a millimetre, and the positions of the stage's zero and of the ground in the view. */
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

/** Moves the static layers with the camera; only their transforms change. */
function place(frame: Frame, view: View, far: Layer, ground: Layer): void {
  const { width, height, camera, groundScale } = frame;
  const { scale } = view;
  const aside = (camera!.x / STAGE_WIDTH) * (FAR_WIDER - 1) * width;
  const up = camera!.y * scale * 0.15 - height * 0.05;
  move(far, `translate(${whole(-aside)}px, ${whole(up)}px)`);
  const x = view.zero - GROUND_BEYOND * scale;
  const y = view.ground - GROUND_ABOVE * scale;
  const zoom = (scale / groundScale).toFixed(4);
  move(ground, `translate(${whole(x)}px, ${whole(y)}px) scale(${zoom})`);
}

/** In whole pixels of the screen: without a graphics processor a layer at a fractional position costs several times as much. */
function whole(px: number): number {
  const ratio = window.devicePixelRatio || 1;
  return Math.round(px * ratio) / ratio;
}

function move(layer: Layer, transform: string): void {
  if (layer.transform === transform) return;
  layer.transform = transform;
  layer.drawing.style.transform = transform;
}

function shakeOf(shake: number, tick: number): readonly [number, number] {
  return [Math.sin(tick * 2.1) * SHAKE_PX * shake, Math.cos(tick * 3.3) * SHAKE_PX * shake];
}

/** Each moving thing on its own canvas, none larger than the thing. */
function paintMoving(
  { fighters, bolts, effects, boxes }: Canvases,
  view: View,
  palette: Palette,
  scene: Scene,
  settled: readonly Settled[],
): void {
  const { state } = scene;
  const front = frontOf(state);
  for (const seat of SEATS) {
    fighters[seat]!.lift(seat === front ? 1 : 0);
    const body = fighters[seat]!.cover(settled[seat]!.box, view);
    if (body !== null) paintBody(body, scene, seat, settled[seat]!, palette);
    const at = boltAt(scene, seat);
    const bolt = bolts[seat]!.cover(at === null ? null : boltBox(at), view);
    if (bolt !== null) paintFlying(bolt, at!, state, seat, palette);
  }
  for (const [n, canvas] of effects.entries()) {
    // If there are more effects than canvases, the last canvas takes the rest.
    const some = scene.effects.slice(n, n === effects.length - 1 ? undefined : n + 1);
    const pen = canvas.cover(some.length === 0 ? null : unite(some.map(effectBox)), view);
    if (pen !== null) for (const each of some) paintEffect(pen, each, palette, scene.isCalm);
  }
  paintBoxes(boxes[0]!, scene.showsBoxes ? state : null, view);
}

/** The attacker is in front. */
function frontOf({ fighters: [a, b] }: FightState): 0 | 1 {
  return a.act === 'attack' && b.act !== 'attack' ? 0 : 1;
}

/** A bolt's position between two ticks; null while none flies. */
function boltAt({ state, before, part }: Scene, seat: 0 | 1): number | null {
  const { boltX, boltFacing } = state.fighters[seat];
  if (boltFacing === 0) return null;
  const was = before.fighters[seat];
  const from = was.boltFacing === boltFacing ? was.boltX : boltX;
  return from + (boltX - from) * part;
}

function paintFlying(
  pen: Pen,
  x: number,
  { fighters, tick }: FightState,
  seat: 0 | 1,
  palette: Palette,
): void {
  const { main } = palette.outfits[seat];
  const colours = { main, core: '#fff', outline: palette.outline };
  paintBolt(pen, x, (BOLT_LOW + BOLT_HIGH) / 2, fighters[seat].boltFacing, tick, colours);
}
