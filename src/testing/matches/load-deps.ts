/** Dependencies for loading an operator's games in tests: as in the service, without the guard. */

import { GAME_IDS } from '../../games/registry.ts';
import { bunBundle } from '../../platform/bun/bun-bundler.ts';
import type { LoadDeps } from '../../runtime/games/load-game.ts';
import { makeModuleFiles } from '../../runtime/games/module-files.ts';
import { packageText } from '../../runtime/games/package-text.ts';

/** Modules are written to that folder. */
export async function makeLoadDeps(folder: string): Promise<LoadDeps> {
  return {
    bundle: bunBundle,
    packageText: await packageText(bunBundle),
    modules: makeModuleFiles(folder, Date.now()),
    protect: (rules) => rules,
    shippedIds: GAME_IDS,
  };
}
