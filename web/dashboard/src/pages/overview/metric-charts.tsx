/** A window's metrics over time, each chart with its words and a table. */

import { useMemo } from 'preact/hooks';
import { Chart } from '../../chart/chart.tsx';
import type { Series } from '../../chart/data.ts';
import { useHere } from '../../here.ts';
import { Answer } from '../../parts/states.tsx';
import { useAnswer } from '../../query.ts';
import type { MetricPoint, MetricSeries } from '../../types.ts';
import { duration } from '../../words/duration.ts';
import { number } from '../../words/number.ts';
import { type MetricWindow, windowWords } from './metric-window.tsx';

type Value = (point: MetricPoint) => number | null;

interface Line extends Omit<Series, 'values'> {
  readonly of: Value;
}

interface ChartOf {
  readonly title: string;
  readonly unit: '' | 'ms';
  readonly isBars?: boolean;
  readonly lines: readonly Line[];
  /** The chart in words. */
  summary(points: readonly MetricPoint[]): string;
  readonly empty: string;
}

const most = (points: readonly MetricPoint[], of: Value): number =>
  Math.max(0, ...points.map((point) => of(point) ?? 0));
const sum = (points: readonly MetricPoint[], of: Value): string =>
  number(points.reduce((total, point) => total + (of(point) ?? 0), 0));

const timing = (title: string, of: (point: MetricPoint) => Timing, empty: string): ChartOf => ({
  title,
  unit: 'ms',
  lines: [
    { name: 'p50', color: 'accent', of: (point) => of(point).p50Ms },
    { name: 'p99', color: 'amber', of: (point) => of(point).p99Ms },
  ],
  summary: (points) => {
    const slowest = most(points, (point) => of(point).p99Ms);
    return `p50 at most ${duration(most(points, (point) => of(point).p50Ms))}, p99 at most ${duration(slowest)}`;
  },
  empty,
});

type Timing = Pick<MetricPoint['moves'], 'p50Ms' | 'p99Ms'>;

const CHARTS: readonly ChartOf[] = [
  {
    title: 'Matches in play and players connected',
    unit: '',
    lines: [
      { name: 'matches', color: 'accent', of: ({ matchesInPlay }) => matchesInPlay },
      { name: 'players', color: 'blue', of: ({ playersConnected }) => playersConnected },
    ],
    summary: (points) =>
      `at most ${number(most(points, (point) => point.matchesInPlay))} matches and ${number(most(points, (point) => point.playersConnected))} players at once`,
    empty: 'No matches.',
  },
  {
    title: 'Sessions',
    unit: '',
    lines: [
      { name: 'created', color: 'accent', of: ({ sessions }) => sessions.created },
      { name: 'ended', color: 'blue', of: ({ sessions }) => sessions.ended },
    ],
    summary: (points) =>
      `${sum(points, (point) => point.sessions.created)} created, ${sum(points, (point) => point.sessions.ended)} ended`,
    empty: 'No sessions.',
  },
  {
    title: 'Requests',
    unit: '',
    lines: [{ name: 'requests', color: 'accent', of: ({ requests }) => requests.total }],
    summary: (points) => `${sum(points, (point) => point.requests.total)} requests`,
    empty: 'No requests.',
  },
  {
    title: 'Requests that did not succeed',
    unit: '',
    lines: [
      { name: 'failed (5xx)', color: 'red', of: ({ requests }) => requests.failed },
      { name: 'refused (4xx)', color: 'amber', of: ({ requests }) => requests.refused },
      { name: 'over a limit (429)', color: 'blue', of: ({ requests }) => requests.limited },
    ],
    summary: (points) =>
      `${sum(points, (point) => point.requests.failed)} failed, ${sum(points, (point) => point.requests.refused)} refused, ${sum(points, (point) => point.requests.limited)} over a limit`,
    empty: 'All requests succeeded.',
  },
  timing('Request time', ({ requests }) => requests, 'No requests.'),
  timing('Time until a move is acknowledged', ({ moves }) => moves, 'No moves.'),
  timing('Wait in the queue', ({ queueWaits }) => queueWaits, 'No players queued.'),
  {
    title: 'Webhook deliveries',
    unit: '',
    lines: [
      { name: 'delivered', color: 'green', of: ({ webhooks }) => webhooks.delivered },
      { name: 'failed', color: 'red', of: ({ webhooks }) => webhooks.failed },
    ],
    summary: (points) =>
      `${sum(points, (point) => point.webhooks.delivered)} delivered, ${sum(points, (point) => point.webhooks.failed)} failed`,
    empty: 'No deliveries.',
  },
];

export function MetricCharts({ window }: { readonly window: MetricWindow }) {
  const { api } = useHere();
  const series = useAnswer<MetricSeries>(`${api}/v1/metrics/series?window=${window}`, ['metrics']);
  return (
    <Answer of={series}>
      {(found) => (
        <div class="charts">
          {CHARTS.map((chart) => (
            <OneChart key={chart.title} chart={chart} series={found} window={window} />
          ))}
        </div>
      )}
    </Answer>
  );
}

function OneChart({
  chart,
  series: { data, step },
  window,
}: {
  readonly chart: ChartOf;
  readonly series: MetricSeries;
  readonly window: MetricWindow;
}) {
  const { title, unit, lines, empty } = chart;
  const drawn = useMemo(
    () => ({
      at: data.map(({ at }) => at),
      series: lines.map(({ name, color, of }) => ({ name, color, values: data.map(of) })),
    }),
    [data],
  );
  return (
    <Chart
      {...drawn}
      title={title}
      unit={unit}
      step={step}
      summary={`${chart.summary(data)} in ${windowWords(window)}`}
      empty={empty}
    />
  );
}
