/** The server's manifest of an operator's game: its files and its texts. */

import type { GameManifest, GameRulesFile } from '../../../../../src/contract/game-manifest.ts';
import type { MoreTexts } from '../../i18n/translate.ts';

/** The rules by which a match was played. */
export interface PlayedRules {
  readonly rulesVersion: number;
  readonly rulesHash?: string;
}

const FALLBACK_LANGUAGE = 'en';

/** Null if the server has no such game. Rejects when the server cannot be reached. */
export async function fetchManifest(game: string): Promise<GameManifest | null> {
  const response = await fetch(`/play/games/${game}.json`);
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`The server answered ${response.status}`);
  return (await response.json()) as GameManifest;
}

/** The game's texts in a language, with English for missing ones, by keys that begin with its id. */
export function textsOf({ id, strings }: GameManifest, language: string): MoreTexts {
  const texts = { ...strings[FALLBACK_LANGUAGE], ...strings[language] };
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [`${id}.${name}`, text]));
}

/** The code that a match was played by, else code of the same version. Without a request, the current code. */
export function rulesFor(
  { rules }: Pick<GameManifest, 'rules'>,
  played: PlayedRules | null,
): GameRulesFile | null {
  if (played === null) return rules.at(-1) ?? null;
  const same = rules.filter(({ version }) => version === played.rulesVersion);
  return same.find(({ hash }) => hash === (played.rulesHash ?? null)) ?? same.at(-1) ?? null;
}
