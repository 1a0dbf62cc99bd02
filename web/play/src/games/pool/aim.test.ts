/** Tests of what a shot would do: what is met first, and the ways from there on. */

import { expect, test } from 'bun:test';
import { predict } from './aim.ts';

const BALLS = [
  { n: 0, x: -0.3, y: 0 },
  { n: 5, x: 0.2, y: 0.03 },
];
const STRIKE = { aim: 0, speed: 2, side: 0, follow: 0, elevation: 0 };

test('[WEB] the ways after the contact are told only where they are asked for', () => {
  expect(predict(BALLS, STRIKE).after).toEqual([]);
  const { met, after } = predict(BALLS, STRIKE, true);
  expect(met!.ball.n).toBe(5);
  expect(after).toHaveLength(2);
  for (const way of after) {
    const length = way
      .slice(1)
      .reduce((sum, [x, y], n) => sum + Math.hypot(x - way[n]![0], y - way[n]![1]), 0);
    expect(length).toBeGreaterThan(0.05);
    expect(length).toBeLessThanOrEqual(0.9);
  }
  // The ball that is met goes off as the short line says.
  const [x0, y0] = after[1]![0]!;
  const [x1, y1] = after[1]![5]!;
  const far = Math.hypot(x1 - x0, y1 - y0);
  expect((x1 - x0) / far).toBeCloseTo(met!.dx, 1);
  expect((y1 - y0) / far).toBeCloseTo(met!.dy, 1);
});

test('[WEB] a shot that meets nothing has no way after it', () => {
  expect(predict(BALLS, { ...STRIKE, aim: Math.PI / 2 + 0.01, speed: 0.3 }, true).after).toEqual(
    [],
  );
});
