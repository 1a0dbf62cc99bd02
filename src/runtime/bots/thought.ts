/** What the main thread and a thinking one say to each other. */

import type { Question } from '../../../game/src/bot.ts';
import type { Json } from '../../../game/src/game.ts';
import type { RulesRef } from '../../games/games.ts';
import type { RulesFiles } from '../games/library.ts';

/** What a thread is asked: with its first question about an operator's rules it is told where they are. */
export interface Asked extends Thought {
  readonly files?: RulesFiles;
}

/** What a bot is to think about. */
export interface Thought extends Question<Json> {
  readonly rules: RulesRef;
  /** Of the bot's own chance. */
  readonly seed: string;
}

export type Answer =
  | { readonly ok: true; readonly action: Json }
  | { readonly ok: false; readonly error: string };
