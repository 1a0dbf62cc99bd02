/** What the players' words about a rematch come to, for the one who reads them. Pure. */

import type { Rematch, Seat } from '../protocol.ts';

/** What the sheet knows. */
export interface Sight {
  /** As it was told last; null until it has been. */
  readonly rematch: Rematch | null;
  readonly own: Seat;
  /** Seats of the other people in the match. */
  readonly others: readonly Seat[];
  /** Who of them is away, and is said to be. */
  readonly away: readonly Seat[];
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
  /** Nobody asks. `away`: who is not there to be asked. */
  | { readonly kind: 'open'; readonly away: readonly Seat[] }
  | { readonly kind: 'withdrawn'; readonly by: readonly Seat[] }
  /** The reader asks, and these do not yet. */
  | { readonly kind: 'waiting'; readonly for: readonly Seat[]; readonly away: readonly Seat[] }
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

export function phaseOf({ rematch, own, others, away, withdrawn, now, isLate }: Sight): Phase {
  if (rematch === null) return { kind: 'none' };
  const { asked, agreed, declined, until, next, refused } = rematch;
  if (next !== null) return { kind: 'ready', token: next.token ?? null };
  if (agreed && refused !== null) return { kind: 'refused' };
  if (agreed) return { kind: isLate ? 'late' : 'making' };
  if (until === null) return { kind: 'none' };
  if (declined !== null) return { kind: 'declined', by: declined };
  if (now >= until) return { kind: 'expired' };
  const by = others.filter((seat) => asked.includes(seat));
  if (asked.includes(own)) {
    return { kind: 'waiting', for: others.filter((seat) => !by.includes(seat)), away };
  }
  if (by.length > 0) return { kind: 'asked', by };
  if (withdrawn.length > 0) return { kind: 'withdrawn', by: withdrawn };
  return { kind: 'open', away };
}

/** Who of the others is here, as far as this page was told. */
export interface Attendance {
  /** Who has been here since the page was opened. */
  readonly seen: readonly Seat[];
  /** Who is not, and when that was first told. Ms, by a clock that nobody sets. */
  readonly missing: ReadonlyMap<Seat, number>;
}

export const NO_ATTENDANCE: Attendance = { seen: [], missing: new Map() };

/**
 * A page that opens, is loaded again or comes back to a server that was restarted takes about that
 * long: until then nobody is said to be away. Ms.
 */
export const COMING_MS = 3_000;

export function attendanceAfter(
  { seen, missing }: Attendance,
  { here }: Pick<Rematch, 'here'>,
  others: readonly Seat[],
  now: number,
): Attendance {
  const isHere = (seat: Seat): boolean => here.includes(seat);
  return {
    seen: others.filter((seat) => seen.includes(seat) || isHere(seat)),
    missing: new Map(
      others.filter((seat) => !isHere(seat)).map((seat) => [seat, missing.get(seat) ?? now]),
    ),
  };
}

export function awayAt({ missing }: Attendance, now: number): Seat[] {
  return [...missing].filter(([, since]) => now - since >= COMING_MS).map(([seat]) => seat);
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
