/** The state that the functions of the board for any game share. */

import type { AnyGame } from '../../../../../game/src/game.ts';
import type { BoardHost, BoardState } from '../board-view.ts';
import type { KnownText } from '../operator/text.ts';
import type { Presses } from '../presses.ts';
import type { Play } from './actions.ts';
import type { Spot } from './choice.ts';
import type { ActionForm } from './form.ts';
import type { GridView } from './grid.ts';
import type { Part, Path } from './layout.ts';
import type { Words } from './words.ts';

/** What is known of a game besides its views. */
export interface GameInfo {
  readonly known: KnownText;
  /** The game's name. */
  title(): string;
  /** For real-time games. */
  readonly ticks: { readonly ticksPerSecond: number; readonly maskMax: number } | null;
  /** The rules; null if the server has none. Rejects when they cannot be fetched. */
  loadRules(): Promise<AnyGame | null>;
  /** An action in players' notation; null if the rules are missing or cannot use a view. */
  notation(view: unknown, action: unknown, seat: number | null): string | null;
}

export interface Table {
  readonly info: GameInfo;
  readonly host: BoardHost;
  readonly words: Words;
  readonly element: HTMLElement;
  readonly played: HTMLElement;
  readonly acted: HTMLElement;
  readonly read: HTMLElement;
  readonly buttons: HTMLElement;
  readonly refusal: HTMLElement;
  readonly form: ActionForm;
  readonly presses: Presses;
  readonly grids: Map<string, GridView>;
  rules: AnyGame | null;
  state: BoardState | null;
  /** The displayed view, or a prediction of it. */
  view: unknown;
  /** Columns named by actions so far: the board has at least that many. */
  columns: number;
  parts: readonly Part[];
  plays: readonly Play[];
  chosen: readonly Spot[];
  /** Paths of everything that could be tapped so far: it stays in place in other players' turns. */
  readonly tapped: Set<Path>;
  stopTicks: (() => void) | null;
}
