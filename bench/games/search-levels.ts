/**
 * Whether a level of the search bot is stronger than the one below: games between them in two of
 * the examples: reversi, which is open, and crazy eights, in which hands are hidden. The score of
 * the stronger with its 95 % interval; each deal is played twice, with the seats exchanged. Prints
 * a line every ten rounds, so that an aborted run is not wasted. `bun bench/games/search-levels.ts
 * [reversi or crazy-eights] [rounds] [medium-easy or hard-medium]`
 */

import { game as crazyEights } from '../../examples/games/crazy-eights/rules.ts';
import { game as reversi } from '../../examples/games/reversi/rules.ts';
import type { AnyGame } from '../../game/src/game.ts';
import { playDuel, searching } from '../../game/src/search/duel.test-kit.ts';
import { scoreOf } from '../../src/cli/ladder/ladder-score.ts';
import { stopwatchMs } from '../../src/runtime/system.ts';

const LINE_ROUNDS = 10;

const games = [reversi, crazyEights] as unknown as readonly AnyGame[];
const [name, given, only] = process.argv.slice(2);
const game = games.find(({ id }) => id === name);
if (game === undefined) throw new Error(`no such game: ${name}`);
const rounds = Number(given ?? 40);

const pairs = [
  ['medium', 'easy'],
  ['hard', 'medium'],
] as const;
const asked = pairs.filter((pair) => only === undefined || pair.join('-') === only);
if (asked.length === 0) throw new Error(`no such pair: ${only}`);
for (const [stronger, weaker] of asked) {
  const began = stopwatchMs();
  const sides = [searching(game, stronger), searching(game, weaker)] as const;
  const points: (readonly number[])[] = [];
  while (points.length < rounds) {
    const firstRound = points.length;
    const next = Math.min(LINE_ROUNDS, rounds - firstRound);
    points.push(...playDuel({ game, sides, rounds: next, firstRound }).points);
    const { value, low, high } = scoreOf(points);
    const took = `${((stopwatchMs() - began) / 1_000).toFixed(0)} s`;
    const interval = `${low.toFixed(3)} to ${high.toFixed(3)}`;
    const played = `${2 * points.length} games, ${took}`;
    console.log(
      `${game.id}, ${stronger} - ${weaker}: ${value.toFixed(3)} (${interval}), ${played}`,
    );
  }
}
