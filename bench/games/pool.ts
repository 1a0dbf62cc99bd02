/**
 * How long pool shots take to simulate, full breaks and shots of every kind, and the size of their
 * views. Printed only.
 */

import { isRefusal } from '../../game/src/game.ts';
import { makeRandom } from '../../game/src/random.ts';
import { poolBot } from '../../src/games/pool/bot.ts';
import { placedBalls } from '../../src/games/pool/facts.ts';
import type { Placed } from '../../src/games/pool/physics/simulate.ts';
import { simulate } from '../../src/games/pool/physics/simulate.ts';
import type { Strike } from '../../src/games/pool/physics/strike.ts';
import { X_MAX, Y_MAX } from '../../src/games/pool/physics/table.ts';
import { pool } from '../../src/games/pool/pool.ts';
import type { Variant } from '../../src/games/pool/rack.ts';
import { rackBalls, unsettle, VARIANTS } from '../../src/games/pool/rack.ts';

const BREAKS = 3_000;
const SHOTS = 30_000;
/** Shots before measuring, until the code is compiled. */
const WARM_UP = 500;
const RADIUS_APART = 0.06;
const random = makeRandom('bench', () => 'pool', 0);

function fraction(): number {
  return random.integer(1_000_001) / 1_000_000;
}

interface Task {
  readonly balls: readonly Placed[];
  readonly strike: Strike;
}

function makeBreak(): Task {
  const y = (fraction() - 0.5) * 0.4;
  const table = [[-0.6, y] as const, ...unsettle(rackBalls('eightball'), random).slice(1)];
  const aim = Math.atan2(-y, 1.0953) + (fraction() - 0.5) * 0.01;
  const strike = { aim, speed: 8 + 4 * fraction(), side: 0, follow: 0.005, elevation: 0 };
  return { balls: placedBalls(table), strike };
}

function makeShot(): Task {
  const balls: Placed[] = [];
  const count = 2 + random.integer(15);
  while (balls.length < count) {
    const x = (fraction() * 2 - 1) * X_MAX;
    const y = (fraction() * 2 - 1) * Y_MAX;
    const isFree = balls.every((b) => Math.abs(b.x - x) + Math.abs(b.y - y) > 1.5 * RADIUS_APART);
    if (isFree) balls.push({ n: balls.length, x, y });
  }
  return {
    balls,
    strike: {
      aim: 6.28 * fraction(),
      speed: 0.1 + 11 * fraction(),
      elevation: 0.5 * fraction(),
      side: 0.02 * fraction() - 0.01,
      follow: 0.02 * fraction() - 0.01,
    },
  };
}

function describe(values: readonly number[], digits: number): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]!.toFixed(digits);
  return `median ${at(0.5)}, p99 ${at(0.99)}, p99.9 ${at(0.999)}, most ${at(1)}`;
}

function measure(name: string, count: number, make: () => Task): void {
  const times: number[] = [];
  const events: number[] = [];
  let capped = 0;
  for (let n = -WARM_UP; n < count; n += 1) {
    const { balls, strike } = make();
    const began = performance.now();
    const shot = simulate(balls, strike);
    const ms = performance.now() - began;
    if (n < 0) continue;
    times.push(ms);
    events.push(shot.events.length);
    if (shot.end === 'event_cap') capped += 1;
  }
  console.log(`${name}, ${count}: ms ${describe(times, 3)}`);
  console.log(`  events ${describe(events, 0)}; stopped by the cap: ${capped}`);
}

const GAMES = 400;
/** How many inputs of one game are examined. */
const INPUTS = 12;

/** Views as the games of bots bring them up, with small budgets. */
function measureViews(variant: Variant): void {
  const sizes = { breaks: [] as number[], shots: [] as number[] };
  for (let game = 0; game < GAMES; game += 1) {
    let state = pool.initial({ variant, seats: 2, options: {} });
    const mind = poolBot.makeMind();
    const level = game % 2 === 0 ? 'easy' : 'medium';
    for (let n = 0; n < INPUTS && state.result === null; n += 1) {
      const { isBreak, seat } = state;
      const action = mind.choose({ state, seat, level, nodesMax: 4_000 }, random);
      const applied = pool.apply(state, seat, action, random);
      if (isRefusal(applied)) throw new Error(applied.error);
      state = applied.state;
      if ('choose' in action) continue;
      sizes[isBreak ? 'breaks' : 'shots'].push(JSON.stringify(pool.view(state, null)).length);
    }
  }
  console.log(
    `views of ${variant}, bytes: ${sizes.breaks.length} breaks ${describe(sizes.breaks, 0)}`,
  );
  console.log(`  ${sizes.shots.length} other shots ${describe(sizes.shots, 0)}`);
}

measure('full breaks', BREAKS, makeBreak);
measure('random shots', SHOTS, makeShot);
for (const variant of VARIANTS) measureViews(variant);
