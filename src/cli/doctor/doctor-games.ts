/** `matchd doctor` in the folder of the operator's games: whether a service would load them. */

import { GamesError } from '../../runtime/games/game-error.ts';
import { loadGames } from '../../runtime/games/load-game.ts';
import { withLoading } from '../games/games-folder.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/** Null where there are none. */
export async function checkGames(root: string | null): Promise<readonly Finding[] | null> {
  if (root === null) return null;
  try {
    const loaded = await withLoading(
      (rules) => rules,
      (loading) => loadGames(loading, root),
    );
    const names = loaded.map(({ rules: { game } }) => `${game.id} ${game.rulesVersion}`);
    return names.length === 0
      ? [warn('games', `no game in ${root}`, 'check --games')]
      : [ok('games', names.join(', '))];
  } catch (error) {
    if (!(error instanceof GamesError)) throw error;
    return error.faults.map((fault) => fail('games', fault, 'fix it: the service does not start'));
  }
}
