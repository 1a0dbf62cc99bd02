/** What the main thread and a thinking one say to each other. */

import type { Question } from '../../../game/src/bot.ts';
import type { GameId, Json } from '../../../game/src/game.ts';

/** What a bot is to think about. */
export interface Thought extends Question<Json> {
  readonly game: GameId;
  /** Of the bot's own chance. */
  readonly seed: string;
}

export type Answer =
  | { readonly ok: true; readonly action: Json }
  | { readonly ok: false; readonly error: string };
