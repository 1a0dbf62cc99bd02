/** The simulator against known results: formulas, published values, conservation laws. */

import { describe, expect, test } from 'bun:test';
import { makeRandom } from '../../../../game/src/random.ts';
import { testRuns } from '../../../testing/test-runs.ts';
import { TEST_SEED } from '../../../testing/test-seed.ts';
import type { Ball } from './ball.ts';
import { makeBall, setMotion } from './ball.ts';
import { collideBalls, collideCushion } from './collide.ts';
import { legAt } from './course.ts';
import type { Physics } from './parameters.ts';
import {
  CORNER_MOUTH,
  GRAVITY,
  LENGTH,
  MASS,
  PHYSICS,
  RADIUS,
  SIDE_MOUTH,
  WIDTH,
} from './parameters.ts';
import { checkRandomShots } from './shots.test-kit.ts';
import type { Leg, Placed, Shot } from './simulate.ts';
import { simulate, simulateBalls } from './simulate.ts';
import type { Strike } from './strike.ts';
import type { Pocket } from './table.ts';
import { HALF_WIDTH, MOUTHS, Y_MAX } from './table.ts';

const IDEAL: Physics = {
  ...PHYSICS,
  ballRestitution: 1,
  ballFriction: { base: 0, slope: 0, fall: 0 },
};
const RANDOM_SHOTS = testRuns(10_000);

function moving(n: number, figures: Partial<Ball>): Ball {
  return { ...makeBall(n, 0, 0), ...figures };
}

/** A ball that rolls along x. */
function rolling(n: number, x: number, y: number, speed: number): Ball {
  return moving(n, { x, y, vx: speed, wy: speed / RADIUS });
}

function strikeOf(figures: Partial<Strike>): Strike {
  return { aim: 0, speed: 1, side: 0, follow: 0, elevation: 0, ...figures };
}

function legsOf(shot: Shot, ball: number): readonly Leg[] {
  return shot.courses.find((course) => course.ball === ball)!.legs;
}

/** Angle of a ball's travel to the x axis, degrees. */
function headingOf({ vx, vy }: { readonly vx: number; readonly vy: number }): number {
  return (Math.atan2(vy, vx) * 180) / Math.PI;
}

test('[G-POOL-1] the table, the balls and the cloth have the specified values', () => {
  expect([RADIUS, MASS, GRAVITY]).toEqual([0.028575, 0.170097, 9.81]);
  expect([LENGTH, WIDTH, CORNER_MOUTH, SIDE_MOUTH]).toEqual([1.9812, 0.9906, 0.118, 0.137]);
  const { noseSin, noseCos, spinDecay, ...plain } = PHYSICS;
  expect(plain).toEqual({
    slide: 0.2,
    roll: 0.01,
    ballRestitution: 0.95,
    ballFriction: { base: 9.951e-3, slope: 0.108, fall: 1.088 },
    cushionRestitution: 0.85,
    cushionFriction: 0.2,
  });
  // The nose is at 0.64 of the diameter.
  expect(RADIUS + noseSin * RADIUS).toBeCloseTo(0.64 * 2 * RADIUS, 15);
  expect(noseSin * noseSin + noseCos * noseCos).toBeCloseTo(1, 15);
  expect(spinDecay).toBeCloseTo((5 * (4 / 9) * RADIUS * 9.81) / (2 * RADIUS), 12);
});

