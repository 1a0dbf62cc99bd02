/** Which of the player's commands is under way: from the press until the board shows it. Pure. */

import type { CommandMessage, SessionView } from './protocol.ts';

/** A command that was taken, and the version of the record that it became. */
export interface Acked {
  readonly command: CommandMessage;
  readonly v: number;
}

/**
 * The oldest command that is not answered; else the last one that was taken, as long as what is shown
 * is older than it: a board that still shows the position before would take a second move for it.
 * After the end nothing can come about any more, answered or not.
 */
export function sendingOf(
  unanswered: readonly CommandMessage[],
  acked: Acked | null,
  shown: Pick<SessionView, 'v' | 'status'> | null,
): CommandMessage | null {
  if (shown?.status === 'ended') return null;
  const [oldest] = unanswered;
  if (oldest !== undefined) return oldest;
  return acked !== null && (shown?.v ?? 0) < acked.v ? acked.command : null;
}
