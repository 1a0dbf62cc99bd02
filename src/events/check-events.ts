/** The event of a device's check (rule E1): told with the commit that brings its verdict to a seat. */

import type { SeatCheck } from '../integrity/checks.ts';
import type { EventWorld, NewEvent } from './event.ts';

/** None of what was not checked. Training tells nobody. */
export function makeCheckEvents(
  { tenant, mode }: EventWorld,
  session: string,
  checks: readonly SeatCheck[],
  at: number,
  makeId: () => string,
): readonly NewEvent[] {
  if (mode === 'training') return [];
  const told = checks.filter(({ verdict }) => verdict.status !== 'skipped');
  return told.map(({ seat, verdict }) => {
    const data = JSON.stringify({ seat, ...verdict });
    return { id: makeId(), tenant, mode, type: 'integrity.checked', session, at, data };
  });
}
