/** What a shot did, in terms of the rules. */

import type { Call } from './action.ts';
import { farthest } from './physics/course.ts';
import type { Leg, Placed, Shot, ShotEvent } from './physics/simulate.ts';
import type { Pocket } from './physics/table.ts';
import { HEAD_STRING_X, POCKETS, X_MAX, Y_MAX } from './physics/table.ts';
import type { Place, Table } from './rack.ts';

export interface Facts {
  /** The ball that the cue ball hit first; null if it hit none. */
  readonly first: number | null;
  /** The first ball was behind the head string, and the cue ball had not crossed it before. */
  readonly isBehindString: boolean;
  /** Whether any ball hit a cushion after the first contact, or an object ball fell. */
  readonly isRailed: boolean;
  /** Object balls driven to a cushion. */
  readonly railed: number;
  /** Object balls that fell, in order. */
  readonly pocketed: readonly Call[];
  /** The pocket of the cue ball; null if it did not fall. */
  readonly scratched: Pocket | null;
}

/** The balls of a table in the simulator's form. */
export function placedBalls(table: Table): readonly Placed[] {
  return table.flatMap((place, n) => (place === null ? [] : [{ n, x: place[0], y: place[1] }]));
}

/** The table after a shot. */
export function tableAfter(table: Table, { after }: Shot): Table {
  const places = new Map(after.map(({ n, x, y }) => [n, [x + 0, y + 0] as Place]));
  return table.map((_, n) => places.get(n) ?? null);
}

/** `shot` must have its courses. */
export function readFacts(before: Table, shot: Shot): Facts {
  const { events } = shot;
  const contact = events.findIndex((event) => event.kind === 'contact' && event.balls[0] === 0);
  const met = events[contact];
  const first = met?.kind === 'contact' ? met.balls[1] : null;
  const falls = events.flatMap((event) => (event.kind === 'pocket' ? [event] : []));
  const pocketed = falls.flatMap(({ ball, at }) => (ball === 0 ? [] : [{ ball, pocket: at }]));
  const driven = events.map((event) => isDriven(before, shot, event));
  return {
    first,
    isBehindString: first !== null && staysBehind(before, shot, first, met!.t),
    isRailed:
      pocketed.length > 0 || driven.some((yes, index) => yes && contact >= 0 && index > contact),
    railed: new Set(events.flatMap((event, index) => objectBall(event, driven[index]!))).size,
    pocketed,
    scratched: falls.find(({ ball }) => ball === 0)?.at ?? null,
  };
}

function objectBall(event: ShotEvent, isRail: boolean): readonly number[] {
  return isRail && event.kind === 'cushion' && event.ball !== 0 ? [event.ball] : [];
}

function legsOf({ courses }: Shot, ball: number): readonly Leg[] {
  return courses.find((course) => course.ball === ball)?.legs ?? [];
}

function staysBehind(before: Table, shot: Shot, first: number, time: number): boolean {
  const place = before[first]!;
  return place[0] <= HEAD_STRING_X && farthest(legsOf(shot, 0), 1, 0, time) <= HEAD_STRING_X;
}

/** A ball nearer to a cushion than this counts as frozen to it, m. */
const FROZEN = 1e-5;
/** It has left the cushion once it is this far from it, m. */
const LEFT = 1e-3;

/** Directions into the four cushions. */
const INTO: Readonly<Record<string, Place>> = {
  head: [-1, 0],
  foot: [1, 0],
  left: [0, 1],
  right: [0, -1],
};

/**
 * Whether this event drives a ball to a cushion. A ball frozen to it must have left it first (WPA
 * 8.4). Jaws are cushions.
 */
function isDriven(before: Table, shot: Shot, event: ShotEvent): boolean {
  if (event.kind !== 'cushion') return false;
  if (POCKETS.some((pocket) => pocket === event.at)) return true;
  const [nx, ny] = INTO[event.at]!;
  const [x, y] = before[event.ball]!;
  const room = (nx === 0 ? Y_MAX : X_MAX) - nx * x - ny * y;
  if (room > FROZEN) return true;
  return farthest(legsOf(shot, event.ball), -nx, -ny, event.t) + nx * x + ny * y > LEFT;
}
