/** The trail's and the move list's interface to the page. */

import type { BoardView } from '../games/board-view.ts';
import type { Settings } from '../ui/settings.ts';

export interface TrailHost {
  /** The board's element, and the board of the present. */
  readonly table: HTMLElement;
  readonly settings: Settings;
  live(): BoardView | null;
  /** Explains why a tap did nothing. */
  refuse(why: string): void;
  announce(text: string): void;
}
