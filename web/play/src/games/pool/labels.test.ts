/** Tests of the numbers next to small balls: they cover no ball and stay on the canvas. */

import { expect, test } from 'bun:test';
import { placeLabels } from './labels.ts';

const RADIUS = 5;

test('[WEB] a single ball has its number above to the right, and the cue ball has none', () => {
  const [label, ...more] = placeLabels(
    [
      { n: 0, x: 20, y: 20 },
      { n: 9, x: 100, y: 50 },
    ],
    RADIUS,
    200,
    100,
  );
  expect(more).toEqual([]);
  expect(label!.n).toBe(9);
  expect(label!.x).toBeGreaterThan(100);
  expect(label!.y).toBeLessThan(50);
});

test('[WEB] a number is placed where it overlaps no ball and no edge', () => {
  // A neighbour above to the right, and the upper edge above.
  const balls = [
    { n: 4, x: 100, y: 9 },
    { n: 12, x: 110, y: 4 },
  ];
  const label = placeLabels(balls, RADIUS, 200, 100).find(({ n }) => n === 4)!;
  expect(label.y).toBeGreaterThan(9);
});

test('[WEB] in a cluster of balls no number covers a ball or another number', () => {
  const balls = Array.from({ length: 15 }, (_, index) => ({
    n: index + 1,
    x: 60 + (index % 5) * 11,
    y: 40 + Math.floor(index / 5) * 11,
  }));
  const labels = placeLabels(balls, RADIUS, 200, 120);
  expect(labels.length).toBeGreaterThan(4);
  for (const [index, { x, y }] of labels.entries()) {
    for (const ball of balls) expect(Math.hypot(ball.x - x, ball.y - y)).toBeGreaterThan(RADIUS);
    for (const other of labels.slice(index + 1)) {
      expect(Math.abs(other.x - x) >= 14 || Math.abs(other.y - y) >= 12).toBe(true);
    }
  }
});
