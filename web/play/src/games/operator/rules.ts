/** The rules of an operator's game, as the server's own process runs them. */

import type { AnyGame } from '../../../../../game/src/game.ts';
import type { GameRulesFile } from '../../../../../src/contract/game-manifest.ts';
import type { PlayedRules } from './manifest.ts';
import { fetchManifest, rulesFor } from './manifest.ts';

/** Null if the server does not have them. Rejects when they cannot be fetched. */
export async function loadOperatorRules(
  game: string,
  played: PlayedRules | null,
): Promise<AnyGame | null> {
  const manifest = await fetchManifest(game);
  const file = manifest === null ? null : rulesFor(manifest, played);
  return file === null ? null : importRules(file);
}

export async function importRules({ path }: GameRulesFile): Promise<AnyGame> {
  return ((await import(path)) as { readonly game: AnyGame }).game;
}
