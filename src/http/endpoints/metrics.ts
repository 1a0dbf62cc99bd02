/** A tenant's figures over time (section 8a of SPEC.md). */

import { isProblem, makeChoiceProblem, makeProblem, type Problem } from '../../contract/errors.ts';
import { metricSeriesQuery, metricsQuery } from '../../contract/requests/metrics-requests.ts';
import { makeTime } from '../../match/frames/frames.ts';
import type { KeyMode } from '../../tenancy/tenant.ts';
import { type Anomaly, findAnomalies } from '../../tenant-metrics/anomalies.ts';
import { type Figures, requestsOf, type TimingName } from '../../tenant-metrics/figures.ts';
import { countOf, quantileOf } from '../../tenant-metrics/histogram.ts';
import type { StoredFigures } from '../../tenant-metrics/spans.ts';
import {
  divide,
  figuresByStep,
  type Span,
  STEP_MS,
  spanOf,
  total,
  WINDOWS,
  type WindowName,
} from '../../tenant-metrics/spans.ts';
import type { HttpDeps } from '../request/deps.ts';
import type { Caller, Endpoints, Reply } from '../request/exchange.ts';
import { makeReply } from '../request/exchange.ts';
import { readQuery } from '../request/query.ts';
import { timeOrNull } from '../request/session-answer.ts';

const DEFAULT_WINDOW: WindowName = '1h';
/** A mode's webhooks that are read; no plan has more. */
export const WEBHOOKS_MAX = 100;
/** A node that has not reported connections for this many minutes has none. */
const NOW_MINUTES = 2;

type MetricDeps = Pick<HttpDeps, 'metricStore' | 'planUse' | 'webhooks' | 'clock'>;

export function makeMetricEndpoints(
  deps: MetricDeps,
): Pick<Endpoints, 'getMetricSummary' | 'getMetricSeries'> {
  return {
    getMetricSummary({ query }, caller) {
      const asked = readQuery(metricsQuery, query);
      if (isProblem(asked)) return asked;
      const mode = asked.mode ?? caller.key.mode;
      const window = asked.window ?? DEFAULT_WINDOW;
      return { refusal: null, perform: () => summarize(deps, caller, mode, window) };
    },
    getMetricSeries({ query }, caller) {
      const asked = readQuery(metricSeriesQuery, query);
      if (isProblem(asked)) return asked;
      const mode = asked.mode ?? caller.key.mode;
      const window = asked.window ?? DEFAULT_WINDOW;
      const { steps } = WINDOWS[window];
      const step = asked.step ?? steps[0];
      if (!steps.includes(step)) return makeChoiceProblem('step', steps);
      const perform = async (): Promise<Reply | Problem> => {
        if (!caller.modes.includes(mode)) return makeProblem('not_found');
        const span = spanOf(window, step, deps.clock.now());
        const rows = await deps.metricStore.listMetrics(caller.tenant.id, mode, span.from);
        const data = divide(rows, span).map(({ at, figures }) => ({
          at: makeTime(at),
          ...figures.gauges,
          ...presentFigures(figures),
        }));
        return makeReply(200, { mode, window, step, ...presentSpan(span), data });
      };
      return { refusal: null, perform };
    },
  };
}

async function summarize(
  { metricStore, planUse, webhooks, clock }: MetricDeps,
  { tenant, modes, limits }: Caller,
  mode: KeyMode,
  window: WindowName,
): Promise<Reply | Problem> {
  if (!modes.includes(mode)) return makeProblem('not_found');
  const now = clock.now();
  const span = spanOf(window, WINDOWS[window].steps[0], now);
  const month = new Date(now).toISOString().slice(0, 7);
  const [rows, matchesInPlay, use, endpoints] = await Promise.all([
    metricStore.listMetrics(tenant.id, mode, span.from),
    metricStore.countActiveOf(tenant.id, mode),
    planUse(tenant.id, mode, month),
    webhooks.list({ tenant: tenant.id, mode, before: null, limit: WEBHOOKS_MAX }),
  ]);
  const usage = {
    sessionsThisMonth:
      mode === 'live' ? { used: use.monthSessions, limit: limits.sessionsPerMonth } : null,
    openSessions: { used: use.openSessions, limit: limits.openSessions },
  };
  const anomalies = findAnomalies({
    now,
    minutes: divide(rows, spanOf('1h', '1m', now)),
    webhooks: endpoints,
    monthSessions: usage.sessionsThisMonth,
    openSessions: usage.openSessions,
  });
  return makeReply(200, {
    mode,
    window,
    ...presentSpan(span),
    now: { matchesInPlay, playersConnected: playersNow(rows, span) },
    ...presentFigures(total(rows, span)),
    usage,
    anomalies: anomalies.map(presentAnomaly),
  });
}

/** The newest of the last minutes that any node has reported. */
function playersNow(rows: readonly StoredFigures[], { to }: Span): number {
  const from = to - NOW_MINUTES * STEP_MS['1m'];
  const newest = rows.filter(({ stepMs, at }) => stepMs === STEP_MS['1m'] && at >= from);
  return figuresByStep(newest).at(-1)?.figures.gauges.playersConnected ?? 0;
}

function presentSpan({ from, to }: Span) {
  return { from: makeTime(from), to: makeTime(to) };
}

function presentFigures(figures: Figures) {
  const { counts, timings } = figures;
  const { succeeded, refused, limited, failed } = counts;
  const durations = (name: TimingName) => {
    const histogram = timings[name];
    return {
      p50Ms: histogram === null ? null : quantileOf(histogram, 0.5),
      p99Ms: histogram === null ? null : quantileOf(histogram, 0.99),
    };
  };
  const counted = (name: TimingName) => {
    const histogram = timings[name];
    return { total: histogram === null ? 0 : countOf(histogram), ...durations(name) };
  };
  return {
    sessions: {
      created: counts.sessionsCreated,
      started: counts.sessionsStarted,
      ended: counts.sessionsEnded,
    },
    requests: {
      total: requestsOf(figures),
      succeeded,
      refused,
      limited,
      failed,
      ...durations('requests'),
    },
    moves: counted('moves'),
    queueWaits: counted('queueWaits'),
    webhooks: {
      delivered: counts.delivered,
      failed: counts.undelivered,
      ...durations('deliveries'),
    },
  };
}

function presentAnomaly({ since, ...anomaly }: Anomaly): object {
  return { ...anomaly, since: timeOrNull(since) };
}
