/**
 * Is a level of the search bot stronger than the one below? Games between them in two of the examples: reversi, which
 * is open, and crazy eights, in which hands are hidden. The score of the stronger with its 95 % interval; each deal is
 * played twice, with the seats exchanged. `bun bench/games/search-levels.ts [reversi or crazy-eights] [rounds]`
 */

import { game as crazyEights } from '../../examples/games/crazy-eights/rules.ts';
import { game as reversi } from '../../examples/games/reversi/rules.ts';
import type { AnyGame } from '../../game/src/game.ts';
import { playDuel, searching } from '../../game/src/search/duel.test-kit.ts';
import { stopwatchMs } from '../../src/runtime/system.ts';

const games = [reversi, crazyEights] as unknown as readonly AnyGame[];
const [name, given] = process.argv.slice(2);
const game = games.find(({ id }) => id === name);
if (game === undefined) throw new Error(`no such game: ${name}`);
const rounds = Number(given ?? 40);

const pairs = [
  ['medium', 'easy'],
  ['hard', 'medium'],
] as const;
for (const [stronger, weaker] of pairs) {
  const began = stopwatchMs();
  const sides = [searching(game, stronger), searching(game, weaker)] as const;
  const { value, low, high } = playDuel({ game, sides, rounds }).score;
  const took = `${((stopwatchMs() - began) / 1_000).toFixed(0)} s`;
  const interval = `${low.toFixed(3)} to ${high.toFixed(3)}`;
  console.log(
    `${game.id}, ${stronger} - ${weaker}: ${value.toFixed(3)} (${interval}), ${2 * rounds} games, ${took}`,
  );
}
