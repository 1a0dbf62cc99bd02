/** Delays the end of a match while its board still animates it: the page announces the result afterwards. */

import type { BoardModule } from './games/board-view.ts';
import type { ConnectionEvent, SessionView } from './protocol.ts';

type SessionEvent = Extract<ConnectionEvent, { kind: 'session' }>;

export interface HeldEnd {
  /** The session that its board already shows; null while nothing is delayed. */
  readonly session: SessionView | null;
  /** Whether this event is delayed. It is released later, or a newer one in its place. */
  holds(event: SessionEvent, before: SessionView | null, board: BoardModule | null): boolean;
}

export function makeHeldEnd(release: (event: SessionEvent) => void): HeldEnd {
  let held: SessionEvent | null = null;
  return {
    get session() {
      return held?.session ?? null;
    },
    holds(event, before, board) {
      if (held === null) {
        const { status, result } = event.session;
        // A page opened after the end has no animation to wait for.
        if (before?.status !== 'active' || status !== 'ended' || result === null) return false;
        const ms = board?.endingMs?.(result) ?? 0;
        if (ms === 0) return false;
        setTimeout(() => {
          const last = held!;
          held = null;
          release(last);
        }, ms);
      }
      held = event;
      return true;
    },
  };
}
