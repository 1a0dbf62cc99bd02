/** How long a tick of fight arena takes, a hash, an answer of each bot, and how they score. Printed only. */

import { BOT_LEVELS } from '../../game/src/bot.ts';
import { makeRandom } from '../../game/src/random.ts';
import { fightArenaBot } from '../../src/games/fight-arena/bot.ts';
import { MASK_MAX } from '../../src/games/fight-arena/controls.ts';
import { fightArena } from '../../src/games/fight-arena/fight-arena.ts';
import type { FightState } from '../../src/games/fight-arena/state.ts';
import { step } from '../../src/games/fight-arena/step.ts';
import { playOff } from '../../src/games/play-off.ts';

const OPTIONS = { roundSeconds: 99, roundsToWin: 2 };
const FIRST = fightArena.initial({ variant: 'standard', seats: 2, options: OPTIONS });
const TICKS = 1_000_000;
const ROUNDS = 5;

/** Masks that change every few ticks, made ahead so that they cost nothing while it is timed. */
function makeMasks(count: number, holdMax: number): readonly (readonly number[])[] {
  let seed = 12_345;
  const next = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed >>> 8) % below;
  };
  const masks = [0, 0];
  const until = [0, 0];
  return Array.from({ length: count }, (_, tick) => {
    for (const seat of [0, 1]) {
      if (until[seat]! > tick) continue;
      masks[seat] = next(MASK_MAX + 1);
      until[seat] = tick + 1 + next(holdMax);
    }
    return [...masks];
  });
}

function nanosecondsEach(count: number, run: () => void): number {
  const from = performance.now();
  run();
  return ((performance.now() - from) * 1e6) / count;
}

function bestOf(count: number, run: () => void): string {
  const each = Array.from({ length: ROUNDS }, () => nanosecondsEach(count, run));
  const sorted = each.sort((a, b) => a - b);
  return `best ${Math.round(sorted[0]!)} ns, median ${Math.round(sorted[2]!)} ns, worst ${Math.round(sorted[4]!)} ns`;
}

const masks = makeMasks(TICKS, 12);

function playThrough(): void {
  let state: FightState = FIRST;
  for (const both of masks) {
    state = step(state, both);
    if (state.phase === 'over') state = FIRST;
  }
}

console.log(`one tick of both fighters: ${bestOf(TICKS, playThrough)}`);
const HASHES = 100_000;
console.log(
  `hash of a state: ${bestOf(HASHES, () => {
    for (let n = 0; n < HASHES; n += 1) fightArena.ticks.hash(FIRST);
  })}`,
);

/** The bots' scores against each other, and the cost of a tick of each. */
const NODES = 100_000;
const MATCHES = 60;
for (const levels of [
  ['hard', 'medium'],
  ['medium', 'easy'],
  ['hard', 'easy'],
] as const) {
  const random = makeRandom('bench', () => levels.join(' '), 0);
  const match = { game: fightArena, bot: fightArenaBot, levels, games: MATCHES, nodesMax: NODES };
  console.log(
    `${levels.join(' against ')}: ${playOff(match, random).toFixed(3)} over ${MATCHES} matches`,
  );
}
for (const level of BOT_LEVELS) {
  const random = makeRandom('bench', () => level, 0);
  const minds = [fightArenaBot.makeMind(), fightArenaBot.makeMind()];
  let state = FIRST;
  const spent: number[] = [];
  for (let tick = 0; tick < 6_000; tick += 1) {
    const both = minds.map((mind, seat) => {
      const from = performance.now();
      const mask = mind.choose({ state, seat, level, nodesMax: NODES }, random);
      spent.push((performance.now() - from) * 1_000);
      return mask;
    });
    state = step(state, both);
    if (state.phase === 'over') state = FIRST;
  }
  const sorted = spent.sort((a, b) => a - b);
  const mean = sorted.reduce((sum, each) => sum + each, 0) / sorted.length;
  const p99 = sorted[Math.floor(sorted.length * 0.99)]!;
  console.log(`${level}: ${mean.toFixed(1)} µs a tick, 99 of 100 within ${p99.toFixed(0)} µs`);
}
