/** A world's present use of its plan, and its use by day and month. */

import { makeProblem, type Problem } from '../../../contract/errors.ts';
import type { FieldsOf } from '../../../contract/routes/dashboard-routes.ts';
import { makeDay } from '../../../match/frames/frames.ts';
import { parseDays, readUsage, usageCsv } from '../../../runtime/measures/usage-report.ts';
import type { UsageCount, UsageKind } from '../../../store/journal.ts';
import { limitsOf } from '../../../tenancy/tenant.ts';
import { requestsOf } from '../../../tenant-metrics/figures.ts';
import { figuresByStep, STEP_MS } from '../../../tenant-metrics/spans.ts';
import { WEBHOOKS_MAX } from '../../endpoints/metrics.ts';
import { makeStreamReply, type Reply } from '../../request/exchange.ts';
import { wholeText } from '../../request/text-stream.ts';
import type { SiteDeps } from '../deps.ts';
import { ok, type WorldRequest } from '../request/dashboard-request.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const DAYS = 30;
const MONTHS = 12;

type UsageDeps = Pick<
  SiteDeps,
  'clock' | 'webhooks' | 'streams' | 'metricStore' | 'dashboard' | 'planUse'
>;

export function makeUsageEndpoints(deps: UsageDeps) {
  return {
    usage: (asked: WorldRequest) => usage(deps, asked),
    exportUsage: (asked: WorldRequest<FieldsOf<'exportUsage'>>) => exportUsage(deps, asked),
  };
}

/** Days and months without a request are left out: the page fills them in. */
async function usage(deps: UsageDeps, asked: WorldRequest): Promise<Reply> {
  const { dashboard, clock } = deps;
  const { tenant, world } = asked;
  const now = clock.now();
  const from = makeDay(now - (DAYS - 1) * DAY_MS);
  const [counts, use] = await Promise.all([
    dashboard.journal.listUsage(tenant.id, world, firstMonth(now)),
    useNow(deps, asked),
  ]);
  return ok({
    plan: tenant.plan,
    month: makeDay(now).slice(0, 7),
    from,
    to: makeDay(now),
    use,
    limits: limitsOf(tenant),
    counts: counts.filter(({ day }) => day >= from),
    months: byMonth(counts),
  });
}

/** By the plan's limits; null when a world has no such count. */
async function useNow(
  { clock, webhooks, streams, metricStore, dashboard, planUse }: UsageDeps,
  { tenant, world }: WorldRequest,
) {
  const now = clock.now();
  const today = makeDay(now);
  const [use, live, test, peaks, rows] = await Promise.all([
    planUse(tenant.id, world, today.slice(0, 7)),
    webhooks.list({ tenant: tenant.id, mode: 'live', before: null, limit: WEBHOOKS_MAX }),
    webhooks.list({ tenant: tenant.id, mode: 'test', before: null, limit: WEBHOOKS_MAX }),
    dashboard.journal.listPeaks(tenant.id, today, today),
    metricStore.listMetrics(tenant.id, world, now - HOUR_MS),
  ]);
  const minutes = figuresByStep(rows.filter(({ stepMs }) => stepMs === STEP_MS['1m']));
  const requests = minutes.map(({ figures }) => requestsOf(figures));
  return {
    /** In the busiest minute of the last hour. */
    requestsPerMinute: Math.max(0, ...requests),
    sessionsPerMonth: world === 'live' ? use.monthSessions : null,
    openSessions: use.openSessions,
    /** Today's peak, over all nodes. */
    sockets: peaks.find(({ kind, mode }) => kind === 'sockets' && mode === world)?.peak ?? 0,
    openTickets: use.openTickets,
    /** Of both worlds, as the plan counts. */
    webhooks: live.length + test.length,
    /** On this node. */
    eventStreams: streams.countHere({ tenant: tenant.id, mode: world }),
  };
}

/** The first day of the oldest month that is shown. */
function firstMonth(now: number): string {
  const date = new Date(now);
  return makeDay(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - MONTHS + 1, 1));
}

function byMonth(counts: readonly UsageCount[]): readonly {
  readonly month: string;
  readonly kind: UsageKind;
  readonly count: number;
}[] {
  const months = Map.groupBy(counts, ({ day, kind }) => `${day.slice(0, 7)} ${kind}`);
  return Array.from(months.values(), (rows) => ({
    month: rows[0]!.day.slice(0, 7),
    kind: rows[0]!.kind,
    count: rows.reduce((sum, { count }) => sum + count, 0),
  }));
}

/** By key and day, for billing: of the world's own keys (rule D7). */
async function exportUsage(
  { dashboard: { journal, keys }, clock }: UsageDeps,
  { fields, tenant, world }: WorldRequest<FieldsOf<'exportUsage'>>,
): Promise<Reply | Problem> {
  const days = parseDays(fields.from, fields.to, clock.now());
  if (days === null) return makeProblem('invalid_field', { field: 'from' });
  const [report, all] = await Promise.all([
    readUsage(journal, tenant.id, days),
    keys.list(tenant.id),
  ]);
  const ours = new Set(all.filter(({ mode }) => mode === world).map(({ id }) => id));
  const csv = usageCsv({
    usage: report.usage.filter(({ keyId }) => ours.has(keyId)),
    peaks: report.peaks.filter(({ mode }) => mode === world),
  });
  return makeStreamReply(wholeText('text/csv; charset=utf-8', csv));
}
