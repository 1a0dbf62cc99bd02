/** The event of a device's check (rule E1): told with the commit that keeps its verdict. */

import { readChecks } from '../integrity/checks.ts';
import type { EventWorld, NewEvent } from './event.ts';

/** Of the latest of a session's checks; none when nothing was checked. Training tells nobody. */
export function makeCheckEvents(
  { tenant, mode }: EventWorld,
  session: string,
  integrity: string | undefined,
  at: number,
  makeId: () => string,
): readonly NewEvent[] {
  const latest = readChecks(integrity).at(-1);
  if (latest === undefined || latest.verdict.status === 'skipped' || mode === 'training') return [];
  const data = JSON.stringify({ seat: latest.seat, ...latest.verdict });
  return [{ id: makeId(), tenant, mode, type: 'integrity.checked', session, at, data }];
}
