/** The messages between the main thread and a thinking thread. */

import type { Question } from '../../../game/src/bot.ts';
import type { Json } from '../../../game/src/game.ts';
import type { RulesRef } from '../../games/games.ts';
import type { RulesFiles } from '../games/library.ts';

/** A question to a thread. The first one about an operator's rules says where they are. */
export interface ThinkRequest extends Thought {
  readonly files?: RulesFiles;
}

/** The position and the settings of a question. */
export interface Thought extends Question<Json> {
  readonly rules: RulesRef;
  /** The seed of the bot's own randomness. */
  readonly seed: string;
}

export type Answer =
  | { readonly ok: true; readonly action: Json }
  | { readonly ok: false; readonly error: string };
