/** `/play/games/<id>.json`: what the players' page learns of an operator's game. */

import type { GameId } from '../../game/src/game.ts';

export interface GameManifest {
  readonly id: GameId;
  readonly drawOffers: boolean;
  /** Of games that run by the clock. */
  readonly ticks: { readonly ticksPerSecond: number; readonly maskMax: number } | null;
  /** The path of its board; null where it has none. */
  readonly board: string | null;
  /** Its rules in every version that is loaded, the current one last. */
  readonly rules: readonly GameRulesFile[];
  readonly strings: GameStrings;
}

export interface GameRulesFile {
  readonly version: number;
  /** Hash of the sources, in hex, as in replays of matches that were played by them. */
  readonly hash: string | null;
  readonly path: string;
}

/** Texts of a game by language and name. */
export type GameStrings = Readonly<Record<string, Readonly<Record<string, string>>>>;
