/** Requests with a key, collected and written in batches: no response waits for it (R1, D9). */

import type { EventWorld } from '../../events/event.ts';
import { makeTimeDigits } from '../../match/id-text.ts';
import type { JournalStore, RequestRow } from '../../store/journal.ts';
import type { TenancyStore } from '../../store/store.ts';
import { makeLogLimiter } from '../limits/log-limiter.ts';
import type { Clock } from '../ports.ts';
import { removeInSteps } from '../sweep-steps.ts';

/** Rows held at once; further ones before the next write are counted and dropped. */
const ROWS_MAX = 10_000;
const STORED_MS = 7 * 24 * 60 * 60 * 1_000;
/** Rows removed in one transaction, and transactions in one sweep. */
const STEP = 1_000;

export interface RequestLog {
  record(row: RequestRow): void;
  /** Requests with an inactive key: at most 20 a minute for each tenant, mode and reason, and 1,000 in all. */
  recordRefused(row: RequestRow): void;
  /** Writes the collected rows. To be called every second; a failed write is retried. */
  flush(): Promise<void>;
  /** Dropped requests since the start. */
  dropped(): number;
  /** Removes expired rows. Returns how many. */
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
  // The holder of a revoked key can send any number of requests. What is dropped here stays in the metrics.
  const refusals = makeLogLimiter(clock, () => {});
  const record = (row: RequestRow): void => {
    if (rows.length < ROWS_MAX) rows.push(row);
    else droppedCount += 1;
  };
  return {
    record,
    recordRefused(row) {
      // Half of the buffer is reserved for authenticated requests.
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
      const before = `req_${makeTimeDigits(clock.now() - STORED_MS)}`;
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
