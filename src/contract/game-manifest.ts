/** `/play/games/<id>.json`: an operator's game as described to the players' page. */

import type { GameId } from '../../game/src/game.ts';

export interface GameManifest {
  readonly id: GameId;
  readonly drawOffers: boolean;
  /** For tick games. */
  readonly ticks: { readonly ticksPerSecond: number; readonly maskMax: number } | null;
  /** The path of its board; null if it has none. */
  readonly board: string | null;
  /** Its rules in every loaded version, the current one last. */
  readonly rules: readonly GameRulesFile[];
  readonly strings: GameStrings;
}

export interface GameRulesFile {
  readonly version: number;
  /** Hash of the sources, in hex, as in replays of matches played by them. */
  readonly hash: string | null;
  readonly path: string;
}

/** A game's texts by language and name. */
export type GameStrings = Readonly<Record<string, Readonly<Record<string, string>>>>;
