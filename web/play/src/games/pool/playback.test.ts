/** Tests of the balls' positions during the playback of a shot. */

import { expect, test } from 'bun:test';
import { makeMotion } from '../../../../../src/games/pool/motion.ts';
import { simulate } from '../../../../../src/games/pool/physics/simulate.ts';
import { HEAD_STRING_X } from '../../../../../src/games/pool/physics/table.ts';
import { placeNear, pocketAhead, predict } from './aim.ts';
import { ballsAt, fallsOf, roll, UPRIGHT } from './playback.ts';
import { makeProjection } from './projection.ts';
import { needsCall, ownBalls, readView } from './view.ts';

const BALLS = [
  { n: 0, x: 0, y: 0.1 },
  { n: 3, x: 0, y: 0.4 },
  { n: 9, x: 0.5, y: -0.2 },
];
const STRIKE = { aim: Math.PI / 2, speed: 1.5, side: 0, follow: -0.008, elevation: 0 };

/** The view after the shot at ball 3, which falls into the left side pocket. */
function viewAfter() {
  const shot = simulate(BALLS, STRIKE);
  return readView({
    variant: 'eightball',
    callPocket: 'all',
    balls: shot.after,
    groups: ['solids', 'stripes'],
    shots: 1,
    last: {
      seat: 0,
      before: BALLS.slice(0, 2),
      pocketed: [{ ball: 3, pocket: 'side-left' }],
      scratched: null,
      foul: null,
      motion: makeMotion(shot),
    },
  });
}

test('[WEB] a shot is drawn from the old positions of the balls to the new ones, without those that fell', () => {
  const view = viewAfter();
  const last = view.last!;
  expect(ballsAt(view, last, 0)).toEqual(BALLS);
  const half = ballsAt(view, last, 0.15).find(({ n }) => n === 0)!;
  expect(half.y).toBeGreaterThan(0.2);
  const end = ballsAt(view, last, last.duration + 0.01);
  expect(end.map(({ n }) => n)).toEqual([0, 9]);
  expect(end[0]!.y).toBeCloseTo(view.balls.find(({ n }) => n === 0)!.y, 4);
  expect(fallsOf(last)).toHaveLength(1);
});

test('[WEB] the ghost ball is where the cue ball meets the first ball, and the pocket behind it is suggested', () => {
  const { path, contact } = predict(BALLS, STRIKE);
  expect(contact?.ball.n).toBe(3);
  expect(path.at(-1)![1]).toBeCloseTo(0.4 - 2 * 0.028575, 3);
  expect(pocketAhead(contact!.ball, contact!.dx, contact!.dy)).toBe('side-left');
  const noContact = predict([BALLS[0]!], { ...STRIKE, aim: 0, speed: 0.2 });
  expect(noContact.contact).toBeNull();
});

test('[WEB] a cue ball in hand is placed at an allowed position near the wanted one', () => {
  const place = placeNear(BALLS, [0.6, 0], 'behind_head_string')!;
  expect(place[0]).toBeLessThan(HEAD_STRING_X);
  const beside = placeNear(BALLS, [0, 0.4], 'anywhere')!;
  expect(Math.hypot(beside[0], beside[1] - 0.4)).toBeGreaterThanOrEqual(2 * 0.028575);
  expect(Math.hypot(beside[0], beside[1] - 0.4)).toBeLessThan(0.1);
});

test('[WEB] the player’s balls are the group, then the 8; in nineball the lowest', () => {
  const view = viewAfter();
  expect(ownBalls(view, 1).map(({ n }) => n)).toEqual([9]);
  expect(needsCall(view, 1)).toBe(true);
  const nine = readView({ variant: 'nineball', balls: [...BALLS, { n: 1, x: 0.2, y: 0 }] });
  expect(ownBalls(nine, 0).map(({ n }) => n)).toEqual([1]);
  expect(needsCall(nine, 0)).toBe(false);
});

test('[WEB] pixels and metres convert back and forth, on a horizontal and an upright table', () => {
  for (const [width, height] of [
    [700, 400],
    [300, 500],
  ] as const) {
    const at = makeProjection(width, height);
    const [x, y] = at.toTable(...at.toPixels(0.3, -0.2));
    expect([x, y].map((each) => Math.round(each * 1e9))).toEqual([3e8, -2e8]);
  }
  const whole = 2 * Math.PI * 0.028575;
  expect(roll(UPRIGHT, whole, 0).number[2]).toBeCloseTo(1, 9);
  expect(roll(UPRIGHT, whole / 2, 0).number[2]).toBeCloseTo(-1, 9);
});

test('[WEB] an invalid view is an empty table', () => {
  for (const junk of [null, 4, {}, { balls: [{ n: 99 }], last: { seat: 7 }, inHand: 'x' }]) {
    const view = readView(junk);
    expect([view.balls, view.last, view.inHand, view.choices]).toEqual([[], null, null, []]);
  }
  const odd = readView({ last: { seat: 0, motion: { paths: [[1, 2], 'x', [0, 0, 0, 0, 'y']] } } });
  expect(odd.last?.paths).toEqual([]);
});
