/** Tests of the area that a canvas covers: everything that moves, within the view, with few resizes. */

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { makeRandom } from '../../../../../../game/src/random.ts';
import { makeMasher, startFight } from '../../../../../../src/games/fight-arena/fight.test-kit.ts';
import { step } from '../../../../../../src/games/fight-arena/step.ts';
import { TEST_SEED } from '../../../../../../src/testing/test-seed.ts';
import { bodyBox, boxAround, makeMovingPart, type Part, unite } from './moving-part.ts';
import { type Point, solve } from './pose.ts';
import { poseOf } from './posture.ts';

const PICTURE = { width: 1_256, height: 554 };
/** Pixels to a millimetre where the camera is nearest. */
const SCALE = 0.158;

test(`[WEB] a canvas covers its box within the view, in whole pixels (seed ${TEST_SEED})`, () => {
  const place = fc.double({ min: -300, max: 1_500, noNaN: true });
  const length = fc.double({ min: 1, max: 1_400, noNaN: true });
  const box = fc.tuple(place, length, place, length);
  fc.assert(
    fc.property(fc.array(box, { minLength: 1, maxLength: 30 }), (boxes) => {
      const moving = makeMovingPart();
      let before: Part = { x: 0, y: 0, width: 0, height: 0 };
      for (const [left, width, low, height] of boxes) {
        const right = left + width;
        const part = moving.cover({ left, right, low, high: low + height }, PICTURE);
        for (const edge of [part.x, part.y]) expect(Number.isInteger(edge)).toBe(true);
        const covers = (from: number, to: number, start: number, size: number, most: number) => {
          expect(start).toBeGreaterThanOrEqual(0);
          expect(start + size).toBeLessThanOrEqual(most);
          expect(start).toBeLessThanOrEqual(Math.max(0, Math.min(most, from)) + 0.5);
          expect(start + size).toBeGreaterThanOrEqual(Math.min(most, Math.max(0, to)) - 0.5);
        };
        covers(left, right, part.x, part.width, PICTURE.width);
        covers(low, low + height, part.y, part.height, PICTURE.height);
        expect(part.width).toBeGreaterThanOrEqual(before.width);
        expect(part.height).toBeGreaterThanOrEqual(before.height);
        before = part;
      }
    }),
    { seed: TEST_SEED },
  );
});

test(`[WEB] a fighter’s canvas covers only a part of the view, whatever the fighter does (seed ${TEST_SEED})`, () => {
  const random = makeRandom(`${TEST_SEED} moving`, () => '', 0);
  const mashers = [makeMasher(random), makeMasher(random)] as const;
  let state = startFight();
  let [width, height] = [0, 0];
  for (let n = 0; n < 3_000 && state.phase === 'fight'; n += 1) {
    state = step(state, [mashers[0](), mashers[1]()]);
    for (const seat of [0, 1] as const) {
      const { x, y, facing } = state.fighters[seat];
      const joints = solve(poseOf(state, seat));
      const box = bodyBox(joints, ([px, py]: Point): Point => [x + px * facing, y + py]);
      // Hair extends farthest from a joint, feet and hands less far.
      expect(box.high).toBeGreaterThanOrEqual(y + joints.head[1] + 305);
      // Toes with their outline, and a fist.
      for (const [tip, around] of [
        [joints.legFar[2], 214],
        [joints.legNear[2], 214],
        [joints.armFar[2], 92],
        [joints.armNear[2], 92],
      ] as const) {
        expect(box.low).toBeLessThanOrEqual(y + tip[1] - around);
        expect(box.left).toBeLessThanOrEqual(x + tip[0] * facing - around);
        expect(box.right).toBeGreaterThanOrEqual(x + tip[0] * facing + around);
      }
      width = Math.max(width, (box.right - box.left) * SCALE);
      height = Math.max(height, (box.high - box.low) * SCALE);
    }
  }
  expect(width * height).toBeLessThan(0.4 * PICTURE.width * PICTURE.height);
});

test('[WEB] a box around points has its margin on every side, and a union contains all boxes', () => {
  const one = boxAround([[3, 4]], 2);
  expect(one).toEqual({ left: 1, right: 5, low: 2, high: 6 });
  expect(unite([one, boxAround([[-9, 20]], 1)])).toEqual({ left: -10, right: 5, low: 2, high: 21 });
});
