/** Draws one ball in its orientation: its colour, its stripe, its number, and a highlight. */

import type { Facing, Vector } from './playback.ts';

/** By number: 1 and 9 share a colour, and so on; 8 is black. */
const COLOURS = [
  '#fbf7ea',
  '#efb715',
  '#1d50b5',
  '#d3302a',
  '#5c2f8f',
  '#e8721c',
  '#1b7a46',
  '#8a2232',
  '#1d1d20',
] as const;
const IVORY = COLOURS[0];

/** How far from the poles a stripe begins: cosine and sine of the angle. */
const CAP = { cos: 0.52, sin: 0.854 } as const;
/** The white spot and the number on it, in radii. */
const ROLLED = { spot: 0.47, letter: 0.66 };
const FLAT = { spot: 0.6, letter: 0.86 };
const SAMPLES = 28;

function colourOf(n: number): string {
  return COLOURS[n > 8 ? n - 8 : n] ?? IVORY;
}

interface Showing {
  /** A direction on the table, in pixels' directions. */
  onCanvas(vector: Vector): Vector;
  /** The number stays upright, however the ball has rolled. */
  readonly isFlat: boolean;
}

export function paintBall(
  pen: CanvasRenderingContext2D,
  n: number,
  radius: number,
  facing: Facing,
  { onCanvas, isFlat }: Showing,
): void {
  pen.save();
  disc(pen, 0.1 * radius, 0.16 * radius, radius * 1.04);
  pen.fillStyle = 'rgb(0 0 0 / 32%)';
  pen.fill();
  disc(pen, 0, 0, radius);
  pen.fillStyle = colourOf(n);
  pen.fill();
  pen.clip();
  if (n > 8) {
    pen.fillStyle = IVORY;
    for (const sign of [1, -1]) paintCap(pen, scale(onCanvas(facing.pole), sign), radius);
  }
  if (n > 0 && !isFlat) paintNumber(pen, n, onCanvas(facing.number), radius);
  else if (n === 0) paintDot(pen, onCanvas(facing.number), radius);
  const light = pen.createRadialGradient(
    -0.35 * radius,
    -0.4 * radius,
    0.05 * radius,
    -0.1 * radius,
    -0.1 * radius,
    1.15 * radius,
  );
  light.addColorStop(0, 'rgb(255 255 255 / 55%)');
  light.addColorStop(0.35, 'rgb(255 255 255 / 4%)');
  light.addColorStop(1, 'rgb(0 0 0 / 34%)');
  disc(pen, 0, 0, radius);
  pen.fillStyle = light;
  pen.fill();
  // Above the highlight, so that it is as clear as possible.
  if (n > 0 && isFlat) paintNumber(pen, n, [0, 0, 1], radius, FLAT);
  pen.restore();
}

function disc(pen: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
}

const scale = ([x, y, z]: Vector, by: number): Vector => [x * by, y * by, z * by];

/** The white next to a stripe: the visible part between its edge and a pole. */
function paintCap(pen: CanvasRenderingContext2D, pole: Vector, radius: number): void {
  const [px, py, pz] = pole;
  const level = Math.sqrt(px * px + py * py);
  const across: Vector = level < 1e-6 ? [1, 0, 0] : [-py / level, px / level, 0];
  const along: Vector = [
    py * across[2] - pz * across[1],
    pz * across[0] - px * across[2],
    px * across[1] - py * across[0],
  ];
  const edge = Array.from({ length: SAMPLES }, (_, n): Vector => {
    const turn = (n / SAMPLES) * 2 * Math.PI;
    const a = CAP.sin * Math.cos(turn);
    const b = CAP.sin * Math.sin(turn);
    const at = (i: 0 | 1 | 2): number => pole[i] * CAP.cos + across[i] * a + along[i] * b;
    return [at(0), at(1), at(2)];
  });
  const hidden = edge.findIndex((point, n) => point[2] < 0 && edge[(n + 1) % SAMPLES]![2] >= 0);
  const isWhole = edge.every((point) => point[2] >= 0);
  if (hidden < 0 && !isWhole) return;
  const ordered = isWhole ? edge : [...edge.slice(hidden + 1), ...edge.slice(0, hidden + 1)];
  const seen = ordered.filter((point) => point[2] >= 0);
  pen.beginPath();
  for (const [x, y] of seen) pen.lineTo(x * radius, y * radius);
  // Beyond its edge the cap extends to the rim of the ball; the rest is clipped.
  if (!isWhole) {
    const [endX, endY] = seen.at(-1)!;
    const [startX, startY] = seen[0]!;
    const out = 2.4 * radius;
    pen.lineTo(endX * out, endY * out);
    pen.lineTo((px / (level || 1)) * out * 2, (py / (level || 1)) * out * 2);
    pen.lineTo(startX * out, startY * out);
  }
  pen.fill();
}

function paintNumber(
  pen: CanvasRenderingContext2D,
  n: number,
  number: Vector,
  radius: number,
  { spot, letter } = ROLLED,
): void {
  const [x, y, z] = number[2] >= 0 ? number : scale(number, -1);
  pen.save();
  pen.translate(x * radius * 0.94, y * radius * 0.94);
  pen.rotate(Math.atan2(y, x));
  pen.scale(Math.max(0.2, z), 1);
  pen.rotate(-Math.atan2(y, x));
  disc(pen, 0, 0, spot * radius);
  pen.fillStyle = IVORY;
  pen.fill();
  if (radius > 7) {
    pen.fillStyle = '#1d1d20';
    pen.font = `700 ${radius * letter}px sans-serif`;
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    pen.fillText(String(n), 0, radius * 0.04);
  }
  pen.restore();
}

/** The cue ball's dot shows its rotation. */
function paintDot(pen: CanvasRenderingContext2D, at: Vector, radius: number): void {
  const [x, y, z] = at[2] >= 0 ? at : scale(at, -1);
  disc(pen, x * radius * 0.9, y * radius * 0.9, radius * 0.14 * Math.max(0.35, z));
  pen.fillStyle = '#c9402f';
  pen.fill();
}
