/** Draws a fighter: limbs, clothes and face along its joints. The pen is in millimetres, y up. */

import type { Mood } from './faces.ts';
import { FACES } from './faces.ts';
import type { Outfit } from './palette.ts';
import type { Joints, Limb, Point } from './pose.ts';

export type Pen = CanvasRenderingContext2D;

export interface Figure {
  readonly joints: Joints;
  readonly outfit: Outfit;
  readonly outline: string;
  /** The clothes of a seat: they differ in cut, not only in colour. */
  readonly seat: 0 | 1;
  readonly mood: Mood;
  /** 0 to 1: the strength of the flash while it is invulnerable or has just been hit. */
  readonly glow: number;
  readonly glowColour: string;
}

const OUTLINE = 26;
const HEAD = 138;
const FIST = 66;

/** Adds a bone that is `from` thick at its root and `to` at its tip. */
function bone(path: Path2D, [ax, ay]: Point, [bx, by]: Point, from: number, to: number): void {
  const angle = Math.atan2(by - ay, bx - ax);
  const quarter = Math.PI / 2;
  path.moveTo(ax + from * Math.cos(angle + quarter), ay + from * Math.sin(angle + quarter));
  path.arc(ax, ay, from, angle + quarter, angle - quarter, false);
  path.arc(bx, by, to, angle - quarter, angle + quarter, false);
  path.closePath();
}

/** A shape with its colour. */
interface Shape {
  readonly colour: string;
  /** Adds it to a path, enlarged by this much on all sides. */
  readonly add: (path: Path2D, by: number) => void;
  /** A shape that cannot be enlarged: its outline is a stroke, which is slower to draw. */
  readonly isStroked: boolean;
}

const shape = (points: readonly Point[], colour: string): Shape => ({
  colour,
  add: (path) => polygon(path, points),
  isStroked: true,
});

const discShape = ([x, y]: Point, rx: number, ry: number, colour: string, turn = 0): Shape => ({
  colour,
  add(path, by) {
    // Without this, a line would connect the previous shape to this one.
    path.moveTo(x + (rx + by) * Math.cos(turn), y + (rx + by) * Math.sin(turn));
    path.ellipse(x, y, rx + by, ry + by, turn, 0, 2 * Math.PI);
  },
  isStroked: false,
});

const boneShape = (a: Point, b: Point, from: number, to: number, colour: string): Shape => ({
  colour,
  add: (path, by) => bone(path, a, b, from + by, to + by),
  isStroked: false,
});

const along = ([ax, ay]: Point, [bx, by]: Point, part: number): Point => [
  ax + (bx - ax) * part,
  ay + (by - ay) * part,
];

/**
 * Overlapping shapes with one outline around all of them. The outline is one path, and so are neighbours of one
 * colour:
 * that takes half the time of filling each by itself.
 */
function group(pen: Pen, outline: string, shapes: readonly Shape[]): void {
  const around = new Path2D();
  for (const { add, isStroked } of shapes) {
    if (!isStroked) add(around, OUTLINE);
    else strokeAround(pen, add, outline);
  }
  pen.fillStyle = outline;
  pen.fill(around);
  for (let n = 0; n < shapes.length; ) {
    const { colour } = shapes[n]!;
    const path = new Path2D();
    for (; n < shapes.length && shapes[n]!.colour === colour; n += 1) shapes[n]!.add(path, 0);
    pen.fillStyle = colour;
    pen.fill(path);
  }
}

function strokeAround(pen: Pen, add: Shape['add'], outline: string): void {
  const path = new Path2D();
  add(path, 0);
  pen.strokeStyle = outline;
  pen.lineWidth = OUTLINE * 2;
  pen.stroke(path);
}

function paintArm(pen: Pen, figure: Figure, [root, joint, tip]: Limb, isFar: boolean): void {
  const { outfit, seat, outline } = figure;
  const skin = isFar ? outfit.skinShade : outfit.skin;
  const cloth = isFar ? outfit.shade : outfit.main;
  const wrist = along(joint, tip, 0.82);
  const sleeve = seat === 0 ? skin : cloth;
  const shapes = [
    boneShape(root, joint, 78, 62, sleeve),
    boneShape(joint, tip, 62, 52, sleeve),
    discShape(tip, FIST, FIST, skin),
  ];
  // Wrapped forearms for one seat, cuffs for the other.
  if (seat === 0) shapes.push(boneShape(along(joint, tip, 0.38), wrist, 63, 57, outfit.trim));
  else shapes.push(boneShape(along(joint, tip, 0.66), wrist, 68, 72, outfit.trim));
  group(pen, outline, shapes);
}

