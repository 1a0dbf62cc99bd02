/** Usage: each limit of the plan and its use, and use by hour, day and month. */

import { useMemo } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { API_BASE } from '../api.ts';
import { Chart } from '../chart/chart.tsx';
import type { Series } from '../chart/data.ts';
import { useHere } from '../here.ts';
import { Meter } from '../parts/meter.tsx';
import { Answer } from '../parts/states.tsx';
import { useAnswer } from '../query.ts';
import type { MetricSeries, Usage } from '../types.ts';
import { number } from '../words/number.ts';

const DAY_MS = 86_400_000;
const MONTHS = 12;

export function UsagePage() {
  const { api } = useHere();
  const usage = useAnswer<Usage>(`${api}/usage`, [
    'requests',
    'sessions',
    'tickets',
    'webhooks',
    'metrics',
  ]);
  return (
    <div>
      <h1>Usage</h1>
      <Answer of={usage}>
        {(found) => (
          <>
            <p class="lead">Plan: {found.plan}. Days and months are in UTC.</p>
            <Limits usage={found} />
            <ByTime usage={found} />
            <Export usage={found} />
          </>
        )}
      </Answer>
    </div>
  );
}

interface Limit {
  readonly name: string;
  readonly label: string;
  /** What the value is. */
  readonly note: string;
}

const LIMITS: readonly Limit[] = [
  {
    name: 'requestsPerMinute',
    label: 'Requests a minute',
    note: 'The busiest minute of the last hour. More are refused with 429.',
  },
  {
    name: 'sessionsPerMonth',
    label: 'Live sessions a month',
    note: 'Counted since the first of the month.',
  },
  { name: 'openSessions', label: 'Open sessions', note: 'Pending and active now.' },
  { name: 'sockets', label: 'Open sockets', note: 'The most at once today.' },
  { name: 'openTickets', label: 'Open tickets', note: 'Forming and promoted now.' },
  { name: 'webhooks', label: 'Webhooks', note: 'Of test and live mode together.' },
  {
    name: 'eventStreams',
    label: 'Event streams',
    note: 'Open now, on the node that answers.',
  },
];

/** Limits without a counter. */
const TERMS: readonly Limit[] = [
  {
    name: 'webhookRetries',
    label: 'Retries of a webhook delivery',
    note: 'Spread over about a day.',
  },
  {
    name: 'retentionDays',
    label: 'Days that live sessions are kept',
    note: 'With their logs and replays, after the end.',
  },
];

function Limits({ usage: { use, limits } }: { readonly usage: Usage }) {
  const { world } = useHere();
  const limitOf = (name: string): string => {
    const limit = limits[name] ?? null;
    return limit === null ? 'no limit' : number(limit);
  };
  return (
    <section class="card limits">
      <h2>Limits of the plan</h2>
      {LIMITS.map(({ name, label, note }) => {
        const used = use[name] ?? null;
        return used === null ? (
          <Term key={name} label={label} value={limitOf(name)}>
            {`Not counted in ${world} mode.`}
          </Term>
        ) : (
          <Meter key={name} label={label} used={used} limit={limits[name] ?? null} note={note} />
        );
      })}
      {TERMS.map(({ name, label, note }) => (
        <Term key={name} label={label} value={limitOf(name)}>
          {note}
        </Term>
      ))}
    </section>
  );
}

function Term({
  label,
  value,
  children,
}: {
  readonly label: string;
  readonly value: string;
  readonly children: string;
}) {
  return (
    <div class="meter">
      <span>{label}</span>
      <span class="muted">{value}</span>
      <span class="hint">{children}</span>
    </div>
  );
}

// ── use over time ──────────────────────────────────────────────────────────────────────────────

const STEPS = [
  ['hour', 'Hours', 'the last 7 days'],
  ['day', 'Days', 'the last 30 days'],
  ['month', 'Months', 'the last 12 months'],
] as const;
type By = (typeof STEPS)[number][0];

function ByTime({ usage }: { readonly usage: Usage }) {
  const { path, query } = useLocation();
  const by = STEPS.find(([name]) => name === query['by'])?.[0] ?? 'day';
  return (
    <>
      <div class="window">
        <h2>Use over time</h2>
        {/* biome-ignore lint/a11y/useSemanticElements: links are no fieldset */}
        <div class="choice" role="group" aria-label="Step">
          {STEPS.map(([name, label]) => (
            <a
              key={name}
              href={`${path}?by=${name}`}
              aria-current={name === by ? 'true' : undefined}
            >
              {label}
            </a>
          ))}
        </div>
      </div>
      {by === 'hour' ? <Hours /> : <Charts by={by} counted={counted(usage, by)} />}
    </>
  );
}

