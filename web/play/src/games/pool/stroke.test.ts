/** Tests of the stroke of pool: where the cue can be grabbed, the power of a pull, and fine turns. */

import { expect, test } from 'bun:test';
import { isOnCue, PULL_FULL_PX, powerOfPull, turnOfFinger, turnOfWheel } from './stroke.ts';

const BALL = [100, 100] as const;
const BUTT = [0, 100] as const;

test('[WEB] pool: the cue is grabbed behind the ball, not on it, in front of it or far beside it', () => {
  expect(isOnCue([50, 110], BALL, BUTT, 8)).toBe(true);
  expect(isOnCue([97, 100], BALL, BUTT, 8)).toBe(false);
  expect(isOnCue([150, 100], BALL, BUTT, 8)).toBe(false);
  expect(isOnCue([50, 121], BALL, BUTT, 8)).toBe(false);
  expect(isOnCue([-5, 100], BALL, BUTT, 8)).toBe(false);
});

test('[WEB] pool: the pull along the cue determines the power; a tap, a push or a sideways move has none', () => {
  const from = [60, 100] as const;
  expect(powerOfPull(from, [60 - PULL_FULL_PX / 2, 130], BALL, BUTT)).toBe(0.5);
  expect(powerOfPull(from, [-900, 100], BALL, BUTT)).toBe(1);
  expect(powerOfPull(from, [55, 100], BALL, BUTT)).toBeNull();
  expect(powerOfPull(from, [90, 100], BALL, BUTT)).toBeNull();
  expect(powerOfPull(from, [60, 300], BALL, BUTT)).toBeNull();
});

test('[WEB] pool: wheel and second finger turn finely, whatever unit the browser reports', () => {
  expect(turnOfWheel({ deltaY: 3, deltaMode: 1 })).toBe(turnOfWheel({ deltaY: 48, deltaMode: 0 }));
  expect(turnOfWheel({ deltaY: 100, deltaMode: 0 })).toBeCloseTo(0.004);
  expect(turnOfWheel({ deltaY: 1e9, deltaMode: 0 })).toBeCloseTo(0.008);
  expect(Math.sign(turnOfFinger(10))).toBe(-1);
});
