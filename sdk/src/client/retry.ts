/** When to reconnect after a close, and when not: one table of close codes. */

import { CLOSE } from '../frames/frames.ts';

/** Why the connection waits to reconnect. */
export type RetryCause = 'lost' | 'restarting' | 'overloaded' | 'too_fast';

/** What a close code requires from the client. */
export type Verdict =
  | { readonly kind: 'retry'; readonly cause: RetryCause }
  /** The credential is no good: try the next one, if there is one. */
  | { readonly kind: 'next_credential' }
  /** What was sent cannot be read: sending it again would end the same way. */
  | { readonly kind: 'bad_frame' }
  | { readonly kind: 'replaced' }
  /** The player has no seat in the session any more. */
  | { readonly kind: 'left' }
  | { readonly kind: 'origin_refused' };

/** The first wait and the longest one by cause, in milliseconds. */
const WAITS: Readonly<Record<RetryCause, readonly [first: number, longest: number]>> = {
  lost: [400, 15_000],
  // At once, but with jitter so that clients do not reconnect in the same moment.
  restarting: [100, 5_000],
  overloaded: [3_000, 30_000],
  too_fast: [5_000, 60_000],
};

const VERDICTS: Readonly<Record<number, Verdict>> = {
  [CLOSE.restarting]: { kind: 'retry', cause: 'restarting' },
  [CLOSE.overloaded]: { kind: 'retry', cause: 'overloaded' },
  [CLOSE.tooFast]: { kind: 'retry', cause: 'too_fast' },
  [CLOSE.badFrame]: { kind: 'bad_frame' },
  [CLOSE.token]: { kind: 'next_credential' },
  [CLOSE.origin]: { kind: 'origin_refused' },
  [CLOSE.replaced]: { kind: 'replaced' },
  [CLOSE.left]: { kind: 'left' },
};

export function judgeClose(code: number): Verdict {
  return VERDICTS[code] ?? { kind: 'retry', cause: 'lost' };
}

/** How long to wait before attempt `attempt` (0 is the first), spread by `random` in 0 to 1. */
export function retryWaitMs(cause: RetryCause, attempt: number, random: number): number {
  const [first, longest] = WAITS[cause];
  const wait = Math.min(longest, first * 2 ** attempt);
  return Math.round(wait * (0.5 + random / 2));
}
