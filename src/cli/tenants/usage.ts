/** `matchd usage`: the use of a tenant's keys by day, and the daily peaks, for billing. */

import {
  parseDays,
  REPORT_DAYS_MAX,
  readUsage,
  usageCsv,
} from '../../runtime/measures/usage-report.ts';
import { findTenant, type Workshop } from '../store/workshop.ts';
import { type Answer, isRefusal, wrongUsage } from '../terminal/answer.ts';
import { printTable } from '../terminal/text-table.ts';

export interface UsageOptions {
  readonly tenant: string;
  readonly from?: string;
  readonly to?: string;
  readonly csv?: boolean;
  readonly json?: boolean;
}

export async function showUsage(
  { store, clock }: Workshop,
  { tenant: name, from, to, csv = false, json = false }: UsageOptions,
): Promise<Answer> {
  if (csv && json) return wrongUsage('--csv and --json exclude each other');
  const days = parseDays(from, to, clock.now());
  if (days === null) {
    return wrongUsage(`--from and --to: expected days (2026-11-01), ${REPORT_DAYS_MAX} at most`);
  }
  const tenant = await findTenant(store, name);
  if (isRefusal(tenant)) return tenant;
  const report = await readUsage(store, tenant.id, days);
  const shown = { tenant: tenant.id, ...report };
  // Whole lines: what prints adds the last one's end.
  if (csv) return { json: shown, text: usageCsv(report).replace(/\r\n$/, '') };
  const rows = report.usage.map(({ day, mode, keyId, kind, game, count }) => [
    day,
    mode,
    keyId,
    kind,
    game ?? '',
    `${count}`,
  ]);
  const peaks = report.peaks.map(({ day, mode, kind, peak }) => [day, mode, kind, `${peak}`]);
  return {
    json: shown,
    text: [
      printTable(['DAY', 'MODE', 'KEY', 'WHAT', 'GAME', 'COUNT'], rows, 'No usage in these days.'),
      printTable(['DAY', 'MODE', 'MOST AT ONCE', 'COUNT'], peaks, 'No peaks in these days.'),
    ].join('\n\n'),
  };
}
