/** The overview: current state, problems, and metrics over a window. */

import { useHere, usePageUrl } from '../../here.ts';
import { Id } from '../../parts/copy.tsx';
import { KeyAlerts } from '../../parts/key-alerts.tsx';
import { SlowGames } from '../../parts/slow-games.tsx';
import { Answer } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { exactTime, Time } from '../../parts/time.tsx';
import { useAnswer } from '../../query.ts';
import type { Anomaly, EventRow, MetricSummary, Step } from '../../types.ts';
import { FirstCall, GettingStarted } from './first-steps.tsx';
import { MetricCharts } from './metric-charts.tsx';
import { MetricTiles } from './metric-tiles.tsx';
import { useWindow, WindowChoice } from './metric-window.tsx';

interface Happened {
  readonly steps: readonly Step[];
  readonly events: readonly EventRow[];
}

export function Overview() {
  const { api, place, world } = useHere();
  const window = useWindow();
  const summary = useAnswer<MetricSummary>(`${api}/v1/metrics/summary?window=${window}`, [
    'metrics',
    'sessions',
    'webhooks',
  ]);
  const happened = useAnswer<Happened>(`${api}/overview`, [
    'sessions',
    'tickets',
    'webhooks',
    'keys',
  ]);
  // Before the first match has ended there is little to see, and much to do.
  const steps = happened.data?.steps ?? [];
  const isNew = steps.some(({ name, at }) => name === 'match_ended' && at === null);
  return (
    <div>
      <h1>Overview</h1>
      <p class="lead">
        {place.name}, {world} mode.
      </p>
      {isNew && <GettingStarted steps={steps} isOpen />}
      <KeyAlerts />
      <SlowGames />
      <Answer of={summary}>
        {(found) => (
          <>
            <Attention anomalies={found.anomalies} />
            <WindowChoice until={exactTime(found.to)} />
            <MetricTiles summary={found} />
          </>
        )}
      </Answer>
      <MetricCharts window={window} />
      <Answer of={happened}>{({ events }) => <Recent events={events} />}</Answer>
      {!isNew && <GettingStarted steps={steps} isOpen={false} />}
      <FirstCall />
    </div>
  );
}

function Attention({ anomalies }: { readonly anomalies: readonly Anomaly[] }) {
  const url = usePageUrl();
  const linkOf = ({ type, id }: Anomaly['target']): readonly [href: string, words: string] => {
    if (type === 'webhook') return [url('webhooks', id ?? undefined), 'Open the webhook'];
    if (type === 'requests') return [`${url('requests')}?errors=true`, 'Open the failed requests'];
    return type === 'usage' ? [url('usage'), 'Open usage'] : [url('sessions'), 'Open sessions'];
  };
  if (anomalies.length === 0) return <p class="all-well">No problems found.</p>;
  return (
    <section class="card alerts">
      <h2>Needs attention</h2>
      <ul>
        {anomalies.map(({ kind, severity, message, since, target }) => {
          const [href, words] = linkOf(target);
          return (
            <li key={kind + (target.id ?? '')}>
              <span>
                <span class={`badge ${severity === 'critical' ? 'failed' : 'refused'}`}>
                  {severity}
                </span>{' '}
                {message}{' '}
                {since !== null && (
                  <span class="muted">
                    <Time at={since} />
                  </span>
                )}
              </span>
              <a href={href}>{words}</a>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Recent({ events }: { readonly events: readonly EventRow[] }) {
  const url = usePageUrl();
  return (
    <section class="card">
      <h2>Recent events</h2>
      <Table<EventRow>
        label="Recent events"
        rows={events}
        keyOf={({ id }) => id}
        empty="No events yet. Create a session to see its events here."
        columns={[
          {
            title: 'When',
            cell: ({ timestamp }) => <Time at={timestamp} />,
            value: ({ timestamp }) => timestamp,
          },
          { title: 'Event', cell: ({ type }) => <code>{type}</code>, value: ({ type }) => type },
          {
            title: 'Session',
            cell: ({ sessionId }) =>
              sessionId === undefined ? (
                '—'
              ) : (
                <Id text={sessionId} href={url('sessions', sessionId)} />
              ),
            value: ({ sessionId = null }) => sessionId,
          },
        ]}
      />
    </section>
  );
}