describe('one ball', () => {
  test('[G-POOL-1] sliding ends at 2v/(7 mu g), after 12v²/(49 mu g), with 5/7 of the speed', () => {
    for (const speed of [0.5, 1, 2]) {
      const shot = simulate([{ n: 0, x: -0.9, y: 0.1 }], strikeOf({ speed }));
      const [slide, roll] = legsOf(shot, 0) as [Leg, Leg];
      const force = PHYSICS.slide * GRAVITY;
      expect([slide.motion, roll.motion]).toEqual(['slide', 'roll']);
      expect(roll.t).toBeCloseTo((2 * speed) / (7 * force), 12);
      expect(roll.x + 0.9).toBeCloseTo((12 * speed * speed) / (49 * force), 12);
      expect(roll.vx).toBeCloseTo((5 / 7) * speed, 12);
      expect(roll.wy * RADIUS).toBeCloseTo(roll.vx, 12);
    }
    const [, roll] = legsOf(simulate([{ n: 0, x: -0.9, y: 0 }], strikeOf({ speed: 2 })), 0);
    expect(roll!.t).toBeCloseTo(0.291248, 6);
    expect(roll!.x + 0.9).toBeCloseTo(0.499282, 6);
  });

  test('[G-POOL-1] a ball of 2 m/s rolls for 10.4017 m in 14.5624 s, then stops', () => {
    const ball = rolling(0, 0, 0, (5 / 7) * 2);
    setMotion(ball, PHYSICS);
    expect(ball.until).toBeCloseTo(14.5624, 4);
    const end = legAt({ ...ball }, ball.until);
    expect(end.x).toBeCloseTo(10.401714, 6);
    expect(end.vx).toBeCloseTo(0, 12);
  });

  test('[G-POOL-2] struck 2/5 of the radius above its middle it rolls at once', () => {
    const before = [{ n: 0, x: 0, y: 0 }];
    for (const aim of [0, 1, -2.5]) {
      const struck = strikeOf({ aim, follow: 0.4 * RADIUS });
      expect(legsOf(simulate(before, struck), 0)[0]!.motion).toBe('roll');
      for (const follow of [0.39 * RADIUS, 0.41 * RADIUS]) {
        expect(legsOf(simulate(before, { ...struck, follow }), 0)[0]!.motion).toBe('slide');
      }
    }
  });

  test('[G-POOL-2] spinning in place ends after w / (5 mu_sp g / 2R), with mu_sp = 4/9 R', () => {
    const shot = simulateBalls([moving(0, { wz: -30 })]);
    const rate = (5 * (4 / 9) * RADIUS * GRAVITY) / (2 * RADIUS);
    expect(shot.duration).toBeCloseTo(30 / rate, 12);
    expect(shot.events.map((event) => event.kind === 'motion' && event.to)).toEqual(['rest']);
  });

  test('[G-POOL-2] a level cue sends a ball straight; a raised one with side makes it swerve', () => {
    const before = [{ n: 0, x: -0.9, y: 0 }];
    const side = 0.4 * RADIUS;
    const level = legsOf(simulate(before, strikeOf({ side })), 0);
    expect(level.every(({ y }) => y === 0)).toBe(true);
    // English on the right curves to the right.
    const raised = legsOf(simulate(before, strikeOf({ side, elevation: 0.5 })), 0);
    expect(raised[1]!.y).toBeLessThan(-1e-3);
    expect(headingOf(raised[1]!)).toBeLessThan(-1);
  });
});

