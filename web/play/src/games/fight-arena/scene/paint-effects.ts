/** Draws sparks, dust, bolts, and the trail of an attack. The pen is in millimetres of the stage, y up. */

import type { Effect } from './effects.ts';
import type { Pen } from './paint-fighter.ts';
import type { Palette } from './palette.ts';
import type { Point } from './pose.ts';

const RAYS = 9;
const FULL = 2 * Math.PI;

export function paintEffect(pen: Pen, effect: Effect, palette: Palette, isCalm: boolean): void {
  const part = effect.age / effect.length;
  pen.save();
  pen.translate(effect.x, effect.y);
  pen.globalAlpha = Math.min(1, (1 - part) * 1.6);
  switch (effect.kind) {
    case 'hit':
      paintBurst(pen, palette, isCalm ? 0.5 : part, 250, effect.turn);
      break;
    case 'heavy':
      paintBurst(pen, palette, isCalm ? 0.5 : part, 430, effect.turn);
      if (!isCalm) paintRing(pen, palette.spark, 150 + 560 * part, 46 * (1 - part));
      break;
    case 'block':
      paintGuard(pen, palette, part, effect.facing);
      break;
    case 'dust':
      paintDust(pen, palette, part);
      break;
    case 'fizzle':
      paintRing(pen, palette.guard, 120 + 260 * part, 60 * (1 - part));
      break;
  }
  pen.restore();
}

/** A star that bursts: white inside, the spark's colour around it, with a dark edge. */
function paintBurst(pen: Pen, palette: Palette, part: number, size: number, turn: number): void {
  const grow = 0.55 + 0.45 * Math.sqrt(part);
  const star = (outer: number, inner: number): Path2D => {
    const path = new Path2D();
    for (let n = 0; n < RAYS * 2; n += 1) {
      const uneven = n % 4 === 0 ? 1.25 : 1;
      const length = n % 2 === 0 ? outer * uneven : inner;
      const angle = turn * FULL + (n / (RAYS * 2)) * FULL;
      const [x, y] = [Math.cos(angle) * length, Math.sin(angle) * length];
      if (n === 0) path.moveTo(x, y);
      else path.lineTo(x, y);
    }
    path.closePath();
    return path;
  };
  const outer = star(size * grow, size * grow * (0.42 - 0.2 * part));
  pen.lineJoin = 'round';
  pen.lineWidth = 36;
  pen.strokeStyle = palette.outline;
  pen.stroke(outer);
  pen.fillStyle = palette.burst;
  pen.fill(outer);
  pen.fillStyle = '#fff';
  pen.fill(star(size * grow * 0.6, size * grow * (0.3 - 0.16 * part)));
}

function paintRing(pen: Pen, colour: string, radius: number, width: number): void {
  pen.strokeStyle = colour;
  pen.lineWidth = Math.max(4, width);
  pen.beginPath();
  pen.arc(0, 0, radius, 0, FULL);
  pen.stroke();
}

/** An arc between both. */
function paintGuard(pen: Pen, palette: Palette, part: number, push: number): void {
  const middle = push > 0 ? Math.PI : 0;
  for (const [radius, width] of [
    [300, 56],
    [390, 26],
  ] as const) {
    pen.lineCap = 'round';
    for (const [colour, extra] of [
      [palette.outline, 30],
      [palette.guard, 0],
    ] as const) {
      pen.strokeStyle = colour;
      pen.lineWidth = width * (1 - part * 0.6) + extra;
      pen.beginPath();
      pen.arc(push * 190, 0, radius + 90 * part, middle - 0.75, middle + 0.75);
      pen.stroke();
    }
  }
}

function paintDust(pen: Pen, palette: Palette, part: number): void {
  pen.fillStyle = palette.dust;
  for (const [n, side] of [-1, 1, -0.45, 0.5].entries()) {
    const x = side * (160 + 340 * part);
    const y = 40 + (n % 2) * 50 + 90 * part;
    pen.beginPath();
    pen.arc(x, y, 60 + 70 * part - n * 8, 0, FULL);
    pen.fill();
  }
}

/** The bolt: a bright ball in the fighter's colour, with a tail. `tick` makes it flicker. */
export function paintBolt(
  pen: Pen,
  x: number,
  y: number,
  facing: number,
  tick: number,
  colours: { readonly main: string; readonly core: string; readonly outline: string },
): void {
  const flicker = 1 + 0.08 * Math.sin(tick * 1.7);
  pen.save();
  pen.translate(x, y);
  pen.scale(facing, 1);
  const tail = new Path2D();
  tail.moveTo(40, 175 * flicker);
  tail.quadraticCurveTo(-380, 130, -640 - 60 * Math.sin(tick * 0.9), 10);
  tail.quadraticCurveTo(-380, -130, 40, -175 * flicker);
  tail.closePath();
  pen.globalAlpha = 0.55;
  pen.fillStyle = colours.main;
  pen.fill(tail);
  pen.globalAlpha = 1;
  const ball = new Path2D();
  ball.arc(0, 0, 180 * flicker, 0, FULL);
  pen.strokeStyle = colours.outline;
  pen.lineWidth = 40;
  pen.stroke(ball);
  pen.fillStyle = colours.main;
  pen.fill(ball);
  pen.fillStyle = colours.core;
  pen.beginPath();
  pen.arc(26, 12, 104 * flicker, 0, FULL);
  pen.fill();
  pen.restore();
}

/** Light that gathers between the hands, `part` of the way to a bolt. */
export function paintCharge(pen: Pen, [x, y]: Point, part: number, colour: string): void {
  pen.globalAlpha = 0.75;
  pen.fillStyle = colour;
  pen.beginPath();
  pen.arc(x, y, 40 + 120 * part, 0, FULL);
  pen.fill();
  pen.globalAlpha = 1;
  pen.fillStyle = '#fff';
  pen.beginPath();
  pen.arc(x, y, 20 + 60 * part, 0, FULL);
  pen.fill();
}

/** The trail of an attacking limb in the air: from its previous position to the current one. */
export function paintTrace(pen: Pen, from: Point, to: Point, bulge: number, colour: string): void {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const middle: Point = [(from[0] + to[0]) / 2 - dy * bulge, (from[1] + to[1]) / 2 + dx * bulge];
  const length = Math.hypot(dx, dy) || 1;
  const [nx, ny] = [(-dy / length) * 75, (dx / length) * 75];
  const path = new Path2D();
  path.moveTo(from[0], from[1]);
  path.quadraticCurveTo(middle[0] + nx, middle[1] + ny, to[0] + nx, to[1] + ny);
  path.lineTo(to[0] - nx, to[1] - ny);
  path.quadraticCurveTo(middle[0] - nx * 0.2, middle[1] - ny * 0.2, from[0], from[1]);
  path.closePath();
  pen.globalAlpha = 0.6;
  pen.fillStyle = colour;
  pen.fill(path);
  pen.globalAlpha = 1;
}
