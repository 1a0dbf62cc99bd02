/** What a commit changes beside its log: the row of its session. Pure. */

import { checksWithout } from '../integrity/checks.ts';
import type { Step } from '../match/decide.ts';
import type { Session } from '../match/session.ts';
import type { LeftSeat, SessionChange, SessionRow } from '../store/store.ts';
import { pairingOfSetup } from './pairing.ts';

/** The seats that steps open again. */
export function leftSeats(steps: readonly Step[]): readonly LeftSeat[] {
  return steps.flatMap(({ entry: { v, record } }) =>
    record.k === 'left' ? [{ seat: record.seat, v }] : [],
  );
}

/** With what the work itself asks for; null for nothing. `asleep`: the store may hold its deadline. */
export function changeOf(
  {
    row,
    session: before,
    asleep,
  }: { readonly row: SessionRow; readonly session: Session; readonly asleep: boolean },
  steps: readonly Step[],
  asked: SessionChange | undefined,
): SessionChange | null {
  const { after } = steps.at(-1)!;
  const isFull = after.status === 'pending' && fills(steps);
  const left = leftSeats(steps);
  const hasLeft = left.length > 0;
  if (after.status === before.status && !asleep && !isFull && !hasLeft) return asked ?? null;
  return {
    ...asked,
    ...(hasLeft ? { left } : null),
    ...(hasLeft
      ? checksWithout(
          row,
          left.map(({ seat }) => seat),
        )
      : null),
    ...(hasLeft && isQueuedStill(after)
      ? { requeued: { pairing: pairingOfSetup(after.setup) } }
      : null),
    ...(isFull ? { full: true } : null),
    ...(asleep ? { awake: true } : null),
    ...(after.status !== before.status ? { status: after.status } : null),
    ...(before.status === 'active' && after.status === 'ended' ? { wasActive: true } : null),
    ...(before.status === 'pending' && after.status !== 'pending' && after.startedAt !== null
      ? { startedAt: after.startedAt }
      : null),
    ...(after.status === 'ended' ? { endedAt: after.endedAt } : null),
  };
}

/** Is it from the queue, and waits for players? Only such a session's seats are drawn. */
function isQueuedStill({ status, setup }: Session): boolean {
  return status === 'pending' && setup.seating === 'drawn';
}

/** Do these steps take the last open seat? */
function fills(steps: readonly Step[]): boolean {
  const isJoined = steps.some(({ entry }) => entry.record.k === 'joined');
  return isJoined && steps.at(-1)!.after.seats.every(({ taken }) => taken);
}

/** The row as the store has it after the change. */
export function rowAfter(before: SessionRow, change: SessionChange): SessionRow {
  const { integrity } = change;
  const row = integrity === undefined ? before : { ...before, integrity };
  if (change.status === undefined) return row;
  return {
    ...row,
    status: change.status,
    startedAt: change.startedAt ?? row.startedAt,
    endedAt: change.endedAt ?? row.endedAt,
  };
}
