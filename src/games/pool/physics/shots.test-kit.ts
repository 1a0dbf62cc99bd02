/** Random shots for tests, and the laws of every shot. */

import { expect } from 'bun:test';
import type { Random } from '../../../../game/src/random.ts';
import { wrongBalls } from '../rack.ts';
import { energyOf, makeBall } from './ball.ts';
import { legAt } from './course.ts';
import { RADIUS } from './parameters.ts';
import type { Leg, Placed, Shot } from './simulate.ts';
import { simulate } from './simulate.ts';
import type { Strike } from './strike.ts';
import { ELEVATION_MAX, OFFSET_MAX, SPEED_MAX, SPEED_MIN } from './strike.ts';
import { X_MAX, Y_MAX } from './table.ts';

/** A number from 0 to below 1. */
export function fraction(random: Random): number {
  return random.integer(2 ** 32) / 2 ** 32;
}

function between(low: number, high: number, random: Random): number {
  return low + (high - low) * fraction(random);
}

/** Two to sixteen balls anywhere on the bed, none overlapping. */
export function randomTable(random: Random): readonly Placed[] {
  const balls: Placed[] = [];
  const count = 2 + random.integer(15);
  while (balls.length < count) {
    const x = between(-X_MAX, X_MAX, random);
    const y = between(-Y_MAX, Y_MAX, random);
    if (balls.every((ball) => (ball.x - x) ** 2 + (ball.y - y) ** 2 > 4 * RADIUS * RADIUS)) {
      balls.push({ n: balls.length, x, y });
    }
  }
  return balls;
}

/** Any strike within its bounds; half of them with a level cue. */
export function randomStrike(random: Random): Strike {
  const angle = between(-Math.PI, Math.PI, random);
  const offset = OFFSET_MAX * Math.sqrt(fraction(random));
  return {
    aim: between(-Math.PI, Math.PI, random),
    speed: between(SPEED_MIN, SPEED_MAX, random),
    side: offset * Math.cos(angle),
    follow: offset * Math.sin(angle),
    elevation: random.integer(2) === 0 ? 0 : between(0, ELEVATION_MAX, random),
  };
}

/** Plays random shots and checks the laws of each. Returns the most events of one. */
export function checkRandomShots(count: number, random: Random): number {
  let most = 0;
  for (let number = 0; number < count; number += 1) {
    const before = randomTable(random);
    const strike = randomStrike(random);
    const shot = simulate(before, strike);
    try {
      checkShot(before, shot);
    } catch (error) {
      throw new Error(`shot ${number}: ${JSON.stringify({ before, strike })}: ${error}`);
    }
    if (shot.events.length > most) most = shot.events.length;
  }
  return most;
}

/** Checks the laws of every shot. */
export function checkShot(before: readonly Placed[], shot: Shot): void {
  expect(shot.end).toBe('rest');
  checkEnergy(shot);
  checkPlaces(before, shot);
}

/** Rounding of a shot's energy, as a share of it, and J per kg. */
const SHARE = 1e-12;
const JOULES = 1e-13;

/** At every event, the balls that it changes have no more energy after it than before. */
function checkEnergy({ courses }: Shot): void {
  const changes = new Map<number, number>();
  for (const { ball, legs } of courses) {
    for (const [index, leg] of legs.entries()) {
      const previous = legs[index - 1];
      if (previous === undefined && ball === 0) continue; // The strike.
      const had = previous === undefined ? 0 : energyOfLeg(legAt(previous, leg.t));
      const gained = energyOfLeg(leg) - had;
      changes.set(leg.t, (changes.get(leg.t) ?? 0) + gained - SHARE * had);
    }
  }
  for (const [time, gained] of changes) {
    if (gained > JOULES) throw new Error(`${gained} J/kg gained at ${time} s`);
  }
}

function energyOfLeg(leg: Leg): number {
  return energyOf({ ...makeBall(0, 0, 0), ...leg });
}

/** No ball is lost, none overlaps another or a cushion, and all are at rest. */
function checkPlaces(before: readonly Placed[], { after, courses, events }: Shot): void {
  const down = events.flatMap((event) => (event.kind === 'pocket' ? [event.ball] : []));
  const left = after.map(({ n }) => n);
  expect([...left, ...down].sort((a, b) => a - b)).toEqual(before.map(({ n }) => n));
  // The check of `matchd shot` on its input: a shot can start from the end of another.
  expect(wrongBalls(after)).toBeNull();
  for (const { legs } of courses) expect(['rest', 'down']).toContain(legs.at(-1)!.motion);
}
