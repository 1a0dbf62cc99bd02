/** A bot's score in words: a line for each level that it played at. */

import type { World } from '../types.ts';

export interface BotScore {
  readonly mode: World;
  /** Null for external bots. */
  readonly difficulty: string | null;
  readonly matches: number;
  readonly wins: number;
  readonly losses: number;
  readonly draws: number;
}

/** `hard: 12 won, 3 lost, 1 drawn (75 %)`. */
export function scoreLines(scores: readonly BotScore[], world: World): readonly string[] {
  return scores
    .filter(({ mode, matches }) => mode === world && matches > 0)
    .map(({ difficulty, matches, wins, losses, draws }) => {
      const level = difficulty === null ? '' : `${difficulty}: `;
      const percent = Math.round((100 * wins) / matches);
      return `${level}${wins} won, ${losses} lost, ${draws} drawn (${percent}\u00a0%)`;
    });
}

/** Over all levels; null without a match. */
export function winPercent(scores: readonly BotScore[], world: World): number | null {
  const own = scores.filter(({ mode }) => mode === world);
  const matches = own.reduce((sum, score) => sum + score.matches, 0);
  const wins = own.reduce((sum, score) => sum + score.wins, 0);
  return matches === 0 ? null : Math.round((100 * wins) / matches);
}
