/** A tenant's billable usage: counts by key and day, and peaks by day, as one table (rule D9). */

import { makeDay } from '../../match/frames/frames.ts';
import type { JournalStore, KeyUsage, UsagePeak } from '../../store/journal.ts';

/** Both days included, as `2026-11-21`, UTC. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

export interface UsageReport extends Days {
  readonly usage: readonly KeyUsage[];
  readonly peaks: readonly UsagePeak[];
}

/** The longest time that one report covers. */
export const REPORT_DAYS_MAX = 400;

const DAY_MS = 86_400_000;

/** The month of `now` up to its day, unless other days are requested; null for invalid days. */
export function parseDays(
  from: string | undefined,
  to: string | undefined,
  now: number,
): Days | null {
  const today = makeDay(now);
  const last = to ?? today;
  const first = from ?? `${last.slice(0, 7)}-01`;
  if (!isDay(first) || !isDay(last)) return null;
  const days = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;
  return days >= 1 && days <= REPORT_DAYS_MAX ? { from: first, to: last } : null;
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = Date.parse(text);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

export async function readUsage(
  store: Pick<JournalStore, 'listKeyUsage' | 'listPeaks'>,
  tenant: string,
  { from, to }: Days,
): Promise<UsageReport> {
  const [usage, peaks] = await Promise.all([
    store.listKeyUsage(tenant, from, to),
    store.listPeaks(tenant, from, to),
  ]);
  return { from, to, usage, peaks };
}

const PEAK_NAMES = { openSessions: 'peak_open_sessions', sockets: 'peak_sockets' } as const;

/** RFC 4180, with a header line. No field can contain a comma, a quote or the start of a formula. */
export function usageCsv({ usage, peaks }: Pick<UsageReport, 'usage' | 'peaks'>): string {
  const rows = [
    ...usage.map(({ day, mode, keyId, kind, game, count }) =>
      [day, mode, keyId, kind, game ?? '', count].join(),
    ),
    ...peaks.map(({ day, mode, kind, peak }) => [day, mode, '', PEAK_NAMES[kind], '', peak].join()),
  ];
  return ['day,mode,key,measure,game,count', ...rows.sort()].map((row) => `${row}\r\n`).join('');
}
