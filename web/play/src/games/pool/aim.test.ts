/** Tests of the aim preview: the first contact of a shot, and the paths after it. */

import { expect, test } from 'bun:test';
import { predict } from './aim.ts';

const BALLS = [
  { n: 0, x: -0.3, y: 0 },
  { n: 5, x: 0.2, y: 0.03 },
];
const STRIKE = { aim: 0, speed: 2, side: 0, follow: 0, elevation: 0 };

test('[WEB] the paths after the contact are computed only on request', () => {
  expect(predict(BALLS, STRIKE).after).toEqual([]);
  const { contact, after } = predict(BALLS, STRIKE, true);
  expect(contact!.ball.n).toBe(5);
  expect(after).toHaveLength(2);
  for (const way of after) {
    const length = way
      .slice(1)
      .reduce((sum, [x, y], n) => sum + Math.hypot(x - way[n]![0], y - way[n]![1]), 0);
    expect(length).toBeGreaterThan(0.05);
    expect(length).toBeLessThanOrEqual(0.9);
  }
  // The object ball leaves in the direction of the short line.
  const [x0, y0] = after[1]![0]!;
  const [x1, y1] = after[1]![5]!;
  const far = Math.hypot(x1 - x0, y1 - y0);
  expect((x1 - x0) / far).toBeCloseTo(contact!.dx, 1);
  expect((y1 - y0) / far).toBeCloseTo(contact!.dy, 1);
});

test('[WEB] a shot without a contact has no path after it', () => {
  expect(predict(BALLS, { ...STRIKE, aim: Math.PI / 2 + 0.01, speed: 0.3 }, true).after).toEqual(
    [],
  );
});

/** A ball's initial direction, within 0.16 s, before anything returns from a cushion: a unit vector, and the distance, m. */
function headingOf(way: readonly (readonly [number, number])[]) {
  const [first, last] = [way[0]!, way[Math.min(8, way.length - 1)]!];
  const far = Math.hypot(last[0] - first[0], last[1] - first[1]);
  return { x: (last[0] - first[0]) / far, y: (last[1] - first[1]) / far, far };
}

/** A stun shot: slightly low and hard, so that the cue ball still slides when it meets the object ball. */
const STUN = { aim: 0, speed: 3, side: 0, follow: -0.004, elevation: 0 };

test('[WEB] a full hit with stun stops the cue ball and sends the object ball straight on', () => {
  const straight = [
    { n: 0, x: -0.3, y: 0 },
    { n: 5, x: 0.1, y: 0 },
  ];
  const [cue, object] = predict(straight, STUN, true).after.map(headingOf);
  expect(cue!.far).toBeLessThan(0.02);
  expect(object!.far).toBeGreaterThan(0.3);
  expect(object!.x).toBeCloseTo(1, 3);
});

test('[WEB] after a cut with stun both balls part at a right angle, the object ball along the line of centres', () => {
  const cut = [
    { n: 0, x: -0.3, y: 0 },
    { n: 5, x: 0.1, y: 0.03 },
  ];
  const { contact, after } = predict(cut, STUN, true);
  const [cue, object] = after.map(headingOf);
  // Friction between the balls deflects them by a few degrees.
  expect(object!.x * contact!.dx + object!.y * contact!.dy).toBeGreaterThan(Math.cos(0.1));
  expect(Math.abs(cue!.x * object!.x + cue!.y * object!.y)).toBeLessThan(0.15);
  expect(cue!.y).toBeLessThan(0);
});

test('[WEB] after a full hit the cue ball goes on with follow and comes back with draw', () => {
  const straight = [
    { n: 0, x: -0.3, y: 0 },
    { n: 5, x: 0.1, y: 0 },
  ];
  const cueAfter = (follow: number) =>
    headingOf(predict(straight, { ...STUN, follow }, true).after[0]!);
  expect(cueAfter(0.012).x).toBeCloseTo(1, 3);
  expect(cueAfter(-0.013).x).toBeCloseTo(-1, 3);
});