describe('ball and ball', () => {
  /** The cue ball with speed 1 against a ball at rest, off-centre by a share of the diameter. */
  function hit(physics: Physics, off: number, cue: Partial<Ball> = {}): readonly [Ball, Ball] {
    const apart = 2 * RADIUS;
    const a = moving(0, { vx: 1, ...cue });
    const b = moving(1, { x: apart * Math.sqrt(1 - off * off), y: apart * off });
    collideBalls(a, b, physics);
    return [a, b];
  }

  test('[G-POOL-3] head-on the balls leave with (1-e)/2 and (1+e)/2 of the speed', () => {
    for (const ballRestitution of [1, 0.95, 0.5, 0]) {
      const [a, b] = hit({ ...PHYSICS, ballRestitution }, 0);
      expect(a.vx).toBeCloseTo((1 - ballRestitution) / 2, 15);
      expect(b.vx).toBeCloseTo((1 + ballRestitution) / 2, 15);
      expect([a.vy, b.vy]).toEqual([0, 0]);
    }
  });

  test('[G-POOL-3] without spin, friction and loss the balls part at 90 degrees', () => {
    for (const off of [0.1, 0.5, 0.9, -0.3]) {
      const [a, b] = hit(IDEAL, off);
      expect(a.vx * b.vx + a.vy * b.vy).toBeCloseTo(0, 15);
      expect(Math.asin(off)).toBeCloseTo((headingOf(b) * Math.PI) / 180, 12);
    }
  });

  test('[G-POOL-3] a rolling ball that hits half full continues at 33.67 degrees', () => {
    const cue = rolling(0, -0.2, 0, 1);
    const shot = simulateBalls([cue, makeBall(1, 0, RADIUS)], { physics: IDEAL });
    const hitAt = shot.events.find(({ kind }) => kind === 'contact')!.t;
    const roll = legsOf(shot, 0).find(({ motion, t }) => motion === 'roll' && t > hitAt)!;
    const cut = Math.PI / 6;
    const ideal = Math.atan((Math.sin(cut) * Math.cos(cut)) / (Math.sin(cut) ** 2 + 2 / 5));
    expect(-headingOf(roll)).toBeCloseTo((ideal * 180) / Math.PI, 9);
    expect(-headingOf(roll)).toBeCloseTo(33.67, 2);
  });

  test('[G-POOL-3] a rolling ball head-on: both roll in the end, with 2/7 and 5/7 of its speed', () => {
    const balls = [rolling(0, -0.3, 0, 0.8), makeBall(1, 0, 0)];
    const shot = simulateBalls(balls, { physics: IDEAL });
    const contact = shot.events.find(({ kind }) => kind === 'contact')!.t;
    const speed = legAt(legsOf(shot, 0)[0]!, contact).vx;
    const rolls = [0, 1].map((ball) =>
      legsOf(shot, ball).find(({ motion, t }) => motion === 'roll' && t > contact),
    );
    expect(rolls[0]!.vx / speed).toBeCloseTo(2 / 7, 9);
    expect(rolls[1]!.vx / speed).toBeCloseTo(5 / 7, 9);
  });

  test('[G-POOL-4] friction throws the object ball, more at lower speeds; gearing spin does not', () => {
    const off = 0.5;
    const line = (Math.asin(off) * 180) / Math.PI;
    const thrown = (cue: Partial<Ball>) => line - headingOf(hit(PHYSICS, off, cue)[1]);
    expect(thrown({})).toBeGreaterThan(1);
    expect(thrown({ vx: 0.5 })).toBeGreaterThan(thrown({ vx: 5 }));
    // The spin with which the two surfaces roll on one another.
    const gearing = off / RADIUS;
    expect(thrown({ wz: gearing })).toBeCloseTo(0, 9);
    expect(thrown({ wz: 2 * gearing })).toBeLessThan(-1);
    const [, b] = hit(PHYSICS, off, {});
    expect(Math.abs(b.wz)).toBeGreaterThan(1);
  });

  test('[G-POOL-4] a hit at 89.999 degrees is a hit, and as much on the other side a miss', () => {
    const contacts = (angle: number) => {
      const other = makeBall(1, 0, 2 * RADIUS * Math.sin((angle * Math.PI) / 180));
      const shot = simulateBalls([rolling(0, -0.3, 0, 1), other]);
      return shot.events.filter(({ kind }) => kind === 'contact').length;
    };
    expect(contacts(89.999)).toBe(1);
    const passing = makeBall(1, 0, 2 * RADIUS * (1 + 1.5e-10));
    const passed = simulateBalls([rolling(0, -0.3, 0, 1), passing]);
    expect(passed.events.some(({ kind }) => kind === 'contact')).toBe(false);
  });
});

