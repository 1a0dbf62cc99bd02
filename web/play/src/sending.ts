/** The player's pending command: from the press until the board shows it. Pure. */

import type { CommandMessage, SessionView } from './protocol.ts';

/** A command that was taken, and the version of the record that it became. */
export interface Acked {
  readonly command: CommandMessage;
  readonly v: number;
}

/**
 * The oldest unanswered command; else the last accepted one, while the displayed state is older: a board that
 * still shows the position before would take a second move for it. None after the end.
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
