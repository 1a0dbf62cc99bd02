/** The state of a rematch for one viewer, from the players' answers. Pure. */

import type { Rematch, Seat } from '../protocol.ts';

/** The state of the sheet. */
export interface Sight {
  /** The last frame; null until there is one. */
  readonly rematch: Rematch | null;
  readonly own: Seat;
  /** Seats of the other people in the match. */
  readonly others: readonly Seat[];
  /** Players who are shown as away. */
  readonly away: readonly Seat[];
  /** Players who offered and have withdrawn. */
  readonly withdrawn: readonly Seat[];
  /** The server's time, ms since 1970. */
  readonly now: number;
  /** Whether the creation of the agreed rematch has taken too long. */
  readonly isLate: boolean;
}

export type Phase =
  /** Nothing to show: the state is not known yet, or no rematch is possible. */
  | { readonly kind: 'none' }
  /** No player asks. `away`: players who are not present to be asked. */
  | { readonly kind: 'open'; readonly away: readonly Seat[] }
  | { readonly kind: 'withdrawn'; readonly by: readonly Seat[] }
  /** The reader asks, and these players have not accepted yet. */
  | { readonly kind: 'waiting'; readonly for: readonly Seat[]; readonly away: readonly Seat[] }
  /** These ask the reader. */
  | { readonly kind: 'asked'; readonly by: readonly Seat[] }
  | { readonly kind: 'declined'; readonly by: Seat }
  | { readonly kind: 'expired' }
  | { readonly kind: 'making' }
  /** All agree, and the rematch is not created yet. */
  | { readonly kind: 'late' }
  | { readonly kind: 'refused' }
  /** The rematch exists. Without a token its reader must get one from somebody else. */
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

/** The other players who are present, as far as this page knows. */
export interface Attendance {
  /** Players who have been present since the page was opened. */
  readonly seen: readonly Seat[];
  /** Absent players, and since when. Ms, on a monotonic clock. */
  readonly missing: ReadonlyMap<Seat, number>;
}

export const NO_ATTENDANCE: Attendance = { seen: [], missing: new Map() };

/**
 * A page that opens, reloads or reconnects after a server restart takes about this long: until then no player is
 * shown as away. Ms.
 */
export const ARRIVAL_MS = 3_000;

export function attendanceAfter(
  { seen, missing }: Attendance,
  { here }: Pick<Rematch, 'here'>,
  others: readonly Seat[],
  now: number,
): Attendance {
  const isPresent = (seat: Seat): boolean => here.includes(seat);
  return {
    seen: others.filter((seat) => seen.includes(seat) || isPresent(seat)),
    missing: new Map(
      others.filter((seat) => !isPresent(seat)).map((seat) => [seat, missing.get(seat) ?? now]),
    ),
  };
}

export function absentAt({ missing }: Attendance, now: number): Seat[] {
  return [...missing].filter(([, since]) => now - since >= ARRIVAL_MS).map(([seat]) => seat);
}

/** Players who have withdrawn their answer. */
export function withdrawnAfter(
  withdrawn: readonly Seat[],
  before: Rematch | null,
  next: Rematch,
): readonly Seat[] {
  const all = new Set([...withdrawn, ...(before?.asked ?? [])]);
  return [...all].filter((seat) => !next.asked.includes(seat));
}
