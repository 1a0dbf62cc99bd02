/** What the players' words about a rematch come to, for the one who reads them. Pure. */

import type { Rematch, Seat } from '../protocol.ts';

/** What the sheet knows. */
export interface Sight {
  /** As it was told last; null until it has been. */
  readonly rematch: Rematch | null;
  readonly own: Seat;
  /** Seats of the other people in the match. */
  readonly others: readonly Seat[];
  /** Who had asked at some time and does not any more. */
  readonly withdrawn: readonly Seat[];
  /** The server's time, ms since 1970. */
  readonly now: number;
  /** Has it taken too long to make what was agreed on? */
  readonly isLate: boolean;
}

export type Phase =
  /** There is nothing to say: it is not known yet, or there can be none. */
  | { readonly kind: 'none' }
  /** Nobody asks. `left`: who is not there to be asked. */
  | { readonly kind: 'open'; readonly left: readonly Seat[] }
  | { readonly kind: 'withdrawn'; readonly by: readonly Seat[] }
  /** The reader asks, and these do not yet. */
  | { readonly kind: 'waiting'; readonly for: readonly Seat[]; readonly left: readonly Seat[] }
  /** These ask the reader. */
  | { readonly kind: 'asked'; readonly by: readonly Seat[] }
  | { readonly kind: 'declined'; readonly by: Seat }
  | { readonly kind: 'expired' }
  | { readonly kind: 'making' }
  /** All agree, and whoever makes it has not yet. */
  | { readonly kind: 'late' }
  | { readonly kind: 'refused' }
  /** It is there. Without a token its reader has to be told it by somebody else. */
  | { readonly kind: 'ready'; readonly token: string | null };

export function phaseOf({ rematch, own, others, withdrawn, now, isLate }: Sight): Phase {
  if (rematch === null) return { kind: 'none' };
  const { asked, agreed, declined, here, until, next, refused } = rematch;
  if (next !== null) return { kind: 'ready', token: next.token ?? null };
  if (agreed && refused !== null) return { kind: 'refused' };
  if (agreed) return { kind: isLate ? 'late' : 'making' };
  if (until === null) return { kind: 'none' };
  if (declined !== null) return { kind: 'declined', by: declined };
  if (now >= until) return { kind: 'expired' };
  const by = others.filter((seat) => asked.includes(seat));
  const left = others.filter((seat) => !here.includes(seat));
  if (asked.includes(own)) {
    return { kind: 'waiting', for: others.filter((seat) => !by.includes(seat)), left };
  }
  if (by.length > 0) return { kind: 'asked', by };
  if (withdrawn.length > 0) return { kind: 'withdrawn', by: withdrawn };
  return { kind: 'open', left };
}

/** Who has taken back what they said, after `next` was told. */
export function withdrawnAfter(
  withdrawn: readonly Seat[],
  before: Rematch | null,
  next: Rematch,
): readonly Seat[] {
  const all = new Set([...withdrawn, ...(before?.asked ?? [])]);
  return [...all].filter((seat) => !next.asked.includes(seat));
}
