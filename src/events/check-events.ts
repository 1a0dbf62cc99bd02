/**
 * The event of a device check (rule E1): written with the commit that brings its verdict to a seat.
 */

import type { SeatCheck } from '../integrity/checks.ts';
import type { Entry } from '../match/record.ts';
import type { EventWorld, NewEvent } from './event.ts';

/** None without a check. Training has no events. `v` is the record that seats the players. */
export function makeCheckEvents(
  { tenant, mode }: EventWorld,
  session: string,
  checks: readonly SeatCheck[],
  { v, at }: Pick<Entry, 'v' | 'at'>,
  makeId: () => string,
): readonly NewEvent[] {
  if (mode === 'training') return [];
  const told = checks.filter(({ verdict }) => verdict.status !== 'skipped');
  return told.map(({ seat, verdict }) => {
    const data = JSON.stringify({ v, seat, ...verdict });
    return { id: makeId(), tenant, mode, type: 'integrity.checked', session, at, data };
  });
}