/** Counts by kind, one for each step. */
interface Counted {
  readonly at: readonly string[];
  readonly of: (kind: string) => readonly number[];
}

function Hours() {
  const { api } = useHere();
  const path = `${api}/v1/metrics/series?window=7d&step=1h`;
  const series = useAnswer<MetricSeries>(path, ['metrics']);
  return (
    <Answer of={series}>
      {({ data }) => (
        <Charts
          by="hour"
          counted={{
            at: data.map(({ at }) => at),
            of: (kind) =>
              data.map(({ sessions, requests }) => {
                if (kind === 'sessions') return sessions.created;
                if (kind === 'requests') return requests.total;
                return requests[kind as 'refused' | 'limited' | 'failed'];
              }),
          }}
        />
      )}
    </Answer>
  );
}

/** Steps without a request are missing in the response, and are shown as zero. */
function counted({ from, to, counts, months }: Usage, by: 'day' | 'month'): Counted {
  const rows =
    by === 'day'
      ? counts.map(({ day, kind, count }) => [`${day} ${kind}`, count] as const)
      : months.map(({ month, kind, count }) => [`${month} ${kind}`, count] as const);
  const known = new Map(rows);
  const steps = by === 'day' ? daysOf(from, to) : monthsTo(to);
  return {
    at: steps.map((step) => new Date(step).toISOString()),
    of: (kind) => steps.map((step) => known.get(`${step} ${kind}`) ?? 0),
  };
}

function daysOf(from: string, to: string): readonly string[] {
  const days: string[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS) {
    days.push(new Date(at).toISOString().slice(0, 10));
  }
  return days;
}

function monthsTo(to: string): readonly string[] {
  const last = new Date(to);
  return Array.from({ length: MONTHS }, (_, i) =>
    new Date(Date.UTC(last.getUTCFullYear(), last.getUTCMonth() - MONTHS + 1 + i, 1))
      .toISOString()
      .slice(0, 7),
  );
}

interface KindChart extends Pick<Series, 'color'> {
  readonly kind: string;
  readonly title: string;
  readonly empty: string;
}

const CHARTS: readonly KindChart[] = [
  { kind: 'sessions', color: 'accent', title: 'Sessions created', empty: 'No sessions.' },
  { kind: 'requests', color: 'accent', title: 'Requests', empty: 'No requests.' },
  {
    kind: 'refused',
    color: 'amber',
    title: 'Requests refused',
    empty: 'No requests were refused (4xx).',
  },
  {
    kind: 'limited',
    color: 'blue',
    title: 'Requests over the limit',
    empty: 'No requests were over the limit (429).',
  },
  {
    kind: 'failed',
    color: 'red',
    title: 'Requests that failed',
    empty: 'No requests failed (5xx).',
  },
];

function Charts({ by, counted: { at, of } }: { readonly by: By; readonly counted: Counted }) {
  return (
    <div class="charts">
      {CHARTS.map((chart) => (
        <Bars key={`${by} ${chart.kind}`} chart={chart} by={by} at={at} values={of(chart.kind)} />
      ))}
    </div>
  );
}

function Bars({
  chart: { title, color, empty },
  by,
  at,
  values,
}: {
  readonly chart: KindChart;
  readonly by: By;
  readonly at: readonly string[];
  readonly values: readonly number[];
}) {
  const series = useMemo(() => [{ name: title, color, values }], [at.join(), values.join()]);
  const total = values.reduce((sum, each) => sum + each, 0);
  const words = STEPS.find(([name]) => name === by)![2];
  return (
    <Chart
      at={at}
      series={series}
      step={{ hour: '1h', day: '1d', month: '1mo' }[by]}
      unit=""
      isBars
      title={title}
      summary={`${number(total)} in ${words}, at most ${number(Math.max(...values))} in one ${by}`}
      empty={empty}
    />
  );
}

/** By key, with the daily peaks. */
function Export({ usage: { from, to } }: { readonly usage: Usage }) {
  const { api, world } = useHere();
  return (
    <p class="hint">
      <a
        download={`usage-${world}-${from}-${to}.csv`}
        href={`${API_BASE}${api}/usage.csv?from=${from}&to=${to}`}
      >
        Export usage by key as CSV
      </a>
    </p>
  );
}
