/** Which of the player's commands is under way: from the press until the board shows it. Pure. */

import type { CommandMessage } from './protocol.ts';

/** A command that was taken, and the version of the record that it became. */
export interface Acked {
  readonly command: CommandMessage;
  readonly v: number;
}

/**
 * The oldest command that is not answered; else the last one that was taken, as long as what is shown
 * is older than it: a board that still shows the position before would take a second move for it.
 */
export function sendingOf(
  unanswered: readonly CommandMessage[],
  acked: Acked | null,
  shownV: number,
): CommandMessage | null {
  const [oldest] = unanswered;
  if (oldest !== undefined) return oldest;
  return acked !== null && shownV < acked.v ? acked.command : null;
}
