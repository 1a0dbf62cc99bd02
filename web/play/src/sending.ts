/** The player's pending command: from the press until the board shows it. Pure. */

import type { CommandMessage, SessionView } from './protocol.ts';

/** An accepted command, and the version of its record. */
export interface Acked {
  readonly command: CommandMessage;
  readonly v: number;
}

/**
 * The oldest unanswered command; else the last accepted one, while the displayed state is older: a board that still
 * shows
 * the previous position would accept a second move for it. None after the end.
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
