/** What a commit changes besides the log: the session's row. Pure. */

import { checksWithout } from '../../integrity/checks.ts';
import type { Step } from '../../match/decide.ts';
import type { Session } from '../../match/session.ts';
import type { LeftSeat, SessionChange, SessionRow } from '../../store/store.ts';
import { pairingOfSetup } from '../pairing.ts';

/** A session before a commit. */
interface Before {
  readonly row: SessionRow;
  readonly session: Session;
  /** The store may hold its deadline. */
  readonly isAsleep: boolean;
}

/** With what the work itself asks for; null for nothing. */
export function changeOf(
  { row, session: before, isAsleep }: Before,
  steps: readonly Step[],
  asked: SessionChange | undefined,
): SessionChange | null {
  const { after } = steps.at(-1)!;
  const isFull = after.status === 'pending' && fills(steps);
  const left = before.status === 'pending' ? leave(row, steps) : null;
  if (after.status === before.status && !isAsleep && !isFull && left === null) return asked ?? null;
  return {
    ...asked,
    ...left,
    ...(isFull ? { full: true } : null),
    ...(isAsleep ? { awake: true } : null),
    ...(after.status !== before.status ? { status: after.status } : null),
    ...(before.status === 'active' && after.status === 'ended' ? { wasActive: true } : null),
    ...(before.status === 'pending' && after.status !== 'pending' && after.startedAt !== null
      ? { startedAt: after.startedAt }
      : null),
    ...(after.status === 'ended' ? { endedAt: after.endedAt } : null),
    ...(after.status === 'ended' ? botsOf(after) : null),
  };
}

/** The bots' scores are counted when the match ends. */
function botsOf({ seats }: Session): Pick<SessionChange, 'bots'> {
  const bots = seats.flatMap(({ isBot, level }, seat) => (isBot ? [{ seat, level }] : []));
  return bots.length === 0 ? {} : { bots };
}

/** What is removed with the seats that these steps open again; null when they open none. */
function leave(row: SessionRow, steps: readonly Step[]): SessionChange | null {
  const left = steps.flatMap(({ entry: { v, record } }): LeftSeat[] =>
    record.k === 'left' ? [{ seat: record.seat, v }] : [],
  );
  if (left.length === 0) return null;
  const { status, setup } = steps.at(-1)!.after;
  // Only seats of sessions from the queue are drawn.
  const isQueued = status === 'pending' && setup.seating === 'drawn';
  const seats = left.map(({ seat }) => seat);
  return {
    left,
    ...checksWithout(row, seats),
    ...(isQueued ? { requeued: { pairing: pairingOfSetup(setup) } } : null),
  };
}

/** Do these steps take the last open seat? */
function fills(steps: readonly Step[]): boolean {
  const isJoined = steps.some(({ entry }) => entry.record.k === 'joined');
  return isJoined && steps.at(-1)!.after.seats.every(({ taken }) => taken);
}

/** The row in the store after the change. */
export function rowAfter(before: SessionRow, change: SessionChange): SessionRow {
  const { integrity, seal } = change;
  const row = {
    ...before,
    ...(integrity === undefined ? null : { integrity }),
    ...(seal === undefined ? null : { seal }),
  };
  if (change.status === undefined) return row;
  return {
    ...row,
    status: change.status,
    startedAt: change.startedAt ?? row.startedAt,
    endedAt: change.endedAt ?? row.endedAt,
  };
}
