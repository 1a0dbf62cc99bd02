/** Stores the moves in the tab's own storage, so that a reload does not lose them. */

import type { SessionView } from '../protocol.ts';
import type { History } from './history.ts';
import { setStoredSession } from './stored-session.ts';

const STORED = 'matchd.moves';
/** Characters. A browser gives a site about five million; a longer history is not stored. */
const STORED_CHARS_MAX = 1_500_000;

export interface StoredHistory {
  readonly history: History;
  /** The last position before the reload. */
  readonly last: SessionView;
}

/** Frames on other sites may be denied their storage: access to it then throws. */
export function storeHistory(history: History, last: SessionView): void {
  try {
    const text = JSON.stringify({ last, history: pack(history) });
    if (text.length > STORED_CHARS_MAX) sessionStorage.removeItem(STORED);
    else sessionStorage.setItem(STORED, text);
    setStoredSession(last.s);
  } catch {
    // Forbidden or full: the list then starts empty after a reload.
  }
}

/** This tab's stored history of the same seat of the same session; null for none. */
export function readHistory({ s, seat, v }: SessionView): StoredHistory | null {
  try {
    const stored = JSON.parse(sessionStorage.getItem(STORED) ?? 'null') as {
      readonly last: SessionView;
      readonly history: Packed;
    } | null;
    if (stored === null || stored.last.s !== s || stored.last.seat !== seat || stored.last.v > v)
      return null;
    return { last: stored.last, history: unpack(stored.history) };
  } catch {
    return null;
  }
}

/** Consecutive positions share theirs, so each is stored once: null means the one before. */
interface Packed {
  readonly start: SessionView | null;
  readonly moves: readonly (Omit<History['moves'][number], 'before'> & {
    readonly before: SessionView | null | 'previous';
  })[];
}

function pack({ start, moves }: History): Packed {
  return {
    start,
    moves: moves.map((made, n) => {
      const previous = n === 0 ? start : moves[n - 1]!.after;
      // A change of presence makes another session with the same position.
      const isSame = made.before !== null && made.before.view === previous?.view;
      return { ...made, before: isSame ? 'previous' : made.before };
    }),
  };
}

function unpack({ start, moves }: Packed): History {
  const unpacked: History['moves'][number][] = [];
  for (const made of moves) {
    const previous = unpacked.length === 0 ? start : unpacked.at(-1)!.after;
    unpacked.push({ ...made, before: made.before === 'previous' ? previous : made.before });
  }
  return { start, moves: unpacked };
}
