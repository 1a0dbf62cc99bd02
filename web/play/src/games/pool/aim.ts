/** The first contact of a shot, from the game's own simulation, and where a ball in hand may be placed. Pure. */

import type { Path } from '../../../../../src/games/pool/motion.ts';
import { makeMotion, placeOnPath } from '../../../../../src/games/pool/motion.ts';
import { RADIUS } from '../../../../../src/games/pool/physics/parameters.ts';
import { simulate } from '../../../../../src/games/pool/physics/simulate.ts';
import type { Strike } from '../../../../../src/games/pool/physics/strike.ts';
import {
  HEAD_STRING_X,
  MOUTHS,
  type Pocket,
  X_MAX,
  Y_MAX,
} from '../../../../../src/games/pool/physics/table.ts';
import type { InHand, Place } from '../../../../../src/games/pool/rack.ts';
import { refusePlace } from '../../../../../src/games/pool/rack.ts';
import type { Ball } from './view.ts';

export interface Prediction {
  /** The cue ball's path until it meets a ball, points in metres. */
  readonly path: readonly Place[];
  /** The object ball, with the direction in which it leaves; null when none is hit. */
  readonly contact: { readonly ball: Ball; readonly dx: number; readonly dy: number } | null;
  /** The paths of the cue ball and of the object ball after the contact, if requested. */
  readonly after: readonly (readonly Place[])[];
}

/** More events than a cue ball has on its way to the first ball. */
const EVENTS_MAX = 14;
const POINTS = 40;
/** More events than the two balls need for the paths that are shown. */
const EVENTS_AFTER_MAX = 60;
/** The shown length of the paths after the contact, m. */
const AFTER_LENGTH = 0.9;
const AFTER_STEP = 0.02;

export function predict(balls: readonly Ball[], strike: Strike, withAfter = false): Prediction {
  const eventsMax = withAfter ? EVENTS_AFTER_MAX : EVENTS_MAX;
  const shot = simulate(balls, strike, { eventsMax });
  const contact = shot.events.find((event) => event.kind === 'contact');
  const { paths } = makeMotion(shot);
  const path = paths.find(([ball]) => ball === 0);
  if (path === undefined) return { path: [], contact: null, after: [] };
  const end = contact?.t ?? shot.duration;
  const points = Array.from({ length: POINTS + 1 }, (_, n) =>
    placeOnPath(path, (end * n) / POINTS),
  );
  const [x, y] = points.at(-1)!;
  const ball = contact?.balls
    .map((n) => balls.find((each) => each.n === n))
    .find((each) => each?.n);
  if (ball === undefined) return { path: points, contact: null, after: [] };
  const far = Math.sqrt((ball.x - x) ** 2 + (ball.y - y) ** 2);
  const hit = { ball, dx: (ball.x - x) / far, dy: (ball.y - y) / far };
  const times = shot.events.map(({ t }) => t);
  const after = withAfter
    ? paths
        .filter(([n]) => n === 0 || n === ball.n)
        .map((each) => pathAfter(each, end, shot.duration, times))
    : [];
  return { path: points, contact: hit, after };
}

/** A ball's path from a time on, with a point at every event, so that bounces are sharp. */
function pathAfter(
  path: Path,
  from: number,
  until: number,
  events: readonly number[],
): readonly Place[] {
  const even = Array.from(
    { length: Math.ceil((until - from) / AFTER_STEP) },
    (_, n) => from + n * AFTER_STEP,
  );
  const times = [...even, ...events.filter((t) => t > from), until].sort((a, b) => a - b);
  const points: Place[] = [];
  let length = 0;
  for (const time of times) {
    const point = placeOnPath(path, time);
    const [x, y] = points.at(-1) ?? point;
    length += Math.sqrt((point[0] - x) ** 2 + (point[1] - y) ** 2);
    if (length > AFTER_LENGTH) break;
    points.push(point);
  }
  return points;
}

/** The pocket nearest to a ball's direction. */
export function pocketAhead({ x, y }: Ball, dx: number, dy: number): Pocket {
  const missed = MOUTHS.map(({ pocket, x: toX, y: toY }) => {
    const far = Math.sqrt((toX - x) ** 2 + (toY - y) ** 2);
    return { pocket, cos: ((toX - x) * dx + (toY - y) * dy) / far };
  });
  return missed.reduce((best, each) => (each.cos > best.cos ? each : best)).pocket;
}

/** The allowed place nearest to the wanted one for the cue ball; null when there is none near. */
export function placeNear(balls: readonly Ball[], wanted: Place, inHand: InHand): Place | null {
  const table: (Place | null)[] = [null];
  for (const { n, x, y } of balls) if (n > 0) table[n] = [x, y];
  const filled = Array.from(table, (place) => place ?? null);
  const xMost = inHand === 'behind_head_string' ? HEAD_STRING_X - 1e-6 : X_MAX;
  const clamp = (value: number, low: number, high: number): number =>
    Math.min(high, Math.max(low, value));
  const at: Place = [clamp(wanted[0], -X_MAX, xMost), clamp(wanted[1], -Y_MAX, Y_MAX)];
  for (let ring = 0; ring <= 8; ring += 1) {
    for (let step = 0; step < Math.max(1, ring * 8); step += 1) {
      const angle = (step / Math.max(1, ring * 8)) * 2 * Math.PI;
      const off = (ring * RADIUS) / 2;
      const place: Place = [
        clamp(at[0] + off * Math.cos(angle), -X_MAX, xMost),
        clamp(at[1] + off * Math.sin(angle), -Y_MAX, Y_MAX),
      ];
      if (refusePlace(filled, place, inHand) === null) return place;
    }
  }
  return null;
}
