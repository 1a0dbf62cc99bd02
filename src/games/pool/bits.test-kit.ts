/** A hash of many shots, without anything that one engine has and another has not. */

import { hashJson } from '../json.ts';
import { makeRandom } from '../random.ts';
import { RADIUS } from './parameters.ts';
import type { Placed } from './simulate.ts';
import { simulate } from './simulate.ts';
import { X_MAX, Y_MAX } from './table.ts';

const SHOTS = 300;

/** Every bit of every event and every leg counts. */
export function hashOfShots(): string {
  const random = makeRandom('pool bits', () => '0', 0);
  const even = (low: number, high: number) =>
    low + (high - low) * (random.integer(65_537) / 65_536);
  const hashes = Array.from({ length: SHOTS }, () => {
    const balls: Placed[] = [];
    const count = 2 + random.integer(15);
    while (balls.length < count) {
      const x = even(-X_MAX, X_MAX);
      const y = even(-Y_MAX, Y_MAX);
      const isFree = balls.every(
        (ball) => (ball.x - x) * (ball.x - x) + (ball.y - y) * (ball.y - y) > 4 * RADIUS * RADIUS,
      );
      if (isFree) balls.push({ n: balls.length, x, y });
    }
    const shot = simulate(balls, {
      ...{ aim: even(-3, 3), speed: even(0.1, 12), elevation: even(0, 1) },
      ...{ side: even(-0.01, 0.01), follow: even(-0.01, 0.01) },
    });
    return hashJson(JSON.parse(JSON.stringify(shot)));
  });
  return hashJson(hashes);
}
