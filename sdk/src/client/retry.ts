/** When to try again after a socket was closed, and when not to: one table of close codes. */

import { CLOSE } from './frames.ts';

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
  // At once, but for not coming all in the same moment.
  restarting: { first: 100, max: 5_000 },
  overloaded: { first: 3_000, max: 30_000 },
  too_fast: { first: 5_000, max: 60_000 },
};

const VERDICTS: Readonly<Record<number, Verdict>> = {
  [CLOSE.restarting]: { kind: 'retry', cause: 'restarting' },
  [CLOSE.overloaded]: { kind: 'retry', cause: 'overloaded' },
  [CLOSE.tooFast]: { kind: 'retry', cause: 'too_fast' },
  [CLOSE.badFrame]: { kind: 'bad_frame' },
  [CLOSE.token]: { kind: 'next_credential' },
  [CLOSE.origin]: { kind: 'origin_refused' },
  [CLOSE.replaced]: { kind: 'replaced' },
};

export function judgeClose(code: number): Verdict {
  return VERDICTS[code] ?? { kind: 'retry', cause: 'lost' };
}

/** How long to wait before attempt `attempt` (0 is the first), spread by `random` in 0 to 1. */
export function retryWaitMs(cause: RetryCause, attempt: number, random: number): number {
  const { first, max } = WAITS[cause];
  const doublings = Math.min(attempt, 10);
  const wait = Math.min(max, first * 2 ** doublings);
  return Math.round(wait * (0.5 + random / 2));
}