function paintLeg(pen: Pen, figure: Figure, [root, joint, tip]: Limb, isFar: boolean): void {
  const { outfit, seat, outline } = figure;
  const cloth = isFar ? outfit.trousersShade : outfit.trousers;
  const skin = isFar ? outfit.skinShade : outfit.skin;
  const foot = footOf(joint, tip, seat === 0 ? skin : outfit.trim);
  if (seat === 0) {
    // Wide trousers that end above the ankle.
    const hem = along(joint, tip, 0.78);
    group(pen, outline, [
      boneShape(along(joint, tip, 0.7), tip, 52, 48, skin),
      foot,
      boneShape(root, joint, 118, 96, cloth),
      boneShape(joint, hem, 96, 104, cloth),
    ]);
    return;
  }
  const shin = along(joint, tip, 0.36);
  group(pen, outline, [
    foot,
    boneShape(root, joint, 116, 84, cloth),
    boneShape(joint, tip, 84, 58, cloth),
    boneShape(shin, along(joint, tip, 0.94), 76, 62, outfit.trim),
  ]);
}

/** A foot at a right angle to its shin, with its sole on the ground. */
function footOf(knee: Point, ankle: Point, colour: string): Shape {
  const angle = Math.atan2(ankle[1] - knee[1], ankle[0] - knee[0]);
  const isGrounded = ankle[1] < 130;
  const toes = isGrounded ? 0 : angle + Math.PI * 0.42;
  const heel: Point = [ankle[0] - 35 * Math.cos(toes), ankle[1] - 18 - 35 * Math.sin(toes)];
  const tip: Point = [ankle[0] + 150 * Math.cos(toes), ankle[1] - 26 + 150 * Math.sin(toes)];
  return boneShape(heel, tip, 52, 38, colour);
}

function paintTorso(pen: Pen, { joints, outfit, outline, seat }: Figure): void {
  const { hip, neck } = joints;
  const up: Point = unit(hip, neck);
  const ahead: Point = [up[1], -up[0]];
  const at = (height: number, forward: number): Point => [
    hip[0] + up[0] * height + ahead[0] * forward,
    hip[1] + up[1] * height + ahead[1] * forward,
  ];
  const body = [
    at(-70, -118),
    at(120, -112),
    at(330, -158),
    at(430, -120),
    at(452, 30),
    at(400, 168),
    at(300, 178),
    at(110, 118),
    at(-70, 132),
  ];
  group(pen, outline, [
    boneShape(at(410, 20), at(520, 34), 66, 60, outfit.skinShade),
    shape(body, outfit.main),
  ]);
  const belt = new Path2D();
  polygon(belt, [at(10, -118), at(90, -116), at(80, 124), at(0, 130)]);
  const detail = new Path2D();
  if (seat === 0) {
    // A jacket open at the neck.
    polygon(detail, [at(452, -30), at(446, 90), at(215, 75)]);
    pen.fillStyle = outfit.skin;
    pen.fill(detail);
    strokeLine(pen, [at(456, -42), at(200, 72), at(90, 108)], outfit.trim, 34);
    strokeLine(pen, [at(446, 104), at(215, 66)], outfit.trim, 34);
  } else {
    // A band across the chest and a high collar.
    polygon(detail, [at(425, -112), at(440, -10), at(90, 120), at(90, 20)]);
    pen.fillStyle = outfit.shade;
    pen.fill(detail);
    strokeLine(pen, [at(448, -60), at(456, 70)], outfit.trim, 54);
  }
  pen.fillStyle = outfit.trim;
  pen.fill(belt);
  // The knot with its two ends.
  strokeLine(pen, [at(48, 96), at(-95, 70)], outfit.trim, 40);
  strokeLine(pen, [at(48, 96), at(-110, 150)], outfit.trim, 40);
}

function unit(from: Point, to: Point): Point {
  const dx = to[0] - from[0];
  const dy = to[1] - from[1];
  const length = Math.hypot(dx, dy) || 1;
  return [dx / length, dy / length];
}

function polygon(path: Path2D, points: readonly Point[]): void {
  for (const [n, [x, y]] of points.entries()) {
    if (n === 0) path.moveTo(x, y);
    else path.lineTo(x, y);
  }
  path.closePath();
}

function strokeLine(pen: Pen, points: readonly Point[], colour: string, width: number): void {
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.beginPath();
  for (const [n, [x, y]] of points.entries()) {
    if (n === 0) pen.moveTo(x, y);
    else pen.lineTo(x, y);
  }
  pen.stroke();
}

function paintHead(pen: Pen, figure: Figure): void {
  const { joints, outfit, outline, seat, mood } = figure;
  const [x, y] = joints.head;
  const up = unit(joints.neck, joints.head);
  pen.save();
  pen.translate(x, y);
  pen.rotate(Math.atan2(up[1], up[0]) - Math.PI / 2);
  const hair = seat === 0 ? SPIKES : BUN;
  group(pen, outline, [
    hair.behind(outfit.hair),
    discShape([0, 10], HEAD, HEAD + 6, outfit.skin),
    discShape([28, -48], 104, 96, outfit.skin),
  ]);
  pen.fillStyle = outfit.hair;
  pen.fill(pathOf(hair.front));
  paintFace(pen, mood, outline);
  if (seat === 0) {
    strokeLine(
      pen,
      [
        [-142, 62],
        [-40, 78],
        [60, 78],
        [136, 58],
      ],
      outfit.main,
      44,
    );
    strokeLine(
      pen,
      [
        [-142, 62],
        [-150, 40],
      ],
      outfit.main,
      52,
    );
  }
  pen.restore();
}

