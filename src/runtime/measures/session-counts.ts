/** Counts sessions as they come to each state. */

import type { SessionRow } from '../../store/store.ts';
import type { Instruments } from './instruments.ts';
import type { TenantMetrics } from './tenant-metrics.ts';

interface Counting {
  readonly instruments: Instruments;
  readonly tenantMetrics: TenantMetrics;
}

/** A hosted session begins as it is made. */
export const makeCountStarted =
  ({ instruments, tenantMetrics }: Counting) =>
  (row: SessionRow, waitedMs: readonly number[]): void => {
    const { game, mode } = row;
    instruments.countSession(game, mode, 'active');
    tenantMetrics.session(row, 'sessionsCreated');
    tenantMetrics.session(row, 'sessionsStarted');
    for (const ms of waitedMs) {
      instruments.timeToMatch(game, mode, 'hosted').observe(ms / 1_000);
      tenantMetrics.waited(row, ms);
    }
  };

export function countStatus({ instruments, tenantMetrics }: Counting, row: SessionRow): void {
  const { game, mode, status, matchType, createdAt, startedAt } = row;
  if (status === 'pending') return;
  instruments.countSession(game, mode, status);
  tenantMetrics.session(row, status === 'active' ? 'sessionsStarted' : 'sessionsEnded');
  if (status !== 'active' || matchType !== 'matchmaking' || startedAt === null) return;
  const waitedMs = startedAt - createdAt;
  instruments.timeToMatch(game, mode, 'queue').observe(waitedMs / 1_000);
  tenantMetrics.waited(row, waitedMs);
}