describe('ball and cushion', () => {
  test('[G-POOL-5] a ball without spin and friction keeps 1 - (1 + e) cos² of its speed, reversed', () => {
    const ball = moving(0, { vy: 2 });
    collideCushion(ball, 0, 1, RADIUS, { ...PHYSICS, cushionFriction: 0 });
    expect(ball.vy).toBeCloseTo(2 * (1 - 1.85 * (1 - 0.28 * 0.28)), 12);
    expect([ball.vx, ball.wx, ball.wy, ball.wz]).toEqual([0, 0, 0, 0]);
  });

  test('[G-POOL-5] side spin widens or narrows the rebound', () => {
    const rebound = (wz: number) => {
      const ball = moving(0, { vx: 1, vy: 1, wx: -1 / RADIUS, wy: 1 / RADIUS, wz });
      collideCushion(ball, 0, 1, RADIUS, PHYSICS);
      return ball.vx / -ball.vy;
    };
    expect(rebound(30)).toBeGreaterThan(rebound(0));
    expect(rebound(0)).toBeGreaterThan(rebound(-30));
  });

  test('[G-POOL-5] a ball pressed against a cushion by its spin comes to rest there', () => {
    const ball = moving(0, { x: 0.3, y: Y_MAX, wx: -150 });
    const shot = simulateBalls([ball]);
    expect(shot.end).toBe('rest');
    expect(shot.after[0]!.y).toBeGreaterThan(Y_MAX - 0.2);
    expect(shot.events.length).toBeLessThan(2_000);
  });
});

describe('pockets', () => {
  const far: Readonly<Record<Pocket, readonly [number, number]>> = {
    'head-left': [-0.7, 0.25],
    'side-left': [0, 0.1],
    'foot-left': [0.7, 0.25],
    'foot-right': [0.7, -0.25],
    'side-right': [0, -0.1],
    'head-right': [-0.7, -0.25],
  };

  test('[G-POOL-6] a ball aimed at the middle of a mouth falls, slow or fast', () => {
    for (const { pocket, x, y } of MOUTHS) {
      const [fromX, fromY] = far[pocket];
      const aim = Math.atan2(y - fromY, x - fromX);
      for (const speed of [1, 4, 12]) {
        const shot = simulate([{ n: 0, x: fromX, y: fromY }], strikeOf({ aim, speed }));
        expect(shot.after, `${pocket} at ${speed}`).toEqual([]);
        const at = shot.events.flatMap((event) => (event.kind === 'pocket' ? [event.at] : []));
        expect(at).toEqual([pocket]);
      }
    }
  });

  test('[G-POOL-6] along the rail it falls with a little room, and rattles in the jaws without', () => {
    const along = (gap: number, speed: number) =>
      simulate([{ n: 0, x: 0.3, y: Y_MAX - gap }], strikeOf({ speed }));
    expect(along(2e-3, 1.2).after).toEqual([]);
    const jaws = along(0.03, 6).events.filter(
      (event) => event.kind === 'cushion' && event.at === 'foot-left',
    );
    expect(jaws.length).toBeGreaterThan(0);
  });

  test('[G-POOL-6] a ball may come to rest in a mouth, and stays on the table', () => {
    const slow = simulate([{ n: 0, x: 0, y: 0.4 }], strikeOf({ aim: Math.PI / 2, speed: 0.17 }));
    expect(slow.after.length).toBe(1);
    expect(slow.after[0]!.y).toBeGreaterThan(Y_MAX);
    expect(slow.after[0]!.y).toBeLessThan(HALF_WIDTH + 0.01);
  });
});

describe('any shot', () => {
  test(`[G-POOL-7] energy never rises and no ball is lost in ${RANDOM_SHOTS} random shots (seed ${TEST_SEED})`, () => {
    const random = makeRandom(`${TEST_SEED}`, () => 'pool shots', 0);
    checkRandomShots(RANDOM_SHOTS, random);
  }, 60_000);

  test('[G-POOL-7] a shot with too many events is stopped, and reports it', () => {
    const before: readonly Placed[] = [
      { n: 0, x: -0.5, y: 0 },
      { n: 1, x: 0.1, y: 0.01 },
    ];
    const shot = simulate(before, strikeOf({ speed: 5 }), { eventsMax: 4 });
    expect([shot.end, shot.events.length]).toEqual(['event_cap', 4]);
    for (const { legs } of shot.courses) expect(legs.at(-1)!.motion).toBe('rest');
    expect(shot.after.map(({ n }) => n)).toEqual([0, 1]);
    expect(shot.duration).toBe(shot.events.at(-1)!.t);
  });
});
