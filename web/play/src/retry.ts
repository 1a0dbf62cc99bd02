/** When to try again after a socket was closed, and when not to: one table of close codes. */

import { CLOSE } from './protocol.ts';

/** Why the connection is waiting to be made anew. */
export type RetryCause = 'lost' | 'restarting' | 'overloaded' | 'too_fast';

/** What a close code asks of the client. */
export type Verdict =
  | { readonly kind: 'retry'; readonly cause: RetryCause }
  /** The credential is no good: try the next one, if there is one. */
  | { readonly kind: 'next_credential' }
  /** What was sent cannot be read: sending it again would end the same way. */
  | { readonly kind: 'bad_frame' }
  | { readonly kind: 'replaced' }
  | { readonly kind: 'origin_refused' };

/** The first wait and the longest one by cause, in milliseconds. */
const WAITS: Readonly<Record<RetryCause, { readonly first: number; readonly max: number }>> = {
  lost: { first: 400, max: 15_000 },
  restarting: { first: 600, max: 5_000 },
  overloaded: { first: 3_000, max: 30_000 },
  too_fast: { first: 5_000, max: 60_000 },
};

export function judgeClose(code: number): Verdict {
  switch (code) {
    case CLOSE.restarting:
      return { kind: 'retry', cause: 'restarting' };
    case CLOSE.overloaded:
      return { kind: 'retry', cause: 'overloaded' };
    case CLOSE.tooFast:
      return { kind: 'retry', cause: 'too_fast' };
    case CLOSE.badFrame:
      return { kind: 'bad_frame' };
    case CLOSE.token:
      return { kind: 'next_credential' };
    case CLOSE.origin:
      return { kind: 'origin_refused' };
    case CLOSE.replaced:
      return { kind: 'replaced' };
    default:
      return { kind: 'retry', cause: 'lost' };
  }
}

/** How long to wait before attempt `attempt` (0 is the first), spread by `random` in 0 to 1. */
export function retryWaitMs(cause: RetryCause, attempt: number, random: number): number {
  const { first, max } = WAITS[cause];
  const doublings = Math.min(attempt, 10);
  const wait = Math.min(max, first * 2 ** doublings);
  return Math.round(wait * (0.5 + random / 2));
}