/** Hair: a part behind the head, and one in front of it. */
interface Hair {
  readonly behind: (colour: string) => Shape;
  readonly front: readonly Point[];
}

/** Spiky hair. */
const SPIKES: Hair = {
  behind: (colour) =>
    shape(
      [
        [-150, -40],
        [-215, 40],
        [-170, 60],
        [-225, 150],
        [-150, 140],
        [-150, 235],
        [-70, 185],
        [-20, 258],
        [30, 190],
        [105, 222],
        [105, 150],
        [150, 120],
        [120, 60],
        [-60, -60],
      ],
      colour,
    ),
  front: [
    [-146, -30],
    [-150, 90],
    [-90, 150],
    [0, 165],
    [90, 140],
    [138, 80],
    [60, 92],
    [-20, 84],
    [-66, 66],
    [-84, -20],
    [-112, -48],
  ],
};

/** Hair bound up behind. */
const BUN: Hair = {
  behind: (colour) => discShape([-128, 128], 82, 76, colour, 0.5),
  front: [
    [-142, -64],
    [-152, 20],
    [-128, 108],
    [-60, 152],
    [30, 160],
    [104, 122],
    [142, 54],
    [128, 22],
    [64, 82],
    [-24, 92],
    [-74, 56],
    [-84, -26],
    [-112, -72],
  ],
};

function pathOf(points: readonly Point[]): Path2D {
  const path = new Path2D();
  polygon(path, points);
  return path;
}

function paintFace(pen: Pen, mood: Mood, colour: string): void {
  const { sees, lines } = FACES[mood];
  if (sees) {
    pen.fillStyle = colour;
    pen.beginPath();
    pen.ellipse(66, 8, 15, 24, 0, 0, 2 * Math.PI);
    pen.ellipse(118, 8, 12, 22, 0, 0, 2 * Math.PI);
    pen.fill();
  }
  for (const [width, ...points] of lines) strokeLine(pen, points, colour, width);
}

/** Draws it where the pen is; x grows in the direction in which it looks. */
export function paintFigure(pen: Pen, figure: Figure): void {
  const { joints } = figure;
  pen.lineJoin = 'round';
  pen.lineCap = 'round';
  paintArm(pen, figure, joints.armFar, true);
  paintLeg(pen, figure, joints.legFar, true);
  paintLeg(pen, figure, joints.legNear, false);
  paintTorso(pen, figure);
  paintHead(pen, figure);
  paintArm(pen, figure, joints.armNear, false);
  if (figure.glow > 0) paintGlow(pen, figure);
}

/** The whole body as one bright shape. */
function paintGlow(pen: Pen, { joints, glow, glowColour }: Figure): void {
  const { hip, neck, head, armFar, armNear, legFar, legNear } = joints;
  const path = new Path2D();
  bone(path, hip, neck, 130, 160);
  path.moveTo(head[0] + HEAD, head[1]);
  path.arc(head[0], head[1], HEAD, 0, 2 * Math.PI);
  for (const [root, joint, tip] of [armFar, armNear]) {
    bone(path, root, joint, 78, 62);
    bone(path, joint, tip, 62, 60);
  }
  for (const [root, joint, tip] of [legFar, legNear]) {
    bone(path, root, joint, 116, 90);
    bone(path, joint, tip, 90, 70);
  }
  pen.globalAlpha = glow;
  pen.fillStyle = glowColour;
  pen.fill(path, 'nonzero');
  pen.globalAlpha = 1;
}

/** A ribbon or a scarf, wide at its anchor; in millimetres of the stage. */
export function paintRibbon(
  pen: Pen,
  points: readonly Point[],
  widths: readonly [number, number],
  colour: string,
  outline: string,
): void {
  if (points.length < 2) return;
  const left: Point[] = [];
  const right: Point[] = [];
  for (const [n, point] of points.entries()) {
    const next = points[Math.min(points.length - 1, n + 1)]!;
    const last = points[Math.max(0, n - 1)]!;
    const [dx, dy] = unit(last, next);
    const width = widths[0] + ((widths[1] - widths[0]) * n) / (points.length - 1);
    left.push([point[0] - dy * width, point[1] + dx * width]);
    right.unshift([point[0] + dy * width, point[1] - dx * width]);
  }
  const path = new Path2D();
  polygon(path, [...left, ...right]);
  pen.lineJoin = 'round';
  pen.strokeStyle = outline;
  pen.lineWidth = OUTLINE * 1.6;
  pen.stroke(path);
  pen.fillStyle = colour;
  pen.fill(path);
}
