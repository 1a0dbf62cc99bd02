/** An unsteady hand: how an intended shot is actually played. */

import type { Random } from '../../../game/src/random.ts';
import type { ShotAction } from './action.ts';
import { AIM_MAX, ELEVATION_MAX, OFFSET_MAX, SPEED_MAX, SPEED_MIN } from './physics/strike.ts';

/**
 * Standard deviations of one unit of unsteadiness (FastFiz, as in the computer olympiads): 0.1 and
 * 0.125 degrees, half a millimetre, and 0.075 m/s at a speed of 4.5 m/s.
 */
const AIM_RAD = 0.00218;
const ELEVATION_RAD = 0.00175;
const OFFSET_M = 0.0005;
const SPEED_SHARE = 0.017;

const STEPS = 2 ** 16;

/** Nearly normal, with deviation 1 and never beyond 3.5: the sum of four uniform values. */
function deviation(random: Random): number {
  let sum = 0;
  for (let n = 0; n < 4; n += 1) sum += random.integer(STEPS) / STEPS - 0.5;
  return sum * Math.sqrt(3);
}

function clamp(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value;
}

/** The shot as played by a hand with that many units of unsteadiness. It stays legal. */
export function shake(action: ShotAction, units: number, random: Random): ShotAction {
  if (units === 0) return action;
  const { aim, speed, side, follow, elevation } = action.shot;
  const shaken = {
    aim: clamp(aim + units * AIM_RAD * deviation(random), -AIM_MAX, AIM_MAX),
    speed: clamp(speed * (1 + units * SPEED_SHARE * deviation(random)), SPEED_MIN, SPEED_MAX),
    side: side + units * OFFSET_M * deviation(random),
    follow: follow + units * OFFSET_M * deviation(random),
    elevation: clamp(elevation + units * ELEVATION_RAD * deviation(random), 0, ELEVATION_MAX),
  };
  const offset = Math.sqrt(shaken.side * shaken.side + shaken.follow * shaken.follow);
  // Slightly inside the bound, so that rounding keeps it legal.
  const scale = offset > OFFSET_MAX ? (OFFSET_MAX * 0.999) / offset : 1;
  const shot = { ...shaken, side: shaken.side * scale + 0, follow: shaken.follow * scale + 0 };
  return { ...action, shot };
}
