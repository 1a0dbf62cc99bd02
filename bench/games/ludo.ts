/** How fast ludo's rules are, and how long its bot thinks about a choice. Printed only. */

import type { BotLevel } from '../../game/src/bot.ts';
import type { Setup } from '../../game/src/game.ts';
import { isRefusal } from '../../game/src/game.ts';
import { makeRandom } from '../../game/src/random.ts';
import { ludoBot } from '../../src/games/ludo/bot.ts';
import { ludo } from '../../src/games/ludo/ludo.ts';
import type { LudoState } from '../../src/games/ludo/state.ts';

const GAMES = 200;
const NODES = 600_000;
const OPTIONS = Object.fromEntries(
  Object.entries(ludo.options).map(([name, spec]) => [name, spec.default]),
);
const random = makeRandom('bench', () => 'ludo', 0);
/** Faster than a match's randomness, so that mostly the rules are timed. */
const cheap = { integer: (below: number) => Math.floor(Math.random() * below) };

function playGame(seats: number, chance: typeof cheap, seen: LudoState[]): number {
  const setup: Setup = { variant: 'classic', seats, options: OPTIONS };
  let state = ludo.initial(setup);
  let plies = 0;
  for (let seat = ludo.turn(state); seat !== null; seat = ludo.turn(state)) {
    const legal = ludo.legalActions(state)!;
    if (legal.length > 1) seen.push(state);
    const applied = ludo.apply(state, seat, legal[cheap.integer(legal.length)]!, chance);
    if (isRefusal(applied)) throw new Error(applied.error);
    state = applied.state;
    plies += 1;
  }
  return plies;
}

function timeRules(name: string, chance: typeof cheap): void {
  const begin = performance.now();
  let plies = 0;
  for (let game = 0; game < GAMES; game += 1) plies += playGame(4, chance, []);
  const perSecond = Math.round((plies * 1_000) / (performance.now() - begin));
  console.log(`rules, ${name}: ${perSecond.toLocaleString('en')} plies a second`);
}

function timeBot(level: BotLevel, seats: number): void {
  const seen: LudoState[] = [];
  while (seen.length < 1_000) playGame(seats, cheap, seen);
  const mind = ludoBot.makeMind();
  const times = seen.slice(0, 1_000).map((state) => {
    const begin = performance.now();
    mind.choose({ state, seat: state.seat, level, nodesMax: NODES }, random);
    return performance.now() - begin;
  });
  times.sort((one, other) => one - other);
  const [p50, p99, max] = [500, 990, 999].map((index) => times[index]!.toFixed(2));
  console.log(`${level}, ${seats} seats: p50 ${p50} ms, p99 ${p99} ms, at most ${max} ms`);
}

timeRules('quick chance', cheap);
timeRules("a match's chance", random);
for (const level of ['easy', 'medium', 'hard'] as const) {
  for (const seats of [2, 4]) timeBot(level, seats);
}
