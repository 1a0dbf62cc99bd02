/** Requests with a key, gathered and written down together: nobody's answer waits for it (R1, D9). */

import type { EventWorld } from '../events/event.ts';
import { makeTimeDigits } from '../match/id-text.ts';
import type { JournalStore, RequestRow } from '../store/journal.ts';
import type { TenancyStore } from '../store/store.ts';
import { makeLogLimiter } from './log-limiter.ts';
import type { Clock } from './ports.ts';
import { removeInSteps } from './sweep-steps.ts';

/** Rows held at once; what comes on top until the next write is counted and let go. */
const ROWS_MAX = 10_000;
const KEPT_MS = 7 * 24 * 60 * 60 * 1_000;
/** Rows removed in one transaction, and transactions in one sweep. */
const STEP = 1_000;

export interface RequestLog {
  record(row: RequestRow): void;
  /** One whose key was not let in: of each tenant, mode and reason 20 a minute, 1,000 of all. */
  recordRefused(row: RequestRow): void;
  /** Writes what was gathered. To be called every second; what could not be written is retried. */
  flush(): Promise<void>;
  /** Requests that were let go since the start. */
  dropped(): number;
  /** Removes what was kept long enough. Answers how many went. */
  sweep(signal?: AbortSignal): Promise<number>;
}

export function makeRequestLog(
  store: Pick<JournalStore, 'logRequests' | 'removeRequests'> & Pick<TenancyStore, 'listTenants'>,
  clock: Clock,
  /** Called for each world whose log has new rows, once they can be read. */
  changed: (world: EventWorld) => void = () => {},
): RequestLog {
  let rows: RequestRow[] = [];
  let droppedCount = 0;
  // Whoever has a key that was revoked asks as often as they like. What is left out here stays in the metrics.
  const refusals = makeLogLimiter(clock, () => {});
  const record = (row: RequestRow): void => {
    if (rows.length < ROWS_MAX) rows.push(row);
    else droppedCount += 1;
  };
  return {
    record,
    recordRefused(row) {
      // Of the room, half stays for requests that are answered.
      const isRoom = rows.length < ROWS_MAX / 2;
      if (isRoom && refusals.take(`${row.tenant} ${row.mode}`, String(row.refusal))) record(row);
    },
    async flush() {
      if (rows.length === 0) return;
      const taken = rows;
      rows = [];
      try {
        await store.logRequests(taken);
        for (const world of worldsOf(taken)) changed(world);
      } catch (error) {
        const held = [...taken, ...rows];
        rows = held.slice(0, ROWS_MAX);
        droppedCount += held.length - rows.length;
        throw error;
      }
    },
    dropped: () => droppedCount,
    async sweep(signal) {
      const before = `req_${makeTimeDigits(clock.now() - KEPT_MS)}`;
      const worlds = (await store.listTenants()).flatMap(({ id }) => [
        { id, mode: 'live' as const },
        { id, mode: 'test' as const },
      ]);
      const remove = ({ id, mode }: (typeof worlds)[number]): Promise<number> =>
        store.removeRequests(id, mode, before, STEP);
      return removeInSteps(clock, worlds, remove, signal);
    },
  };
}

function worldsOf(rows: readonly RequestRow[]): Iterable<EventWorld> {
  return new Map(
    rows.map(({ tenant, mode }) => [`${mode} ${tenant}`, { tenant, mode }] as const),
  ).values();
}
