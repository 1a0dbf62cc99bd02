/** The games of a process: those shipped and the operator's own, guarded. Wires, as `compose.ts` does. */

import path from 'node:path';
import { type Config, processRuntime } from './config.ts';
import { GAME_IDS, SHIPPED_RULES } from './games/registry.ts';
import type { Log } from './log.ts';
import { loadBundler } from './platform/choose.ts';
import { GUARD_LIMITS, type Guard, makeGuard } from './runtime/games/guard.ts';
import { type GameLibrary, makeLibrary } from './runtime/games/library.ts';
import { type LoadDeps, loadGames } from './runtime/games/load-game.ts';
import { makeModuleFiles } from './runtime/games/module-files.ts';
import { packageText } from './runtime/games/package-text.ts';
import { makeSlowRules, type SlowRules } from './runtime/games/slow-rules.ts';
import type { Instruments } from './runtime/measures/instruments.ts';
import type { Clock } from './runtime/ports.ts';
import { stopwatchMs } from './runtime/system.ts';

export interface OpenGames {
  readonly library: GameLibrary;
  readonly guard: Guard;
  readonly slowRules: SlowRules;
  /** What more games are loaded with; null where the operator has none. */
  readonly loading: LoadDeps | null;
}

/** Below the data folder. */
export const GAMES_FOLDER = 'games';
const MODULES_FOLDER = 'modules';

/** Loads the operator's games. Rejects with a `GamesError` where one cannot be loaded. */
export async function openGames(
  config: Pick<Config, 'games' | 'gameCallMs' | 'dataDir'>,
  clock: Clock,
  log: Log,
  instruments: Pick<Instruments, 'rulesCall'>,
): Promise<OpenGames> {
  const slowRules = makeSlowRules(clock, (fields, message) => log.warn(fields, message));
  const guard = makeGuard({
    limits: { ...GUARD_LIMITS, callMs: config.gameCallMs },
    elapsedMs: stopwatchMs,
    onCall: ({ rules, ms }) => instruments.rulesCall(rules.game).observe(ms / 1_000),
    onSlow: slowRules.note,
  });
  if (config.games === null) {
    return { library: makeLibrary(SHIPPED_RULES, []), guard, slowRules, loading: null };
  }
  const folder = path.join(config.dataDir, GAMES_FOLDER, MODULES_FOLDER);
  const loading = await makeLoading(folder, clock.now(), guard.protect);
  const loaded = await loadGames(loading, config.games);
  for (const { rules, isCurrent } of loaded) {
    const { id: game, rulesVersion } = rules.game;
    log.info({ game, rulesVersion, hash: rules.hash, isCurrent }, 'game loaded');
  }
  if (loaded.length === 0) log.warn({ folder: config.games }, 'there is no game in this folder');
  return { library: makeLibrary(SHIPPED_RULES, loaded), guard, slowRules, loading };
}

/** What games are loaded with; modules are written to that folder. */
export async function makeLoading(
  folder: string,
  now: number,
  protect: LoadDeps['protect'],
): Promise<LoadDeps> {
  const bundle = await loadBundler(processRuntime());
  return {
    bundle,
    packageText: await packageText(bundle),
    modules: makeModuleFiles(folder, now),
    protect,
    shippedIds: GAME_IDS,
  };
}
